// Generated from functions/openapi/document.json by `npm run openapi`. Do not edit.
export type paths = {
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the health of the service
         * @description The service is healthy if it can reach its database.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * Check the health of the service
         * @description The service is healthy if it can reach its database.
         */
        head: operations["checkHealth"];
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the OpenAPI document
         * @description The document of the release that is deployed.
         */
        get: operations["getOpenApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * Get the OpenAPI document
         * @description The document of the release that is deployed.
         */
        head: operations["checkOpenApiDocument"];
        patch?: never;
        trace?: never;
    };
    "/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register an account
         * @description Sends a verification link by email. The reply is the same whether or not the email already has an account.
         */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify an email and create the account
         * @description Takes the token from the link in the verification email and the password of the registration, and signs the new user in. The link also confirms another pending registration of the same email, which has this password.
         */
        post: operations["verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a new email
         * @description Takes the token from the link that `PUT /user/email` sent to the new email. From then on, the user signs in with this email.
         */
        post: operations["confirmEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/email/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a change of email
         * @description Takes the token from the link that `PUT /user/email` sent to the old email. Restores that email, ends every session, revokes every API token, removes passkeys, second factors and devices that were added since the change was requested or in the day before, and invalidates the password. Send the `resetToken` to `POST /auth/password/reset` to choose a new one.
         */
        post: operations["undoEmailChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with email and password
         * @description Returns a token, or `mfaRequired` with the methods available for the second step.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get WebAuthn options to sign in with a passkey
         * @description Pass `options` to `navigator.credentials.get`, and the credential with the `challengeToken` to `POST /auth/passkey` within five minutes. The token works once.
         */
        post: operations["getPasskeyLoginOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a passkey
         * @description The passkey stands for both factors. The account is the one that the device stored with it.
         */
        post: operations["loginWithPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/emergency-bypass": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bypass the IP allowlist in an emergency
         * @description For workspace admins with a second factor. Takes the email and password with a code, or a passkey with the `challengeToken` of `POST /auth/passkey/options`. The session ignores IP allowlists for 60 minutes, and every admin is notified by email.
         */
        post: operations["bypassIpAllowlist"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a team invitation
         * @description Takes the token from the link in the invitation email.
         *
         *     API tokens cannot call this endpoint.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login/2fa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a sign-in with the second factor
         * @description Takes the `mfaToken` that signing in with the password returned.
         */
        post: operations["completeLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login/2fa/webauthn-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get WebAuthn options for the second step of a sign-in
         * @description Pass the reply to `navigator.credentials.get`.
         */
        post: operations["getLoginWebAuthnOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description API tokens cannot call this endpoint.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether you are signed in
         * @description API tokens cannot call this endpoint.
         */
        get: operations["getSessionStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current user
         * @description API tokens cannot call this endpoint.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/reauthenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm your password or passkey
         * @description For ten minutes, this session may change second factors and delete the account. A passkey needs the `challengeToken` of `POST /auth/passkey/options`.
         *
         *     API tokens cannot call this endpoint.
         */
        post: operations["reauthenticate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password/forgot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a password reset link
         * @description Sends a link by email. The reply is the same whether or not the email has an account.
         */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset a password
         * @description Takes the token from the link in the email. It ends every session, revokes your API tokens and does not sign you in.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your profile
         * @description API tokens need the scope `read`.
         */
        get: operations["getProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update your profile
         * @description Changes only the given fields. To change the avatar, use POST /api/upload/avatar.
         *
         *     API tokens need the scope `write`.
         */
        patch: operations["updateProfile"];
        trace?: never;
    };
    "/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete your account
         * @description API tokens cannot call this endpoint.
         */
        delete: operations["deleteAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export your data
         * @description Returns everything the service stores about you as one JSON file, except the data of workspaces whose IP allowlist or required second factor refuses you. omitted names these workspaces.
         *
         *     API tokens cannot call this endpoint.
         */
        get: operations["exportAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description API tokens cannot call this endpoint.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End all your other sessions
         * @description API tokens cannot call this endpoint.
         */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your sessions
         * @description API tokens cannot call this endpoint.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your devices
         * @description API tokens cannot call this endpoint.
         */
        get: operations["listDevices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/devices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove one of your devices
         * @description Ends the sessions of the device.
         *
         *     API tokens cannot call this endpoint.
         */
        delete: operations["deleteDevice"];
        options?: never;
        head?: never;
        /**
         * Rename one of your devices
         * @description API tokens cannot call this endpoint.
         */
        patch: operations["updateDevice"];
        trace?: never;
    };
    "/user/login-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sign-ins
         * @description Includes failed attempts, newest first.
         *
         *     API tokens cannot call this endpoint.
         */
        get: operations["listLogins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/security": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your security settings
         * @description API tokens cannot call this endpoint.
         */
        get: operations["getSecuritySettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update your security settings
         * @description API tokens cannot call this endpoint.
         */
        patch: operations["updateSecuritySettings"];
        trace?: never;
    };
    "/user/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your API tokens
         * @description API tokens cannot call this endpoint.
         */
        get: operations["listApiTokens"];
        put?: never;
        /**
         * Create an API token
         * @description The reply is the only place where the token is shown.
         *
         *     API tokens cannot call this endpoint.
         */
        post: operations["createApiToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an API token
         * @description API tokens cannot call this endpoint.
         */
        delete: operations["deleteApiToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change your email
         * @description Sends a link to the new email, which you sign in with once the link is confirmed, and a notice with an undo link to the current one. The reply is the same whether or not the new email already has an account.
         *
         *     API tokens cannot call this endpoint.
         */
        put: operations["changeEmail"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change your password
         * @description Ends all your other sessions and revokes your API tokens, unless `keepApiTokens` is true.
         *
         *     API tokens cannot call this endpoint.
         */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/2fa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your second factors
         * @description API tokens cannot call this endpoint.
         */
        get: operations["getSecondFactors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/2fa/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set up an authenticator app
         * @description The app becomes a second factor once its first code is confirmed.
         *
         *     API tokens cannot call this endpoint.
         */
        post: operations["setUpAuthenticatorApp"];
        /**
         * Remove your authenticator app
         * @description API tokens cannot call this endpoint.
         */
        delete: operations["deleteAuthenticatorApp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/2fa/totp/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm an authenticator app
         * @description Takes the first code that the app shows. The reply is the only place where the backup codes are shown.
         *
         *     API tokens cannot call this endpoint.
         */
        post: operations["confirmAuthenticatorApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/2fa/webauthn/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get WebAuthn options for a new passkey or security key
         * @description Pass the reply to `navigator.credentials.create`. With `kind=passkey`, the credential must be stored by the device and also signs in alone; without, it is a second factor only.
         *
         *     API tokens cannot call this endpoint.
         */
        post: operations["getPasskeyRegistrationOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/2fa/webauthn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your passkeys and security keys
         * @description `rpId`, `userHandle` and each `credentialId` are what browsers need to signal which passkeys are still accepted.
         *
         *     API tokens cannot call this endpoint.
         */
        get: operations["listPasskeys"];
        put?: never;
        /**
         * Register a passkey or security key
         * @description If it is your first second factor, the reply also contains backup codes, which are not shown again.
         *
         *     API tokens cannot call this endpoint.
         */
        post: operations["registerPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/2fa/webauthn/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a passkey or security key
         * @description API tokens cannot call this endpoint.
         */
        delete: operations["deletePasskey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/2fa/backup-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate new backup codes
         * @description Invalidates the previous codes. The reply is the only place where the new ones are shown.
         *
         *     API tokens cannot call this endpoint.
         */
        post: operations["generateBackupCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/upload/avatar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload your avatar
         * @description API tokens need the scope `write`.
         */
        post: operations["uploadAvatar"];
        /**
         * Remove your avatar
         * @description API tokens need the scope `write`.
         */
        delete: operations["deleteAvatar"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/avatar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove your avatar
         * @description API tokens need the scope `write`.
         */
        delete: operations["deleteUserAvatar"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your workspaces
         * @description API tokens cannot call this endpoint.
         */
        get: operations["listWorkspaces"];
        put?: never;
        /**
         * Create a workspace
         * @description An account can own at most 20 workspaces.
         *
         *     API tokens cannot call this endpoint.
         */
        post: operations["createWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{id}/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave a workspace
         * @description API tokens cannot call this endpoint.
         */
        post: operations["leaveWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspaces/{id}/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transfer a workspace to another member
         * @description API tokens cannot call this endpoint.
         */
        post: operations["transferWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List teams
         * @description API tokens need the scope `read`.
         */
        get: operations["listTeams"];
        put?: never;
        /**
         * Create a team
         * @description A workspace can have at most 500 teams.
         *
         *     API tokens need the scope `admin`.
         */
        post: operations["createTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a team
         * @description API tokens need the scope `read`.
         */
        get: operations["getTeam"];
        put?: never;
        post?: never;
        /**
         * Delete a team
         * @description Its members stay in the workspace.
         *
         *     API tokens need the scope `admin`.
         */
        delete: operations["deleteTeam"];
        options?: never;
        head?: never;
        /**
         * Rename a team
         * @description API tokens need the scope `write`.
         */
        patch: operations["updateTeam"];
        trace?: never;
    };
    "/team/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of a team
         * @description Returns up to 4000 members at once. Larger teams, and requests with page or per_page, are paginated: `meta` says how many pages follow.
         *
         *     API tokens need the scope `read`.
         */
        get: operations["listTeamMembers"];
        put?: never;
        /**
         * Add a member to a team
         * @description The user must already be a member of the workspace. To add someone else, send an invitation.
         *
         *     API tokens need the scope `admin`.
         */
        post: operations["addTeamMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team/{id}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member from a team
         * @description Managers may remove everyone whose role is not higher than theirs; members may remove only themselves. The user stays a member of the workspace.
         *
         *     API tokens need the scope `admin`.
         */
        delete: operations["removeTeamMember"];
        options?: never;
        head?: never;
        /**
         * Change a member’s role or status
         * @description API tokens need the scope `admin`.
         */
        patch: operations["updateTeamMember"];
        trace?: never;
    };
    "/team/{id}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pending invitations of a team
         * @description API tokens need the scope `read`.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite someone to a team
         * @description Sends an invitation link by email. A workspace that is younger than seven days or on the FREE plan can send 50 a day.
         *
         *     API tokens need the scope `admin`.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team/{id}/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an invitation
         * @description API tokens need the scope `admin`.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/ip-allowlist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the IP allowlist
         * @description API tokens need the scope `admin`.
         */
        get: operations["getIpAllowlist"];
        /**
         * Replace the IP allowlist
         * @description API tokens need the scope `admin`.
         */
        put: operations["replaceIpAllowlist"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/security/login-map": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get sign-ins by location as GeoJSON
         * @description Covers the last 90 days.
         *
         *     API tokens need the scope `admin`.
         */
        get: operations["getLoginMap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current workspace
         * @description API tokens need the scope `read`.
         */
        get: operations["getWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the current workspace
         * @description A new base currency emits currency.changed. In weekStart, 1 is Monday and 7 is Sunday. membersSeeMoney shows members the hourly rates and budgets of projects; the amounts on their own time entries are always visible. With requireTwoFactor (ENTERPRISE), members without a second factor get 403 two_factor_required; the caller must have one to turn it on, and must have reauthenticated to turn it off. lockedUntil (ENTERPRISE) locks all days until that one: changes of their time entries and overrides are 409 period_locked, also for admins, and so are a new time zone and base currency; null lifts the lock.
         *
         *     API tokens need the scope `admin`.
         */
        patch: operations["updateWorkspace"];
        trace?: never;
    };
    "/api/v1/workspace/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of the current workspace
         * @description Sorted by name, with the members who are in no team. Returns up to 4000 members at once. Larger workspaces, and requests with page or per_page, are paginated: `meta` says how many pages follow.
         *
         *     API tokens need the scope `read`.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspace/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member from the workspace
         * @description For members with a role lower than yours. Ends their access to this workspace from the next request on: removes them from all its teams, stops their running timer, withdraws the invitations that they sent or received, and revokes their API tokens for it. Their time entries stay; their sessions and their other workspaces are not affected. They are notified by email.
         *
         *     API tokens need the scope `admin`.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change the role or status of a member of the workspace
         * @description For members with a role lower than yours, whether or not they are in a team. A suspended member has no access to this workspace from the next request on; their running timer is stopped, and their sessions and other workspaces are not affected. Invitations that the member may no longer send or accept are withdrawn.
         *
         *     API tokens need the scope `admin`.
         */
        patch: operations["updateMember"];
        trace?: never;
    };
    "/api/v1/currencies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List currencies and their rates
         * @description Each rate is the number of units of the currency for one unit of the workspace’s base currency. It comes from the workspace’s override if there is one, else from the European Central Bank, else from tables A and B of the National Bank of Poland. Sources: ECB statistics; Narodowy Bank Polski.
         *
         *     API tokens need the scope `read`.
         */
        get: operations["listCurrencies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/currencies/{code}/rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rates of a currency
         * @description from and to are inclusive days; the range may span at most 366 days. The default is the last thirty days.
         *
         *     API tokens need the scope `read`.
         */
        get: operations["listRates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/currencies/{code}/override": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Override the rate of a currency
         * @description The rate is the number of units of the currency for one unit of the base currency. It applies from validFrom (default: today) to validTo (default: no end). Replaces an override that begins on the same day. Emits currency.changed.
         *
         *     API tokens need the scope `admin`.
         */
        put: operations["overrideRate"];
        post?: never;
        /**
         * Remove the override of a currency
         * @description Removes the override that begins on valid_from, or all of the currency with all=true. Emits currency.changed.
         *
         *     API tokens need the scope `admin`.
         */
        delete: operations["deleteRateOverride"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects
         * @description Sorted by name. Archived projects are included only with archived=true or archived=all. hourlyRate and budget are null for members of a workspace without membersSeeMoney. With include=budget_status, budgetStatus has what GET /api/v1/projects/{id}/budget returns for each project with a budget.
         *
         *     API tokens need the scope `read`.
         */
        get: operations["listProjects"];
        put?: never;
        /**
         * Create a project
         * @description A workspace can have at most 5000 active projects.
         *
         *     API tokens need the scope `write`.
         */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/recent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your recent projects
         * @description The last 10 distinct projects you tracked time on, latest first. Archived projects are left out.
         *
         *     API tokens need the scope `read`.
         */
        get: operations["listRecentProjects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a project
         * @description hourlyRate and budget are null for members of a workspace without membersSeeMoney.
         *
         *     API tokens need the scope `read`.
         */
        get: operations["getProject"];
        put?: never;
        post?: never;
        /**
         * Delete a project without time entries
         * @description API tokens need the scope `write`.
         */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        /**
         * Update a project
         * @description Existing time entries keep their hourly rate. To change the currency, also send the hourly rate and the money budget in the new currency.
         *
         *     API tokens need the scope `write`.
         */
        patch: operations["updateProject"];
        trace?: never;
    };
    "/api/v1/projects/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive a project
         * @description Stops the project’s running timers. Archiving an archived project changes nothing and emits no second event.
         *
         *     API tokens need the scope `write`.
         */
        post: operations["archiveProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/unarchive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore an archived project
         * @description A project that is not archived stays unchanged.
         *
         *     API tokens need the scope `write`.
         */
        post: operations["unarchiveProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{id}/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the budget of a project
         * @description The forecast extends the pace of the last 28 days to the end of the month, or 30 days ahead for a budget without periods. An hours budget counts all time; a money budget counts the billable amounts in its currency. Running timers count until now. Members need a workspace with membersSeeMoney.
         *
         *     API tokens need the scope `read`.
         */
        get: operations["getProjectBudget"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/time-entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List time entries
         * @description Members see their own entries, managers see everyone’s; newest first by default. from and to are inclusive days in the workspace’s time zone, or in timezone. An entry belongs to the day on which it starts. To read further, use cursor and limit, which stay stable while entries are added, or page and per_page for the first 10000 entries.
         *
         *     API tokens need the scope `read`.
         */
        get: operations["listTimeEntries"];
        put?: never;
        /**
         * Create a time entry
         * @description The entry copies the project’s hourly rate and currency. Without endedAt, it is a running timer. With userId, managers create entries of members with a lower role in their teams, admins those of everyone; these need endedAt.
         *
         *     API tokens need the scope `write`.
         */
        post: operations["createTimeEntry"];
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update several time entries
         * @description Makes the same changes to up to 200 entries, all or none, by the rules of a single one. When some cannot be changed, the status and code are those of the first of them, and errors has the reason for each at /ids/0, /ids/1 and so on. data has the entries in the order of ids.
         *
         *     API tokens need the scope `write`.
         */
        patch: operations["updateTimeEntries"];
        trace?: never;
    };
    "/api/v1/time-entries/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a timer
         * @description API tokens need the scope `write`.
         */
        post: operations["startTimer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/time-entries/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop your timer
         * @description API tokens need the scope `write`.
         */
        post: operations["stopTimer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/time-entries/running": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your running timer
         * @description API tokens need the scope `read`.
         */
        get: operations["getRunningTimer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/time-entries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a time entry
         * @description Members see their own entries, managers see everyone’s.
         *
         *     API tokens need the scope `read`.
         */
        get: operations["getTimeEntry"];
        put?: never;
        post?: never;
        /**
         * Delete a time entry
         * @description Managers can delete entries of members with a lower role in their teams, admins those of everyone.
         *
         *     API tokens need the scope `write`.
         */
        delete: operations["deleteTimeEntry"];
        options?: never;
        head?: never;
        /**
         * Update a time entry
         * @description The entry keeps its hourly rate unless it moves to another project. Managers can change entries of members with a lower role in their teams, admins those of everyone.
         *
         *     API tokens need the scope `write`.
         */
        patch: operations["updateTimeEntry"];
        trace?: never;
    };
    "/api/v1/time-entries/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete several time entries
         * @description Deletes up to 200 entries, all or none, by the rules of a single one. When some cannot be deleted, the status and code are those of the first of them, and errors has the reason for each at /ids/0, /ids/1 and so on.
         *
         *     API tokens need the scope `write`.
         */
        post: operations["deleteTimeEntries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/time-entries/{id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Duplicate a time entry
         * @description The copy has the same user, times, project, description, tags and billable state, and the project’s current hourly rate. A running timer cannot be duplicated.
         *
         *     API tokens need the scope `write`.
         */
        post: operations["duplicateTimeEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/time-entries/{id}/split": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Split a time entry
         * @description The entry keeps its id and ends at the given time. A new entry with the same details and hourly rate has the rest, and a running timer goes on in it. data has both, the new one second. Durations and amounts add up to those of the entry: the first amount is rounded, the second is the rest.
         *
         *     API tokens need the scope `write`.
         */
        post: operations["splitTimeEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Suggest descriptions, tags or clients
         * @description At most 20 values that contain q, ignoring case, the most recently used first. Descriptions are those of your last 1000 entries, tags those of the workspace’s last 1000 entries, and clients those of its newest 1000 projects.
         *
         *     API tokens need the scope `read`.
         */
        get: operations["listSuggestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List time entries (use GET /api/v1/time-entries)
         * @deprecated
         * @description Members see their own entries, managers see everyone’s; newest first by default. from and to are inclusive days in the workspace’s time zone, or in timezone. An entry belongs to the day on which it starts. To read further, use cursor and limit, which stay stable while entries are added, or page and per_page for the first 10000 entries.
         *
         *     API tokens need the scope `read`.
         */
        get: operations["listEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a summary report
         * @description Covers a member’s own time, or everyone’s for a manager. from and to are inclusive days; the default is the last 30 days. Days are those of the workspace’s time zone, or of timezone, which amounts do not depend on: they are converted at the rates of the workspace’s days. Filters and totals match those of the time entries exactly. Amounts are totals per currency. An entry with several tags, or of a user in several teams, counts in each of their groups and once in totals. rounding, such as up:15, rounds the duration of each entry to that many minutes.
         *
         *     API tokens need the scope `read`.
         */
        get: operations["getSummaryReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/custom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a custom report
         * @description Groups up to 3 levels deep (group_by, separated by commas) and returns the requested metrics. With columns, each group also lists its entries, up to 5000 in total; without group_by, the report is a plain list of entries. Filters, days and totals work as in the summary.
         *
         *     API tokens need the scope `read`.
         */
        get: operations["getCustomReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate a report file
         * @description Writes a JSON, CSV, XLSX or PDF file of at most 100000 rows (20000 in a PDF). The file is kept for 90 days; its download URL is valid for seven, or for ten minutes if the workspace has an IP allowlist. A summary, or a custom report without columns, has one row per innermost group and currency; a detailed report has one row per entry. In CSV, text that a spreadsheet could read as a formula is prefixed with an apostrophe; in XLSX, it is typed as text.
         *
         *     API tokens need the scope `write`.
         */
        post: operations["generateReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a generated report
         * @description Members see their own reports, managers see everyone’s. Each call signs a new download URL.
         *
         *     API tokens need the scope `read`.
         */
        get: operations["getReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate a report file (use POST /api/v1/reports/generate)
         * @deprecated
         * @description Writes a JSON, CSV, XLSX or PDF file of at most 100000 rows (20000 in a PDF). The file is kept for 90 days; its download URL is valid for seven, or for ten minutes if the workspace has an IP allowlist. A summary, or a custom report without columns, has one row per innermost group and currency; a detailed report has one row per entry. In CSV, text that a spreadsheet could read as a formula is prefixed with an apostrophe; in XLSX, it is typed as text.
         *
         *     API tokens need the scope `write`.
         */
        post: operations["createReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log
         * @description Newest first. With format=csv or format=ndjson, the reply is a file of up to 10000 entries. If there are more, the Link header (rel="next") contains the URL of the next file. The last file ends with the latest checkpoint, as NDJSON after the chain of hashes that proves the log.
         *
         *     API tokens need the scope `admin`.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit-logs/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the checkpoint of the audit log
         * @description The signed end of the chain of hashes over all entries, renewed when entries are added. Keep it elsewhere: it proves later that no entry before it was changed, deleted, inserted or moved.
         *
         *     API tokens need the scope `admin`.
         */
        get: operations["getAuditCheckpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description API tokens need the scope `admin`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description The reply is the only place where the secret is shown. Values of `headers` are never returned.
         *
         *     API tokens need the scope `admin`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook event types
         * @description API tokens need the scope `admin`.
         */
        get: operations["listWebhookEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description API tokens need the scope `admin`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Pending deliveries are not sent.
         *
         *     API tokens need the scope `admin`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * @description Set `enabled` to false to disable the webhook. In `headers`, a value sets a header and null removes it; headers that are absent or `[masked]` are unchanged. If the origin of `url` changes, stored header values are removed unless the request contains new ones; `droppedHeaders` names them.
         *
         *     API tokens need the scope `admin`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a webhook’s secret
         * @description The reply is the only place where the new secret is shown. For 24 hours, every message is signed with both secrets.
         *
         *     API tokens need the scope `admin`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description The event carries `"test":true`. Get its delivery to see the result.
         *
         *     API tokens need the scope `admin`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recover missed events
         * @description Sends every event since the given time that never reached the webhook: failed deliveries, and events emitted while it was disabled.
         *
         *     API tokens need the scope `admin`.
         */
        post: operations["recoverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook
         * @description API tokens need the scope `admin`.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery with its attempts
         * @description API tokens need the scope `admin`.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{deliveryId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a delivery
         * @description API tokens need the scope `admin`.
         */
        post: operations["retryDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consents/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the cookie policy
         * @description Returns the cookies that the web client can set, by category, and the version of the policy to consent to.
         */
        get: operations["getCookiePolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record a choice of cookies
         * @description Expires the cookies that the choice rejects.
         *
         *     API tokens cannot call this endpoint.
         */
        post: operations["createConsent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/consents/mine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your cookie choices
         * @description The choices you made while signed in, newest first.
         *
         *     API tokens cannot call this endpoint.
         */
        get: operations["listConsents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
};
export type webhooks = {
    "project.archived": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * project.archived
         * @description A project was archived. Time can no longer be tracked on it, and it stays in reports.
         */
        post: operations["receiveProjectArchivedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "currency.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * currency.changed
         * @description The workspace's base currency changed (`base_currency`, with the codes before and after), or the rate overrides of a currency changed (`override`, with the overrides before and after).
         */
        post: operations["receiveCurrencyChangedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "budget.forecast_warning": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * budget.forecast_warning
         * @description A project reached the alert threshold of its budget (`threshold`), or is forecast to exceed its budget (`forecast`). Sent once per period and threshold.
         */
        post: operations["receiveBudgetForecastWarningEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "security.suspicious_login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * security.suspicious_login
         * @description A member of the workspace signed in under suspicious circumstances.
         */
        post: operations["receiveSecuritySuspiciousLoginEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
};
export type components = {
    schemas: {
        AcceptedInvitation: {
            /** @description The id of the workspace. */
            workspaceId: components["schemas"]["Id"];
            /** @description The id of the team. */
            teamId: components["schemas"]["Id"];
            /** @description The role, which decides what the user may do. */
            role: components["schemas"]["Role"];
        };
        AccountExport: {
            /** @description The time of the export. */
            exportedAt: components["schemas"]["Instant"];
            /** @description Whether nothing was left out. False if the oldest rows exceed a limit. */
            complete: boolean;
            /** @description The workspaces whose data the export leaves out. */
            omitted: {
                /** @description The id of the workspace. */
                workspaceId: components["schemas"]["Id"];
                /** @description The name. */
                name: string;
                /**
                 * @description The reason.
                 * @enum {string}
                 */
                reason: "ip_not_allowed" | "two_factor_required";
            }[];
            /** @description The profile of the account. */
            profile: components["schemas"]["Profile"];
            /** @description The security settings of the account. */
            security: components["schemas"]["SecuritySettings"];
            /** @description The second factors of the account. */
            secondFactors: components["schemas"]["SecondFactors"];
            /** @description Where the account is signed in. */
            sessions: components["schemas"]["Session"][];
            /** @description The devices that are recognized. */
            devices: components["schemas"]["Device"][];
            /** @description The API tokens of the account, without their secrets. */
            apiTokens: components["schemas"]["ApiToken"][];
            /** @description The workspaces of the account. */
            memberships: {
                /** @description The id of the workspace. */
                workspaceId: components["schemas"]["Id"];
                /** @description The role, which decides what the user may do. */
                role: components["schemas"]["Role"];
                /** @description The status. */
                status: string;
                /** @description The time at which the user joined. */
                joinedAt: components["schemas"]["Instant"];
            }[];
            /** @description The invitations that the account sent. */
            invitations: {
                /** @description The id of the workspace. */
                workspaceId: components["schemas"]["Id"];
                /** @description The id of the team. */
                teamId: components["schemas"]["Id"];
                /** @description The role, which decides what the user may do. */
                role: string;
                /** @description The time of creation. */
                createdAt: components["schemas"]["Instant"];
            }[];
            /** @description The choices of cookies. */
            consents: {
                /** @description The unique id. */
                id: components["schemas"]["Id"];
                /** @description The version of the cookie policy. */
                policyVersion: string;
                /** @description The cookie categories that are allowed. */
                categories: ("essential" | "functional" | "analytics" | "marketing")[];
                /**
                 * @description How the choice was made.
                 * @enum {string}
                 */
                action: "accept_all" | "reject_all" | "custom";
                /** @description The time at which it happened. */
                at: components["schemas"]["Instant"];
                /** @description The time of expiry. */
                expiresAt: components["schemas"]["Instant"];
                /** @description Whether the browser asked for privacy with Global Privacy Control. */
                globalPrivacyControl: boolean;
                /** @description The User-Agent of the browser or API client. Null if unknown. */
                userAgent: string;
            }[];
            /** @description The changes of the email. */
            emailChanges: {
                /** @description The email until then. */
                oldEmail: string;
                /** @description The new email. */
                newEmail: string;
                /** @description The time of the request. */
                requestedAt: components["schemas"]["Instant"];
                /** @description The time at which the new email was confirmed. Null if it was not. */
                confirmedAt: components["schemas"]["Instant"] | null;
            }[];
            /** @description The workspaces that the account owns. */
            ownWorkspaces: components["schemas"]["OwnedWorkspace"][];
            /** @description The tracked time of the account. */
            timeEntries: {
                /** @description The unique id. */
                id: components["schemas"]["Id"];
                /** @description The id of the user. */
                userId: components["schemas"]["Id"];
                /** @description The id of the project. Null without one. */
                projectId: components["schemas"]["Id"] | null;
                /** @description What the time was spent on. */
                description: string;
                /** @description The time at which the entry begins. */
                startedAt: components["schemas"]["Instant"];
                /** @description The time at which the entry ends. Null while the timer runs. */
                endedAt: components["schemas"]["Instant"] | null;
                /**
                 * Format: int64
                 * @description The duration in seconds.
                 */
                durationSeconds: number;
                /** @description Whether the time is billable. */
                billable: boolean;
                /** @description The amount per hour as a decimal number. Null without one, or if the caller does not see money. */
                hourlyRate: string | null;
                /** @description The amount in `currency` as a decimal number. Zero if the entry is not billable or has no rate. */
                amount: string;
                /** @description The currency as an ISO 4217 code. */
                currency: components["schemas"]["CurrencyCode"];
                /** @description The tags of the entry. */
                tags: string[];
                /** @description The time of creation. */
                createdAt: components["schemas"]["Instant"];
                /** @description The time of the last change. */
                updatedAt: components["schemas"]["Instant"];
                /** @description The id of the user who last changed the entry. Null if it was never changed. */
                updatedBy: string | null;
                /** @description The version of the resource, which each change replaces. Send it as `If-Match`. */
                version: string;
                /** @description The id of the workspace. */
                workspaceId: components["schemas"]["Id"];
            }[];
            /** @description The reports that the account created. */
            reports: {
                /** @description The unique id. */
                id: components["schemas"]["Id"];
                /** @description The id of the workspace. */
                workspaceId: components["schemas"]["Id"];
                /** @description The id of the user. */
                userId: components["schemas"]["Id"];
                /** @description Whether the report covers the time of all members rather than only its creator's. */
                allMembers: boolean;
                /** @description The type. */
                type: string;
                /** @description The format of the file. */
                format: string;
                /**
                 * Format: int64
                 * @description The size in bytes.
                 */
                size: number;
                /** @description The time of creation. */
                createdAt: components["schemas"]["Instant"];
                /** @description The time of expiry. */
                expiresAt: components["schemas"]["Instant"];
            }[];
            /** @description Past sign-ins. */
            loginHistory: {
                /** @description The unique id. */
                id: components["schemas"]["Id"];
                /** @description The time at which it happened. */
                at: components["schemas"]["Instant"];
                /** @description The IP address. Null if unknown. */
                ip: components["schemas"]["IpAddress"];
                /** @description The country of the IP address as an ISO 3166-1 code. Null if unknown. */
                country: string | null;
                /** @description The city of the IP address. Null if unknown. */
                city: string | null;
                /** @description The name of the device. */
                device: string;
                /**
                 * @description Whether it succeeded.
                 * @enum {string}
                 */
                outcome: "success" | "failure";
                /**
                 * @description How the user proved who they are.
                 * @enum {string}
                 */
                method: "password" | "totp" | "webauthn" | "passkey" | "backup_code" | "email_link" | "emergency_bypass";
                /** @description Whether the sign-in is suspicious. */
                suspicious: boolean;
                /** @description Why the sign-in is suspicious. */
                reasons: ("new_country" | "new_device" | "impossible_travel" | "after_failures" | "first_in_90_days")[];
                /** @description The User-Agent of the browser or API client. Null if unknown. */
                userAgent: string;
                /** @description The latitude of the IP address. Null if unknown. */
                latitude: number | null;
                /** @description The longitude of the IP address. Null if unknown. */
                longitude: number | null;
            }[];
            /** @description What the account did, and what was done to it. */
            events: {
                /** @description The unique id. */
                id: components["schemas"]["Id"];
                /** @description The time at which it happened. */
                at: components["schemas"]["Instant"];
                /** @description The id of the workspace. Null if it belongs to none. */
                workspaceId: components["schemas"]["Id"] | null;
                /** @description What happened, such as `project.archived`. */
                action: string;
                /** @description The type of the object. */
                targetType: string;
                /** @description The id of the object. */
                targetId: components["schemas"]["Id"];
                /** @description The name of the object. */
                targetName: string;
                /** @description Whether it succeeded. */
                outcome: string;
                /**
                 * Format: int64
                 * @description The number of times that this happened within the minute.
                 */
                occurrences: number;
                /** @description The id of the API token. Null without one. */
                tokenId: components["schemas"]["Id"] | null;
                /** @description The IP address. Null if unknown. */
                ip: string | null;
                /** @description The country of the IP address as an ISO 3166-1 code. Null if unknown. */
                country: string | null;
                /** @description The city of the IP address. Null if unknown. */
                city: string | null;
                /** @description The User-Agent of the browser or API client. Null if unknown. */
                userAgent: string | null;
                /** @description The changed values. */
                changes: {
                    [key: string]: unknown;
                };
            }[];
        };
        ApiToken: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The name. */
            name: string;
            /** @description What the token may do. */
            scopes: ("read" | "write" | "admin")[];
            /** @description The id of the workspace. */
            workspaceId: components["schemas"]["Id"];
            /** @description The time of creation. */
            createdAt: components["schemas"]["Instant"];
            /** @description The time of expiry. */
            expiresAt: components["schemas"]["Instant"];
            /** @description The time of the last use. Null if there was none. */
            lastUsedAt: components["schemas"]["Instant"] | null;
        };
        AuditCheckpoint: {
            /** @description The id of the workspace. */
            workspaceId: components["schemas"]["Id"];
            /**
             * Format: int64
             * @description The number of the last entry that the checkpoint covers.
             */
            sequence: number;
            /** @description The hash of the last entry that the checkpoint covers. */
            hash: string;
            /** @description The time at which the checkpoint was signed. */
            at: components["schemas"]["Instant"];
            /** @description Entries from before this time were deleted when their retention ended. Null if none were. */
            purgedBefore: components["schemas"]["Instant"] | null;
            /** @description The id of the key that signed the checkpoint. */
            keyId: string;
            /** @description The Ed25519 public key in base64url. */
            publicKey: string;
            /** @description The signature. */
            signature: string;
        };
        AuditEntry: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The time at which it happened. */
            at: components["schemas"]["Instant"];
            /** @description The user, API token or job that acted. */
            actor: {
                /** @description The type. */
                type: string;
                /** @description The id of the user. Null for a job. */
                id: components["schemas"]["Id"] | null;
                /** @description The name. */
                name: string | null;
                /** @description The email of the user. Null if unknown. */
                email: string | null;
                /** @description The id of the API token. Null without one. */
                tokenId: components["schemas"]["Id"] | null;
                /** @description The signed URL of the avatar, valid for seven days. Empty without one. */
                avatar?: string;
                /** @description The signed URL of a small version of the avatar. Empty without one. */
                avatarSmall?: string;
                /** @description A ThumbHash of the avatar in base64, to show until the avatar has loaded. Empty without one. */
                avatarPlaceholder?: string;
            };
            /** @description The category of the action. */
            category: string;
            /** @description What happened, such as `project.archived`. */
            action: string;
            /** @description The object of the action. */
            target: {
                /** @description The type. */
                type: string;
                /** @description The id of the object. */
                id: components["schemas"]["Id"];
                /** @description The name. */
                name: string;
            };
            /** @description The IP address. Null if unknown. */
            ip: components["schemas"]["IpAddress"] | null;
            /** @description The country of the IP address as an ISO 3166-1 code. Null if unknown. */
            country: string | null;
            /** @description The city of the IP address. Null if unknown. */
            city: string | null;
            /** @description The User-Agent of the browser or API client. Null if unknown. */
            userAgent: string | null;
            /** @description The id of the request. */
            requestId: string;
            /** @description Whether it succeeded. */
            outcome: string;
            /**
             * Format: int64
             * @description The number of times that this happened within the minute.
             */
            occurrences: number;
            /** @description The names of the changed fields. */
            fields: string[];
            /** @description The changed values. */
            changes: {
                /** @description The values before the change. */
                before: {
                    [key: string]: unknown;
                };
                /** @description The values after the change. */
                after: {
                    [key: string]: unknown;
                };
            };
        };
        AuthenticatorAppConfirmation: {
            /** @description The code that the authenticator app shows. */
            code: string;
        };
        AuthenticatorAppSetup: {
            /** @description The secret for the authenticator app in base32. */
            secret: string;
            /** @description The URI that authenticator apps read. */
            otpauthUri: string;
            /** @description A QR code of `otpauthUri` as an SVG image. */
            qrSvg: string;
        };
        BackupCodes: {
            /** @description The new backup codes. Only this response contains them. */
            backupCodes: string[];
        };
        Budget: {
            /** @description The id of the project. */
            projectId: components["schemas"]["Id"];
            /**
             * @description Whether the budget is in money or in hours.
             * @enum {string}
             */
            type: "money" | "hours";
            /** @description The budget as a decimal number: money, or hours. */
            amount: string;
            /**
             * @description Whether the budget is for the whole project or for each month.
             * @enum {string}
             */
            period: "total" | "month";
            /**
             * Format: int64
             * @description The share of the budget, in percent, from which a warning is sent.
             */
            alertThresholdPercent: number;
            /** @description The currency of the budget. Null if it is in hours. */
            currency: components["schemas"]["CurrencyCode"] | null;
            /** @description The first day of the period. Null if the budget is for the whole project. */
            periodStart: components["schemas"]["Day"] | null;
            /** @description The last day of the period. Null if the budget is for the whole project. */
            periodEnd: components["schemas"]["Day"] | null;
            /** @description The part of the budget that is spent, as a decimal number: money, or hours. */
            spent: string;
            /** @description The share of the budget that is spent, in percent. */
            percent: number;
            /** @description The share of the budget, in percent, that is expected to be used at the end of the period. */
            forecastPercent: number;
            /** @description The day on which the budget is expected to be used up. Null if it is not. */
            forecastDate: components["schemas"]["Day"] | null;
            /** @description Amounts in other currencies than that of the budget, which `spent` does not contain. */
            notCounted: components["schemas"]["Money"][];
        };
        BudgetForecastWarningEvent: {
            /** @description The id of the event, the same in all attempts. */
            id: components["schemas"]["Id"];
            /**
             * @description The type.
             * @constant
             */
            type: "budget.forecast_warning";
            /** @description The time of the event. */
            timestamp: components["schemas"]["Instant"];
            /**
             * @description The version of the API that wrote the payload.
             * @constant
             */
            apiVersion: "1.4.0";
            /** @description The id of the workspace. */
            workspaceId: components["schemas"]["Id"];
            /** @description What happened. */
            data: {
                /** @description The id of the project. */
                projectId: components["schemas"]["Id"];
                /** @description The name of the project. */
                projectName: string;
                /**
                 * @description Whether the threshold was reached, or the forecast exceeds the budget.
                 * @enum {string}
                 */
                reason: "threshold" | "forecast";
                /** @description The share of the budget, in percent, from which a warning is sent. */
                thresholdPercent: number;
                /** @description The share of the budget that is spent, in percent. */
                percent: number;
                /** @description The share of the budget, in percent, that is expected to be used at the end of the period. */
                forecastPercent: number | null;
                /** @description The day on which the budget is expected to be used up. Null if it is not. */
                forecastDate: components["schemas"]["Day"] | null;
                /**
                 * @deprecated
                 * @description Deprecated: use `forecastDate`.
                 */
                forecastAt: components["schemas"]["Instant"] | null;
                /** @description The period of the budget: `total`, or a month. */
                period: string;
                /**
                 * @description Whether the budget is in money or in hours.
                 * @enum {string}
                 */
                type: "money" | "hours";
                /** @description The budget as a decimal number: money, or hours. */
                amount: string;
                /** @description The part of the budget that is spent, as a decimal number: money, or hours. */
                spent: string;
                /** @description The currency of the budget. Null if it is in hours. */
                currency: components["schemas"]["CurrencyCode"] | null;
            };
            /**
             * @description Always true, in test events only.
             * @constant
             */
            test?: true;
        };
        BudgetSettings: {
            /**
             * @description Whether the budget is in money or in hours.
             * @enum {string}
             */
            type: "money" | "hours";
            /** @description The budget as a decimal number: money, or hours. */
            amount: string;
            /**
             * @description Whether the budget is for the whole project or for each month.
             * @enum {string}
             */
            period: "total" | "month";
            /**
             * Format: int64
             * @description The share of the budget, in percent, from which a warning is sent.
             */
            alertThresholdPercent: number;
        };
        Chart: {
            /** @description The id of the chart in the report. */
            id: string;
            /**
             * @description The type.
             * @enum {string}
             */
            type: "bar" | "line" | "pie";
            /** @description The title. */
            title: string;
            /** @description The unit of the values. */
            unit: string;
            /** @description The labels of the values, in their order. */
            labels: string[];
            /** @description The series of values. */
            series: {
                /** @description The name. */
                name: string;
                /** @description The value of each label: seconds, or an amount as a decimal number. */
                data: (number | string)[];
            }[];
        };
        Consent: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The version of the cookie policy. */
            policyVersion: string;
            /** @description The cookie categories that are allowed. */
            categories: ("essential" | "functional" | "analytics" | "marketing")[];
            /**
             * @description How the choice was made.
             * @enum {string}
             */
            action: "accept_all" | "reject_all" | "custom";
            /** @description The time at which it happened. */
            at: components["schemas"]["Instant"];
            /** @description The time of expiry. */
            expiresAt: components["schemas"]["Instant"];
        };
        ConsentChoice: {
            /** @description The version of the cookie policy. */
            policyVersion: string;
            /** @description The cookie categories that are allowed. */
            categories: ("essential" | "functional" | "analytics" | "marketing")[];
            /**
             * @description How the choice was made.
             * @enum {string}
             */
            action: "accept_all" | "reject_all" | "custom";
        };
        ConvertedMoney: {
            /** @description The amount of money as a decimal number. */
            amount: string;
            /** @description The currency as an ISO 4217 code. */
            currency: components["schemas"]["CurrencyCode"];
            /** @description The rate of the conversion as a decimal number. */
            rate: string;
            /** @description The day of the rate. */
            rateDate: components["schemas"]["Day"];
            /**
             * @description Who published the rate.
             * @enum {string}
             */
            rateSource: "ECB" | "NBP-A" | "NBP-B" | "override" | "fixed";
        };
        CookiePolicy: {
            /** @description The version of the cookie policy. */
            policyVersion: string;
            /**
             * Format: int64
             * @description The number of days for which a choice is valid.
             */
            choiceDays: number;
            /** @description The cookie categories of the policy. */
            categories: {
                /**
                 * @description The id of the category.
                 * @enum {string}
                 */
                id: "essential" | "functional" | "analytics" | "marketing";
                /** @description Whether the category cannot be disabled. */
                locked: boolean;
                /** @description What it is for. */
                purpose: string;
                /** @description The cookies of the category. */
                cookies: {
                    /** @description The name. */
                    name: string;
                    /** @description What it is for. */
                    purpose: string;
                    /** @description How long it is kept. */
                    duration: string;
                }[];
                /** @description What the category stores in the browser besides cookies. */
                storage: {
                    /** @description The name. */
                    name: string;
                    /** @description What it is for. */
                    purpose: string;
                    /** @description How long it is kept. */
                    duration: string;
                }[];
            }[];
            /** @description Whether the browser asked for privacy with Global Privacy Control. */
            globalPrivacyControl: boolean;
        };
        CreatedApiToken: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The name. */
            name: string;
            /** @description What the token may do. */
            scopes: ("read" | "write" | "admin")[];
            /** @description The id of the workspace. */
            workspaceId: components["schemas"]["Id"];
            /** @description The time of creation. */
            createdAt: components["schemas"]["Instant"];
            /** @description The time of expiry. */
            expiresAt: components["schemas"]["Instant"];
            /** @description The time of the last use. Null if there was none. */
            lastUsedAt: components["schemas"]["Instant"] | null;
            /** @description The token. Only this response contains it. */
            token: string;
        };
        Credentials: {
            /** @description The email. */
            email: components["schemas"]["Email"];
            /** @description The password. */
            password: string;
            /** @description A name for this device in the list of devices. */
            deviceName?: string;
            /** @description The device token of the last sign-in on this device, by which it is recognized. */
            deviceToken?: string;
        };
        Currencies: {
            /** @description The items. */
            data: components["schemas"]["Currency"][];
            /** @description What applies to all items. */
            meta: {
                /** @description The base currency of the rates. */
                base: components["schemas"]["CurrencyCode"];
                /**
                 * Format: int64
                 * @description The number of items.
                 */
                count: number;
            };
        };
        Currency: {
            /** @description The ISO 4217 code of the currency. */
            code: string;
            /** @description The ISO 4217 number of the currency. */
            numericCode: string;
            /** @description The name. */
            name: string;
            /** @description The symbol of the currency. */
            symbol: string;
            /**
             * Format: int64
             * @description The number of decimal places.
             */
            minorUnits: number;
            /** @description The currency that replaced this one. Null while it is in use. */
            replacedBy: string | null;
            /** @description The last day on which the currency was in use. Null while it is. */
            lastDay: components["schemas"]["Day"] | null;
            /** @description The number of units for one unit of the base currency, as a decimal number. Null if there is none. */
            rate: string | null;
            /** @description The day of the rate. */
            rateDate: components["schemas"]["Day"] | null;
            /** @description Who published the rate. */
            rateSource: ("ECB" | "NBP-A" | "NBP-B" | "override" | "fixed") | null;
            /** @description The URL of the document that published the rate. Null for overrides. */
            rateDocument: string | null;
            /** @description Whether the rate is an override of the workspace. */
            overridden: boolean;
            /** @description Whether no newer rate was published for unusually long. */
            stale: boolean;
        };
        CurrencyChangedEvent: {
            /** @description The id of the event, the same in all attempts. */
            id: components["schemas"]["Id"];
            /**
             * @description The type.
             * @constant
             */
            type: "currency.changed";
            /** @description The time of the event. */
            timestamp: components["schemas"]["Instant"];
            /**
             * @description The version of the API that wrote the payload.
             * @constant
             */
            apiVersion: "1.4.0";
            /** @description The id of the workspace. */
            workspaceId: components["schemas"]["Id"];
            /** @description What happened. */
            data: {
                /**
                 * @description What changed.
                 * @constant
                 */
                changed: "base_currency";
                /** @description The currency as an ISO 4217 code. */
                currency: components["schemas"]["CurrencyCode"];
                /** @description The values before the change. */
                before: string;
                /** @description The values after the change. */
                after: string;
            } | {
                /**
                 * @description What changed.
                 * @constant
                 */
                changed: "override";
                /** @description The currency as an ISO 4217 code. */
                currency: components["schemas"]["CurrencyCode"];
                /** @description The values before the change. */
                before: {
                    /** @description The currency as an ISO 4217 code. */
                    currency: components["schemas"]["CurrencyCode"];
                    /** @description The base currency, of which one unit is worth `rate` units of the other currency. */
                    base: components["schemas"]["CurrencyCode"];
                    /** @description The number of units for one unit of the base currency, as a decimal number. Null if there is none. */
                    rate: string;
                    /** @description The first day of the override. */
                    validFrom: components["schemas"]["Day"];
                    /** @description The last day of the override. Null if it has no end. */
                    validTo: components["schemas"]["Day"] | null;
                    /** @description The reason. */
                    reason: string;
                }[];
                /** @description The values after the change. */
                after: {
                    /** @description The currency as an ISO 4217 code. */
                    currency: components["schemas"]["CurrencyCode"];
                    /** @description The base currency, of which one unit is worth `rate` units of the other currency. */
                    base: components["schemas"]["CurrencyCode"];
                    /** @description The number of units for one unit of the base currency, as a decimal number. Null if there is none. */
                    rate: string;
                    /** @description The first day of the override. */
                    validFrom: components["schemas"]["Day"];
                    /** @description The last day of the override. Null if it has no end. */
                    validTo: components["schemas"]["Day"] | null;
                    /** @description The reason. */
                    reason: string;
                }[];
            };
            /**
             * @description Always true, in test events only.
             * @constant
             */
            test?: true;
        };
        /**
         * @description The code of a currency (ISO 4217).
         * @example EUR
         */
        CurrencyCode: string;
        CursorMeta: {
            /** @description The cursor of the next page. Null on the last one. */
            nextCursor: string | null;
        };
        CustomReport: {
            /** @description The first day. */
            from: components["schemas"]["Day"];
            /** @description The last day, which is included. */
            to: components["schemas"]["Day"];
            /** @description The time zone as an IANA name. */
            timezone: string;
            /** @description The columns of each time entry. */
            columns: {
                /** @description The id of the column. */
                id: string;
                /** @description The title. */
                title: string;
            }[];
            /** @description The figures of each group. */
            metrics: components["schemas"]["ReportMetric"][];
            /** @description The groups of time entries. */
            groups?: {
                /** @description The value that the entries of the group have in common. */
                key: string | null;
                /** @description The name to show. */
                label: string;
                /**
                 * Format: int64
                 * @description The duration in seconds.
                 */
                durationSeconds?: number;
                /**
                 * Format: int64
                 * @description The billable time in seconds.
                 */
                billableSeconds?: number;
                /**
                 * Format: int64
                 * @description The number of time entries.
                 */
                entryCount?: number;
                /** @description The sums of the amounts, one for each currency. */
                amounts?: components["schemas"]["Money"][];
                /** @description The amount in the currency of `convert_to`, or null if a rate is missing. */
                converted?: components["schemas"]["Money"] | null;
                /** @description The amounts that have a rate, in the currency of `convert_to`. */
                convertedKnown?: components["schemas"]["Money"];
                /** @description Whether `convertedKnown` contains all entries. Present with `convert_to`. */
                complete?: boolean;
                /** @description The billable share of the tracked time, in percent. */
                billablePercent?: string;
                /** @description The time entries. */
                entries?: {
                    [key: string]: unknown;
                }[];
                /** @description The groups of time entries. */
                groups?: {
                    /** @description The value that the entries of the group have in common. */
                    key: string | null;
                    /** @description The name to show. */
                    label: string;
                    /**
                     * Format: int64
                     * @description The duration in seconds.
                     */
                    durationSeconds?: number;
                    /**
                     * Format: int64
                     * @description The billable time in seconds.
                     */
                    billableSeconds?: number;
                    /**
                     * Format: int64
                     * @description The number of time entries.
                     */
                    entryCount?: number;
                    /** @description The sums of the amounts, one for each currency. */
                    amounts?: components["schemas"]["Money"][];
                    /** @description The amount in the currency of `convert_to`, or null if a rate is missing. */
                    converted?: components["schemas"]["Money"] | null;
                    /** @description The amounts that have a rate, in the currency of `convert_to`. */
                    convertedKnown?: components["schemas"]["Money"];
                    /** @description Whether `convertedKnown` contains all entries. Present with `convert_to`. */
                    complete?: boolean;
                    /** @description The billable share of the tracked time, in percent. */
                    billablePercent?: string;
                    /** @description The time entries. */
                    entries?: {
                        [key: string]: unknown;
                    }[];
                    /** @description The groups of time entries. */
                    groups?: {
                        /** @description The value that the entries of the group have in common. */
                        key: string | null;
                        /** @description The name to show. */
                        label: string;
                        /**
                         * Format: int64
                         * @description The duration in seconds.
                         */
                        durationSeconds?: number;
                        /**
                         * Format: int64
                         * @description The billable time in seconds.
                         */
                        billableSeconds?: number;
                        /**
                         * Format: int64
                         * @description The number of time entries.
                         */
                        entryCount?: number;
                        /** @description The sums of the amounts, one for each currency. */
                        amounts?: components["schemas"]["Money"][];
                        /** @description The amount in the currency of `convert_to`, or null if a rate is missing. */
                        converted?: components["schemas"]["Money"] | null;
                        /** @description The amounts that have a rate, in the currency of `convert_to`. */
                        convertedKnown?: components["schemas"]["Money"];
                        /** @description Whether `convertedKnown` contains all entries. Present with `convert_to`. */
                        complete?: boolean;
                        /** @description The billable share of the tracked time, in percent. */
                        billablePercent?: string;
                        /** @description The time entries. */
                        entries?: {
                            [key: string]: unknown;
                        }[];
                    }[];
                }[];
            }[];
            /** @description The time entries. */
            entries?: {
                [key: string]: unknown;
            }[];
            /** @description The sums of all time entries. */
            totals: {
                /**
                 * Format: int64
                 * @description The duration in seconds.
                 */
                durationSeconds?: number;
                /**
                 * Format: int64
                 * @description The billable time in seconds.
                 */
                billableSeconds?: number;
                /**
                 * Format: int64
                 * @description The number of time entries.
                 */
                entryCount?: number;
                /** @description The sums of the amounts, one for each currency. */
                amounts?: components["schemas"]["Money"][];
                /** @description The amount in the currency of `convert_to`, or null if a rate is missing. */
                converted?: components["schemas"]["Money"] | null;
                /** @description The amounts that have a rate, in the currency of `convert_to`. */
                convertedKnown?: components["schemas"]["Money"];
                /** @description Whether `convertedKnown` contains all entries. Present with `convert_to`. */
                complete?: boolean;
                /** @description The billable share of the tracked time, in percent. */
                billablePercent?: string;
            };
            /** @description The currencies and days without a rate. */
            missingRates?: components["schemas"]["MissingRate"][];
        };
        /**
         * Format: date
         * @description A calendar day (ISO 8601).
         */
        Day: string;
        Decimal: string | number;
        Delivery: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The id of the event. */
            eventId: components["schemas"]["Id"];
            /**
             * @description The type.
             * @enum {string}
             */
            type: "project.archived" | "currency.changed" | "budget.forecast_warning" | "security.suspicious_login";
            /** @description The status. */
            status: components["schemas"]["DeliveryStatus"];
            /**
             * Format: int64
             * @description The number of attempts so far.
             */
            attemptCount: number;
            /** @description The time of the next attempt. Null if there is none. */
            nextAttemptAt: components["schemas"]["Instant"] | null;
            /** @description The time of creation. */
            createdAt: components["schemas"]["Instant"];
            /** @description The time at which the delivery succeeded or failed for good. Null while it is pending. */
            completedAt: components["schemas"]["Instant"] | null;
        };
        DeliveryAttempt: {
            /**
             * Format: int64
             * @description The number of the attempt, beginning with 1.
             */
            number: number;
            /** @description The time at which it happened. */
            at: components["schemas"]["Instant"];
            /** @description The duration of the attempt in milliseconds. */
            durationMs: number | null;
            /** @description The status of the response. Null without one. */
            responseStatus: number | null;
            /** @description The headers of the response. Null without one. */
            responseHeaders: {
                [key: string]: string;
            } | null;
            /** @description The first 16 KiB of the response. Null without one. */
            responseBody: string | null;
            /** @description Why there was no response. Null if there was one. */
            error: string | null;
            /** @description The headers of the request. The signature is masked. */
            requestHeaders: {
                [key: string]: string;
            };
        };
        /** @enum {string} */
        DeliveryStatus: "pending" | "delivered" | "failed";
        DeliveryWithAttempts: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The id of the event. */
            eventId: components["schemas"]["Id"];
            /**
             * @description The type.
             * @enum {string}
             */
            type: "project.archived" | "currency.changed" | "budget.forecast_warning" | "security.suspicious_login";
            /** @description The status. */
            status: components["schemas"]["DeliveryStatus"];
            /**
             * Format: int64
             * @description The number of attempts so far.
             */
            attemptCount: number;
            /** @description The time of the next attempt. Null if there is none. */
            nextAttemptAt: components["schemas"]["Instant"] | null;
            /** @description The time of creation. */
            createdAt: components["schemas"]["Instant"];
            /** @description The time at which the delivery succeeded or failed for good. Null while it is pending. */
            completedAt: components["schemas"]["Instant"] | null;
            /** @description The body of the request. */
            requestBody: string;
            /** @description The attempts, oldest first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
        };
        Device: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The name. */
            name: string;
            /** @description The name of the browser. */
            browser: string;
            /** @description The name of the operating system. */
            system: string;
            /** @description The country of the IP address as an ISO 3166-1 code. Null if unknown. */
            country: string | null;
            /** @description The time of creation. */
            createdAt: components["schemas"]["Instant"];
            /** @description The time of the last request. */
            lastSeenAt: components["schemas"]["Instant"];
            /** @description Whether this request comes from it. */
            current: boolean;
        };
        DeviceChanges: {
            /** @description The name. */
            name: string;
        };
        /** Format: email */
        Email: string;
        EmailChange: {
            /** @description The new email. */
            email: components["schemas"]["Email"];
            /** @description The password. */
            password: string;
        };
        EmailChangeLink: {
            /** @description The secret token. */
            token: string;
        };
        EmailVerification: {
            /** @description The secret token. */
            token: string;
            /** @description The password. */
            password: string;
            /**
             * @description A language tag (BCP 47).
             * @example de-CH
             */
            locale?: string;
            /** @description The time zone as an IANA name. */
            timezone?: components["schemas"]["TimeZone"];
        };
        EmergencyBypass: {
            /**
             * @description How the user proved who they are.
             * @enum {string}
             */
            method: "totp" | "backup_code";
            /** @description The code of the authenticator app, or a backup code. */
            code: string;
            /** @description The email. */
            email: components["schemas"]["Email"];
            /** @description The password. */
            password: string;
            /** @description The device token of the last sign-in on this device, by which it is recognized. */
            deviceToken?: string;
            /** @description The reason. */
            reason: string;
        } | {
            /** @description The token that connects the challenge with its answer. */
            challengeToken: string;
            /** @description The credential that the browser returned. */
            credential: {
                /** @description The id of the credential in base64url. */
                id: string;
                /** @description The id of the credential in base64url. */
                rawId: string;
                /**
                 * @description The type.
                 * @constant
                 */
                type: "public-key";
                /** @description The response of the authenticator. */
                response: {
                    /** @description The client data in base64url. */
                    clientDataJSON: string;
                    /** @description The authenticator data in base64url. */
                    authenticatorData: string;
                    /** @description The signature. */
                    signature: string;
                    /** @description The id of the user for authenticators, in base64url. */
                    userHandle: string;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            /** @description A name for this device in the list of devices. */
            deviceName?: string;
            /** @description The device token of the last sign-in on this device, by which it is recognized. */
            deviceToken?: string;
            /**
             * @description How the user proved who they are.
             * @constant
             */
            method: "passkey";
            /** @description The reason. */
            reason: string;
        };
        /** @description An opaque id, unique in the service. The part before the underscore names the type. */
        Id: string;
        /**
         * Format: date-time
         * @description An instant (RFC 3339), in UTC and with milliseconds.
         */
        Instant: string;
        Invitation: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The id of the team. */
            teamId: components["schemas"]["Id"];
            /** @description The email that is invited. */
            email: string;
            /** @description The role, which decides what the user may do. */
            role: components["schemas"]["Role"];
            /** @description The user who sent the invitation. */
            invitedBy: string;
            /** @description The time of creation. */
            createdAt: components["schemas"]["Instant"];
            /** @description The time of expiry. */
            expiresAt: components["schemas"]["Instant"];
        };
        InvitationAcceptance: {
            /** @description The secret token. */
            token: string;
        };
        /** @description An IPv4 or IPv6 address. */
        IpAddress: string;
        IpAllowlist: {
            /** @description Whether it is in effect. */
            enabled: boolean;
            /** @description The allowed IP addresses and ranges. */
            entries: {
                /** @description An IP address, or a range of them in CIDR notation. */
                cidr: string;
                /** @description The name to show. */
                label: string;
            }[];
            /** @description What to know about the allowlist. */
            warnings: {
                /**
                 * @description The stable code to switch on.
                 * @constant
                 */
                code: "bypass_unavailable";
                /** @description What is wrong and what to do, for people. */
                detail: string;
            }[];
            /** @description The version of the resource, which each change replaces. Send it as `If-Match`. */
            version: string;
        };
        ListedProject: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The name. */
            name: string;
            /** @description The color of the project as `#rrggbb`. */
            color: string;
            /** @description The name of the client. Empty without one. */
            client: string;
            /** @description The currency as an ISO 4217 code. */
            currency: components["schemas"]["CurrencyCode"];
            /** @description The amount per hour as a decimal number. Null without one, or if the caller does not see money. */
            hourlyRate: string | null;
            /** @description Whether new time entries of the project are billable. */
            billable: boolean;
            /** @description The budget of the project. Null without one. */
            budget: components["schemas"]["BudgetSettings"] | null;
            /** @description The time at which the project was archived. Null if it is not. */
            archivedAt: components["schemas"]["Instant"] | null;
            /** @description The id of the user who archived the project. Null if it is not archived. */
            archivedBy: string | null;
            /** @description The time at which time was last tracked on the project. Null if there is none. */
            lastTrackedAt: components["schemas"]["Instant"] | null;
            /** @description The time of creation. */
            createdAt: components["schemas"]["Instant"];
            /** @description The time of the last change. */
            updatedAt: components["schemas"]["Instant"];
            /** @description The version of the resource, which each change replaces. Send it as `If-Match`. */
            version: string;
            /** @description How much of the budget is spent, with `include=budget_status`. Null without a budget. */
            budgetStatus?: components["schemas"]["Budget"] | null;
        };
        LoginMap: {
            /**
             * @description The type.
             * @constant
             */
            type: "FeatureCollection";
            /** @description The locations. */
            features: {
                /**
                 * @description The type.
                 * @constant
                 */
                type: "Feature";
                /** @description The location as a point. Null if unknown. */
                geometry: {
                    /**
                     * @description The type.
                     * @constant
                     */
                    type: "Point";
                    /** @description The longitude and the latitude. */
                    coordinates: [
                        number,
                        number
                    ];
                } | null;
                /** @description What is known about the location. */
                properties: {
                    /** @description The country of the IP address as an ISO 3166-1 code. Null if unknown. */
                    country: string | null;
                    /** @description The city of the IP address. Null if unknown. */
                    city: string | null;
                    /** @description The name to show. */
                    label: string;
                    /**
                     * Format: int64
                     * @description The number of sign-ins.
                     */
                    count: number;
                    /**
                     * Format: int64
                     * @description The number of suspicious sign-ins.
                     */
                    suspiciousCount: number;
                    /** @description The time of the last sign-in. */
                    lastAt: components["schemas"]["Instant"];
                };
            }[];
        };
        LoginRecord: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The time at which it happened. */
            at: components["schemas"]["Instant"];
            /** @description The IP address. */
            ip: components["schemas"]["IpAddress"];
            /** @description The country of the IP address as an ISO 3166-1 code. Null if unknown. */
            country: string | null;
            /** @description The city of the IP address. Null if unknown. */
            city: string | null;
            /** @description The name of the device. */
            device: string;
            /**
             * @description Whether it succeeded.
             * @enum {string}
             */
            outcome: "success" | "failure";
            /**
             * @description How the user proved who they are.
             * @enum {string}
             */
            method: "password" | "totp" | "webauthn" | "passkey" | "backup_code" | "email_link" | "emergency_bypass";
            /** @description Whether the sign-in is suspicious. */
            suspicious: boolean;
            /** @description Why the sign-in is suspicious. */
            reasons: ("new_country" | "new_device" | "impossible_travel" | "after_failures" | "first_in_90_days")[];
        };
        Member: {
            /** @description The id of the user. */
            userId: components["schemas"]["Id"];
            /** @description The name. */
            name: string;
            /** @description The email. */
            email: string;
            /** @description The role, which decides what the user may do. */
            role: components["schemas"]["Role"];
            /** @description The job title. Empty without one. */
            title: string;
            /**
             * @description The status.
             * @enum {string}
             */
            status: "active" | "suspended";
            /** @description The signed URL of the avatar, valid for seven days. Empty without one. */
            avatar: string;
            /** @description The signed URL of a small version of the avatar. Empty without one. */
            avatarSmall: string;
            /** @description A ThumbHash of the avatar in base64, to show until the avatar has loaded. Empty without one. */
            avatarPlaceholder: string;
            /** @description The time at which the user joined. */
            joinedAt: components["schemas"]["Instant"];
            /** @description The time of the last request. Null if there was none. */
            lastActiveAt: components["schemas"]["Instant"] | null;
        };
        MemberChanges: {
            /** @description The role, which decides what the user may do. */
            role?: components["schemas"]["Role"];
            /**
             * @description The status.
             * @enum {string}
             */
            status?: "active" | "suspended";
        };
        MissingRate: {
            /** @description The currency without a rate. */
            currency: components["schemas"]["CurrencyCode"];
            /** @description The first day. */
            from: components["schemas"]["Day"];
            /** @description The last day, which is included. */
            to: components["schemas"]["Day"];
            /**
             * Format: int64
             * @description The number of time entries without a rate.
             */
            entries: number;
        };
        Money: {
            /** @description The amount of money as a decimal number. */
            amount: string;
            /** @description The currency as an ISO 4217 code. */
            currency: components["schemas"]["CurrencyCode"];
        };
        NewApiToken: {
            /** @description The name. */
            name: string;
            /** @description What the token may do. */
            scopes: ("read" | "write" | "admin")[];
            /** @description The id of the workspace. */
            workspaceId: components["schemas"]["Id"];
            /**
             * Format: date-time
             * @description The time of expiry.
             */
            expiresAt?: string;
        };
        NewBudgetSettings: {
            /**
             * @description Whether the budget is in money or in hours.
             * @enum {string}
             */
            type: "money" | "hours";
            /** @description The budget as a decimal number: money, or hours. */
            amount: components["schemas"]["Decimal"];
            /**
             * @description Whether the budget is for the whole project or for each month.
             * @enum {string}
             */
            period?: "total" | "month";
            /**
             * Format: int32
             * @description The share of the budget, in percent, from which a warning is sent.
             */
            alertThresholdPercent?: number;
        };
        NewInvitation: {
            /** @description The email to invite. */
            email: components["schemas"]["Email"];
            /**
             * @description The role, which decides what the user may do.
             * @default member
             */
            role?: components["schemas"]["Role"];
        };
        NewIpAllowlist: {
            /** @description Whether it is in effect. */
            enabled: boolean;
            /** @description The allowed IP addresses and ranges. */
            entries: {
                /**
                 * @description An IP address, or a range in CIDR notation.
                 * @example 203.0.113.0/24
                 * @example 2001:db8::/32
                 */
                cidr: string;
                /**
                 * @description The name to show.
                 * @default
                 */
                label?: string;
            }[];
        };
        NewPasskey: {
            /** @description The credential that the browser returned. */
            credential: components["schemas"]["WebAuthnAttestation"];
            /** @description The name. */
            name?: string;
        };
        NewProject: {
            /** @description The name. */
            name: string;
            /** @description The color of the project as `#rrggbb`. */
            color?: string;
            /** @description The name of the client. Empty without one. */
            client?: string;
            /** @description The currency as an ISO 4217 code. */
            currency?: components["schemas"]["CurrencyCode"];
            /** @description The amount per hour as a decimal number. Null without one, or if the caller does not see money. */
            hourlyRate?: components["schemas"]["Decimal"] | null;
            /** @description Whether new time entries of the project are billable. */
            billable?: boolean;
            /** @description The budget of the project. Null without one. */
            budget?: components["schemas"]["NewBudgetSettings"] | null;
        };
        NewRateOverride: {
            /** @description The number of units for one unit of the base currency, as a decimal number. */
            rate: string;
            /** @description The first day of the override. */
            validFrom?: components["schemas"]["Day"];
            /** @description The last day of the override. Null if it has no end. */
            validTo?: components["schemas"]["Day"] | null;
            /** @description The reason. */
            reason: string;
        };
        NewReport: {
            /**
             * @description The type.
             * @enum {string}
             */
            type: "summary" | "detailed" | "custom";
            /**
             * @description The format of the file.
             * @enum {string}
             */
            format: "json" | "csv" | "xlsx" | "pdf";
            /** @description The first day. */
            from?: components["schemas"]["TrackedDay"];
            /** @description The last day, which is included. */
            to?: components["schemas"]["TrackedDay"];
            /** @description How to group the time entries, from the outermost level. */
            groupBy?: ("user" | "project" | "client" | "team" | "tag" | "billable" | "currency" | "day" | "week" | "month" | "year")[];
            /** @description Restricts the time entries of the report. */
            filters?: {
                /** @description Only entries of this project. */
                projectId?: components["schemas"]["Id"];
                /** @description Only entries of this user. */
                userId?: components["schemas"]["Id"];
                /** @description Only entries of the members of this team. */
                teamId?: components["schemas"]["Id"];
                /** @description Only entries with this tag. */
                tag?: string;
                /** @description Only entries that are billable, or only those that are not. */
                billable?: boolean;
                /** @description Only entries in this currency. */
                currency?: components["schemas"]["CurrencyCode"];
            };
            /** @description Adds amounts in this currency, at the rate of each entry's day. */
            convertTo?: components["schemas"]["CurrencyCode"];
            /** @description Rounds the duration of each entry: `up:15`, `down:6`, `nearest:30`. */
            rounding?: string;
            /** @description Whether the file contains charts. */
            includeCharts?: boolean;
            /** @description The columns of each time entry. */
            columns?: components["schemas"]["ReportColumn"][];
            /** @description The figures of each group. */
            metrics?: components["schemas"]["ReportMetric"][];
            /** @description The order of the groups. */
            sort?: components["schemas"]["ReportSort"];
            /** @description Whether a CSV file begins with a byte order mark, so that Excel reads it as UTF-8. */
            bom?: boolean;
        };
        NewTeam: {
            /** @description The name. */
            name: string;
        };
        NewTeamMember: {
            /** @description The id of the user. */
            userId: components["schemas"]["Id"];
        };
        NewTimeEntry: {
            /** @description The id of the project. Null without one. */
            projectId?: components["schemas"]["Id"] | null;
            /** @description What the time was spent on. */
            description?: string;
            /** @description Whether the time is billable. */
            billable?: boolean;
            /** @description The tags of the entry. */
            tags?: string[];
            /** @description The time at which the entry begins. */
            startedAt: components["schemas"]["TrackedInstant"];
            /** @description The time at which the entry ends. Null while the timer runs. */
            endedAt?: components["schemas"]["TrackedInstant"] | null;
            /** @description The id of the user. */
            userId?: components["schemas"]["Id"];
        };
        NewTimer: {
            /** @description The id of the project. Null without one. */
            projectId?: components["schemas"]["Id"] | null;
            /** @description What the time was spent on. */
            description?: string;
            /** @description Whether the time is billable. */
            billable?: boolean;
            /** @description The tags of the entry. */
            tags?: string[];
        };
        NewWebhook: {
            /**
             * Format: uri
             * @description The URL that receives events.
             */
            url: string;
            /** @description The types of events that the webhook receives. `*` means all. */
            events: ("project.archived" | "currency.changed" | "budget.forecast_warning" | "security.suspicious_login" | "*")[];
            /**
             * @description What the webhook is for.
             * @default
             */
            description?: string;
            /**
             * @description Custom headers of each delivery. Responses mask the values.
             * @default {}
             */
            headers?: {
                [key: string]: string;
            };
        };
        NewWorkspace: {
            /** @description The name. */
            name: string;
        };
        OwnedWorkspace: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The name. */
            name: string;
            /** @description The plan of the workspace. */
            plan: components["schemas"]["Plan"];
            /** @description The teams of the workspace. */
            teams: components["schemas"]["Team"][];
            /** @description The projects of the workspace. */
            projects: components["schemas"]["Project"][];
            /** @description The overrides of exchange rates. */
            rateOverrides: components["schemas"]["RateOverride"][];
            /** @description The IP allowlist. */
            addressList: {
                /** @description Whether it is in effect. */
                enabled: boolean;
                /** @description The allowed IP addresses and ranges. */
                entries: {
                    /** @description An IP address, or a range of them in CIDR notation. */
                    cidr: string;
                    /** @description The name to show. */
                    label: string;
                }[];
            };
        };
        PageLinks: {
            /** @description This page. */
            self: string;
            /** @description The first page. */
            first?: string;
            /** @description The previous page. Null on the first one. */
            prev?: string;
            /** @description The next page. Null on the last one. */
            next?: string;
            /** @description The last page. */
            last?: string;
        };
        PageMeta: {
            /**
             * Format: int64
             * @description The number of the page, beginning with 1.
             */
            page: number;
            /**
             * Format: int64
             * @description The number of items of a page.
             */
            perPage: number;
            /**
             * Format: int64
             * @description The number of all items.
             */
            total: number;
            /**
             * Format: int64
             * @description The number of pages.
             */
            totalPages: number;
        };
        Passkey: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /**
             * @description Whether the credential replaces the password, or is a second factor.
             * @enum {string}
             */
            kind: "passkey" | "security_key";
            /** @description The id that the authenticator chose, in base64url. */
            credentialId: string;
            /** @description The name. */
            name: string;
            /** @description The time of creation. */
            createdAt: components["schemas"]["Instant"];
            /** @description The time of the last use. Null if there was none. */
            lastUsedAt: components["schemas"]["Instant"] | null;
        };
        PasskeyChallenge: {
            /** @description The options for `navigator.credentials.get` or `create`. */
            options: components["schemas"]["WebAuthnOptions"];
            /** @description The token that connects the challenge with its answer. */
            challengeToken: string;
        };
        PasskeyProof: {
            /** @description The token that connects the challenge with its answer. */
            challengeToken: string;
            /** @description The credential that the browser returned. */
            credential: {
                /** @description The id of the credential in base64url. */
                id: string;
                /** @description The id of the credential in base64url. */
                rawId: string;
                /**
                 * @description The type.
                 * @constant
                 */
                type: "public-key";
                /** @description The response of the authenticator. */
                response: {
                    /** @description The client data in base64url. */
                    clientDataJSON: string;
                    /** @description The authenticator data in base64url. */
                    authenticatorData: string;
                    /** @description The signature. */
                    signature: string;
                    /** @description The id of the user for authenticators, in base64url. */
                    userHandle: string;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            /** @description A name for this device in the list of devices. */
            deviceName?: string;
            /** @description The device token of the last sign-in on this device, by which it is recognized. */
            deviceToken?: string;
        };
        Passkeys: {
            /** @description The items. */
            data: components["schemas"]["Passkey"][];
            /** @description The id of the relying party, which is the host name of the web client. */
            rpId: string;
            /** @description The id of the user for authenticators, in base64url. */
            userHandle: string;
        };
        PasswordChange: {
            /** @description The password until now. */
            currentPassword: string;
            /** @description The new password. */
            newPassword: string;
            /** @description Whether API tokens stay valid. By default, they are revoked. */
            keepApiTokens?: boolean;
        };
        PasswordReset: {
            /** @description The secret token. */
            token: string;
            /** @description The password. */
            password: string;
        };
        PasswordResetRequest: {
            /** @description The email. */
            email: components["schemas"]["Email"];
        };
        PendingLogin: {
            /** @description The token that continues the sign-in. */
            mfaToken: string;
        };
        Person: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The name. */
            name: string;
            /** @description The signed URL of the avatar, valid for seven days. Empty without one. */
            avatar: string;
            /** @description The signed URL of a small version of the avatar. Empty without one. */
            avatarSmall: string;
            /** @description A ThumbHash of the avatar in base64, to show until the avatar has loaded. Empty without one. */
            avatarPlaceholder: string;
        };
        /** @enum {string} */
        Plan: "FREE" | "PRO" | "ENTERPRISE";
        /** @description A problem document (RFC 9457). Switch on `code`, which is stable; show `detail` to people. */
        Problem: {
            /** @description The URI of the problem type. `about:blank` means that the status says it. */
            type: string;
            /** @description The title. */
            title: string;
            /**
             * Format: int32
             * @description The status of the response.
             */
            status: number;
            /** @description What is wrong and what to do, for people. */
            detail: string;
            /** @description The path of the request. */
            instance: string;
            /** @description The stable code to switch on. */
            code: string;
            /** @description The id of the request. */
            requestId: string;
            /** @description The plan that includes the feature. */
            requiredPlan?: string;
            /** @description After `changed_meanwhile`: the current resource, or null if it does not exist. */
            current?: unknown;
            /** @description One for each part of the request that is wrong. */
            errors?: components["schemas"]["Violation"][];
        };
        Profile: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The email. */
            email: string;
            /** @description The name. */
            name: string;
            /** @description The signed URL of the avatar, valid for seven days. Empty without one. */
            avatar: string;
            /** @description The signed URL of a small version of the avatar. Empty without one. */
            avatarSmall: string;
            /** @description A ThumbHash of the avatar in base64, to show until the avatar has loaded. Empty without one. */
            avatarPlaceholder: string;
            /** @description Whether the email is verified. */
            emailVerified: boolean;
            /** @description The language and region as a BCP 47 tag. Its Unicode extensions `hc` and `fw` are the 12 or 24 hours and the first day of the week, if they are not the usual ones: `en-US-u-fw-mon-hc-h23`. */
            locale: string;
            /** @description The time zone as an IANA name. */
            timezone: string;
            /** @description Whether signing in requires a second factor. */
            twoFactorEnabled: boolean;
            /** @description The workspaces of the user. */
            workspaces: components["schemas"]["Workspace"][];
            /** @description The teams of the user. */
            teams: components["schemas"]["UserTeam"][];
            /** @description The job title. Empty without one. */
            title: string;
            /** @description The phone number. Empty without one. */
            phone: string;
            /**
             * @description How the web client shows dates.
             * @enum {string}
             */
            dateFormat: "YYYY-MM-DD" | "DD.MM.YYYY" | "DD/MM/YYYY" | "MM/DD/YYYY";
            /** @description The time of creation. */
            createdAt: components["schemas"]["Instant"];
            /** @description The time of the last change. */
            updatedAt: components["schemas"]["Instant"];
            /** @description The version of the resource, which each change replaces. Send it as `If-Match`. */
            version: string;
        };
        ProfileChanges: {
            /** @description The name. */
            name?: string;
            /** @description The job title. Empty without one. */
            title?: string;
            /** @description The phone number. Empty without one. */
            phone?: string;
            /**
             * @description A language tag (BCP 47).
             * @example de-CH
             */
            locale?: string;
            /** @description The time zone as an IANA name. */
            timezone?: components["schemas"]["TimeZone"];
            /**
             * @description How the web client shows dates.
             * @enum {string}
             */
            dateFormat?: "YYYY-MM-DD" | "DD.MM.YYYY" | "DD/MM/YYYY" | "MM/DD/YYYY";
        };
        Project: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The name. */
            name: string;
            /** @description The color of the project as `#rrggbb`. */
            color: string;
            /** @description The name of the client. Empty without one. */
            client: string;
            /** @description The currency as an ISO 4217 code. */
            currency: components["schemas"]["CurrencyCode"];
            /** @description The amount per hour as a decimal number. Null without one, or if the caller does not see money. */
            hourlyRate: string | null;
            /** @description Whether new time entries of the project are billable. */
            billable: boolean;
            /** @description The budget of the project. Null without one. */
            budget: components["schemas"]["BudgetSettings"] | null;
            /** @description The time at which the project was archived. Null if it is not. */
            archivedAt: components["schemas"]["Instant"] | null;
            /** @description The id of the user who archived the project. Null if it is not archived. */
            archivedBy: string | null;
            /** @description The time at which time was last tracked on the project. Null if there is none. */
            lastTrackedAt: components["schemas"]["Instant"] | null;
            /** @description The time of creation. */
            createdAt: components["schemas"]["Instant"];
            /** @description The time of the last change. */
            updatedAt: components["schemas"]["Instant"];
            /** @description The version of the resource, which each change replaces. Send it as `If-Match`. */
            version: string;
        };
        ProjectArchivedEvent: {
            /** @description The id of the event, the same in all attempts. */
            id: components["schemas"]["Id"];
            /**
             * @description The type.
             * @constant
             */
            type: "project.archived";
            /** @description The time of the event. */
            timestamp: components["schemas"]["Instant"];
            /**
             * @description The version of the API that wrote the payload.
             * @constant
             */
            apiVersion: "1.4.0";
            /** @description The id of the workspace. */
            workspaceId: components["schemas"]["Id"];
            /** @description What happened. */
            data: {
                /** @description The id of the project. */
                projectId: components["schemas"]["Id"];
                /** @description The name of the project. */
                projectName: string;
                /** @description The name of the client. Empty without one. */
                client: string;
                /** @description The time at which the project was archived. */
                archivedAt: components["schemas"]["Instant"];
                /** @description The id of the user who archived the project. */
                archivedBy: string;
                /**
                 * Format: int64
                 * @description The number of running timers that were stopped.
                 */
                stoppedTimers: number;
            };
            /**
             * @description Always true, in test events only.
             * @constant
             */
            test?: true;
        };
        ProjectChanges: {
            /** @description The name. */
            name?: string;
            /** @description The color of the project as `#rrggbb`. */
            color?: string;
            /** @description The name of the client. Empty without one. */
            client?: string;
            /** @description The currency as an ISO 4217 code. */
            currency?: components["schemas"]["CurrencyCode"];
            /** @description The amount per hour as a decimal number. Null without one, or if the caller does not see money. */
            hourlyRate?: components["schemas"]["Decimal"] | null;
            /** @description Whether new time entries of the project are billable. */
            billable?: boolean;
            /** @description The budget of the project. Null without one. */
            budget?: components["schemas"]["NewBudgetSettings"] | null;
        };
        Rate: {
            /** @description The number of units for one unit of the base currency, as a decimal number. */
            rate: string;
            /** @description The day of the rate. */
            rateDate: components["schemas"]["Day"];
            /**
             * @description Who published the rate.
             * @enum {string}
             */
            rateSource: "ECB" | "NBP-A" | "NBP-B" | "override" | "fixed";
            /** @description The URL of the document that published the rate. Null for overrides. */
            rateDocument: string | null;
            /** @description Whether the rate is an override of the workspace. */
            overridden: boolean;
        };
        RateHistory: {
            /** @description The items. */
            data: components["schemas"]["Rate"][];
            /** @description The overrides of the rate. */
            overrides: components["schemas"]["RateOverride"][];
            /** @description What applies to all items. */
            meta: {
                /** @description The base currency of the rates. */
                base: components["schemas"]["CurrencyCode"];
                /** @description The ISO 4217 code of the currency. */
                code: string;
                /** @description The first day. */
                from: components["schemas"]["Day"];
                /** @description The last day, which is included. */
                to: components["schemas"]["Day"];
                /**
                 * Format: int64
                 * @description The number of items.
                 */
                count: number;
            };
        };
        RateOverride: {
            /** @description The currency as an ISO 4217 code. */
            currency: components["schemas"]["CurrencyCode"];
            /** @description The base currency, of which one unit is worth `rate` units of the other currency. */
            base: components["schemas"]["CurrencyCode"];
            /** @description The number of units for one unit of the base currency, as a decimal number. */
            rate: string;
            /** @description The first day of the override. */
            validFrom: components["schemas"]["Day"];
            /** @description The last day of the override. Null if it has no end. */
            validTo: components["schemas"]["Day"] | null;
            /** @description The reason. */
            reason: string;
            /** @description The version of the resource, which each change replaces. Send it as `If-Match`. */
            version: string;
        };
        Reauthenticated: {
            /** @description The time of expiry. */
            expiresAt: components["schemas"]["Instant"];
        };
        Reauthentication: {
            /**
             * @description How the user proved who they are.
             * @constant
             */
            method?: "password";
            /** @description The password. */
            password: string;
        } | {
            /** @description The token that connects the challenge with its answer. */
            challengeToken: string;
            /** @description The credential that the browser returned. */
            credential: {
                /** @description The id of the credential in base64url. */
                id: string;
                /** @description The id of the credential in base64url. */
                rawId: string;
                /**
                 * @description The type.
                 * @constant
                 */
                type: "public-key";
                /** @description The response of the authenticator. */
                response: {
                    /** @description The client data in base64url. */
                    clientDataJSON: string;
                    /** @description The authenticator data in base64url. */
                    authenticatorData: string;
                    /** @description The signature. */
                    signature: string;
                    /** @description The id of the user for authenticators, in base64url. */
                    userHandle: string;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            /**
             * @description How the user proved who they are.
             * @constant
             */
            method: "passkey";
        };
        RegisteredPasskey: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /**
             * @description Whether the credential replaces the password, or is a second factor.
             * @enum {string}
             */
            kind: "passkey" | "security_key";
            /** @description The id that the authenticator chose, in base64url. */
            credentialId: string;
            /** @description The name. */
            name: string;
            /** @description The time of creation. */
            createdAt: components["schemas"]["Instant"];
            /** @description The time of the last use. Null if there was none. */
            lastUsedAt: components["schemas"]["Instant"] | null;
            /** @description The new backup codes. Only this response contains them. */
            backupCodes?: string[];
        };
        Registration: {
            /** @description The email. */
            email: components["schemas"]["Email"];
            /** @description The password. */
            password: string;
            /** @description The name. */
            name: string;
            /** @description The name of the first workspace. */
            workspaceName?: string;
        };
        Report: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /**
             * @description The format of the file.
             * @enum {string}
             */
            format: "json" | "csv" | "xlsx" | "pdf";
            /**
             * Format: int64
             * @description The size in bytes.
             */
            size: number;
            /** @description The signed URL of the file, valid until `expiresAt`. */
            signedUrl: string;
            /** @description The time of expiry. */
            expiresAt: components["schemas"]["Instant"];
        };
        /** @enum {string} */
        ReportColumn: "id" | "day" | "started_at" | "ended_at" | "user" | "user_id" | "project" | "project_id" | "client" | "description" | "tags" | "billable" | "duration_seconds" | "hourly_rate" | "amount" | "currency" | "converted" | "started_local" | "ended_local" | "timezone" | "duration" | "hours";
        /** @enum {string} */
        ReportMetric: "duration_seconds" | "billable_seconds" | "entry_count" | "amounts" | "billable_percent";
        /** @enum {string} */
        ReportSort: "label" | "-label" | "duration_seconds" | "-duration_seconds" | "billable_seconds" | "-billable_seconds" | "entry_count" | "-entry_count" | "started_at" | "-started_at";
        ReportTotals: {
            /**
             * Format: int64
             * @description The duration in seconds.
             */
            durationSeconds: number;
            /**
             * Format: int64
             * @description The billable time in seconds.
             */
            billableSeconds: number;
            /**
             * Format: int64
             * @description The number of time entries.
             */
            entryCount: number;
            /** @description The sums of the amounts, one for each currency. */
            amounts: components["schemas"]["Money"][];
            /** @description The amount in the currency of `convert_to`, or null if a rate is missing. */
            converted?: components["schemas"]["Money"] | null;
            /** @description The amounts that have a rate, in the currency of `convert_to`. */
            convertedKnown?: components["schemas"]["Money"];
            /** @description Whether `convertedKnown` contains all entries. Present with `convert_to`. */
            complete?: boolean;
        };
        /** @enum {string} */
        Role: "member" | "manager" | "admin" | "owner";
        SecondFactorProof: {
            /**
             * @description How the user proved who they are.
             * @enum {string}
             */
            method: "totp" | "backup_code";
            /** @description The code of the authenticator app, or a backup code. */
            code: string;
            /** @description The token that continues the sign-in. */
            mfaToken: string;
        } | {
            /**
             * @description How the user proved who they are.
             * @constant
             */
            method: "webauthn";
            /** @description The credential that the browser returned. */
            credential: components["schemas"]["WebAuthnAssertion"];
            /** @description The token that continues the sign-in. */
            mfaToken: string;
        };
        SecondFactorRequired: {
            /**
             * @description Always true: the sign-in needs a second factor.
             * @constant
             */
            mfaRequired: true;
            /** @description The token that continues the sign-in. */
            mfaToken: string;
            /** @description The second factors that can be used. */
            methods: ("totp" | "webauthn" | "backup_code")[];
            /** @description The time of expiry. */
            expiresAt: components["schemas"]["Instant"];
        };
        SecondFactors: {
            /** @description Whether signing in requires a second factor. */
            enabled: boolean;
            /** @description The second factors that can be used. */
            methods: ("totp" | "webauthn" | "backup_code")[];
            /** @description The authenticator app. */
            totp: {
                /** @description Whether an authenticator app is set up. */
                enabled: boolean;
                /** @description The time at which the authenticator app was set up. Null without one. */
                enabledAt: components["schemas"]["Instant"] | null;
            };
            /** @description The passkeys and security keys. */
            webauthn: components["schemas"]["Passkey"][];
            /**
             * Format: int64
             * @description The number of backup codes that are not used yet.
             */
            backupCodesLeft: number;
        };
        SecuritySettings: {
            /**
             * Format: int32
             * @description The number of minutes without a request after which a session ends.
             */
            idleTimeoutMinutes: number;
            /** @description Whether an email is sent for each sign-in on a new device. */
            loginNotifications: boolean;
        };
        SecuritySettingsChanges: {
            /**
             * Format: int32
             * @description The number of minutes without a request after which a session ends.
             */
            idleTimeoutMinutes?: number;
            /** @description Whether an email is sent for each sign-in on a new device. */
            loginNotifications?: boolean;
        };
        SecuritySuspiciousLoginEvent: {
            /** @description The id of the event, the same in all attempts. */
            id: components["schemas"]["Id"];
            /**
             * @description The type.
             * @constant
             */
            type: "security.suspicious_login";
            /** @description The time of the event. */
            timestamp: components["schemas"]["Instant"];
            /**
             * @description The version of the API that wrote the payload.
             * @constant
             */
            apiVersion: "1.4.0";
            /** @description The id of the workspace. */
            workspaceId: components["schemas"]["Id"];
            /** @description What happened. */
            data: {
                /** @description The id of the user. */
                userId: components["schemas"]["Id"];
                /** @description The time at which it happened. */
                at: components["schemas"]["Instant"];
                /** @description The IP address. */
                ip: components["schemas"]["IpAddress"];
                /** @description The country of the IP address as an ISO 3166-1 code. Null if unknown. */
                country: string | null;
                /** @description Why the sign-in is suspicious. */
                reasons: string[];
            };
            /**
             * @description Always true, in test events only.
             * @constant
             */
            test?: true;
        };
        Session: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The id of the device. */
            deviceId: components["schemas"]["Id"];
            /** @description The name of the device. */
            device: string;
            /** @description The name of the browser. */
            browser: string;
            /** @description The name of the operating system. */
            system: string;
            /** @description The IP address of the last request. */
            ip: components["schemas"]["IpAddress"];
            /** @description The country of the IP address as an ISO 3166-1 code. Null if unknown. */
            country: string | null;
            /** @description The time of creation. */
            createdAt: components["schemas"]["Instant"];
            /** @description The time of the last request. */
            lastSeenAt: components["schemas"]["Instant"];
            /** @description The time of expiry. */
            expiresAt: components["schemas"]["Instant"];
            /** @description Whether this request comes from it. */
            current: boolean;
        };
        SignedIn: {
            /** @description The session token. */
            token: string;
            /**
             * @description How to send the token: `Authorization: Bearer …`.
             * @constant
             */
            tokenType: "Bearer";
            /** @description The time of expiry. */
            expiresAt: components["schemas"]["Instant"];
            /** @description A token by which this device is recognized at the next sign-in. Store it. */
            deviceToken: string;
            /** @description The user. */
            user: components["schemas"]["User"];
        };
        Suggestion: {
            /** @description The suggested text. */
            value: string;
            /** @description The time of the last use. */
            lastUsedAt: components["schemas"]["Instant"];
        };
        SummaryReport: {
            /** @description The first day. */
            from: components["schemas"]["Day"];
            /** @description The last day, which is included. */
            to: components["schemas"]["Day"];
            /** @description The time zone as an IANA name. */
            timezone: string;
            /** @description The groups of time entries. */
            groups: {
                /** @description The value that the entries of the group have in common. */
                key: string | null;
                /** @description The name to show. */
                label: string;
                /**
                 * Format: int64
                 * @description The duration in seconds.
                 */
                durationSeconds: number;
                /**
                 * Format: int64
                 * @description The billable time in seconds.
                 */
                billableSeconds: number;
                /**
                 * Format: int64
                 * @description The number of time entries.
                 */
                entryCount: number;
                /** @description The sums of the amounts, one for each currency. */
                amounts: components["schemas"]["Money"][];
                /** @description The amount in the currency of `convert_to`, or null if a rate is missing. */
                converted?: components["schemas"]["Money"] | null;
                /** @description The amounts that have a rate, in the currency of `convert_to`. */
                convertedKnown?: components["schemas"]["Money"];
                /** @description Whether `convertedKnown` contains all entries. Present with `convert_to`. */
                complete?: boolean;
                /** @description The groups of time entries. */
                groups?: {
                    /** @description The value that the entries of the group have in common. */
                    key: string | null;
                    /** @description The name to show. */
                    label: string;
                    /**
                     * Format: int64
                     * @description The duration in seconds.
                     */
                    durationSeconds: number;
                    /**
                     * Format: int64
                     * @description The billable time in seconds.
                     */
                    billableSeconds: number;
                    /**
                     * Format: int64
                     * @description The number of time entries.
                     */
                    entryCount: number;
                    /** @description The sums of the amounts, one for each currency. */
                    amounts: components["schemas"]["Money"][];
                    /** @description The amount in the currency of `convert_to`, or null if a rate is missing. */
                    converted?: components["schemas"]["Money"] | null;
                    /** @description The amounts that have a rate, in the currency of `convert_to`. */
                    convertedKnown?: components["schemas"]["Money"];
                    /** @description Whether `convertedKnown` contains all entries. Present with `convert_to`. */
                    complete?: boolean;
                }[];
            }[];
            /** @description The sums of all time entries. */
            totals: components["schemas"]["ReportTotals"];
            /** @description The currencies and days without a rate. */
            missingRates?: components["schemas"]["MissingRate"][];
            /** @description The data of charts, with `include_charts`. */
            charts?: components["schemas"]["Chart"][];
        };
        Team: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The id of the workspace. */
            workspaceId: components["schemas"]["Id"];
            /** @description The name. */
            name: string;
            /**
             * Format: int64
             * @description The number of members.
             */
            memberCount: number;
            /** @description The time of creation. */
            createdAt: components["schemas"]["Instant"];
            /** @description The time of the last change. */
            updatedAt: components["schemas"]["Instant"];
            /** @description The version of the resource, which each change replaces. Send it as `If-Match`. */
            version: string;
        };
        TeamChanges: {
            /** @description The name. */
            name?: string;
        };
        TestEvent: {
            /**
             * @description The type of the event.
             * @enum {string}
             */
            event?: "project.archived" | "currency.changed" | "budget.forecast_warning" | "security.suspicious_login";
        };
        TimeEntriesChanges: {
            /** @description The ids of the time entries. */
            ids: components["schemas"]["Id"][];
            /** @description The changes to make to every entry. */
            changes: components["schemas"]["TimeEntryChanges"];
        };
        TimeEntriesDeletion: {
            /** @description The ids of the time entries. */
            ids: components["schemas"]["Id"][];
        };
        TimeEntry: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The id of the user. */
            userId: components["schemas"]["Id"];
            /** @description The id of the project. Null without one. */
            projectId: components["schemas"]["Id"] | null;
            /** @description What the time was spent on. */
            description: string;
            /** @description The time at which the entry begins. */
            startedAt: components["schemas"]["Instant"];
            /** @description The time at which the entry ends. Null while the timer runs. */
            endedAt: components["schemas"]["Instant"] | null;
            /**
             * Format: int64
             * @description The duration in seconds.
             */
            durationSeconds: number;
            /** @description Whether the time is billable. */
            billable: boolean;
            /** @description The amount per hour as a decimal number. Null without one, or if the caller does not see money. */
            hourlyRate: string | null;
            /** @description The amount in `currency` as a decimal number. Zero if the entry is not billable or has no rate. */
            amount: string;
            /** @description The currency as an ISO 4217 code. */
            currency: components["schemas"]["CurrencyCode"];
            /** @description The tags of the entry. */
            tags: string[];
            /** @description The time of creation. */
            createdAt: components["schemas"]["Instant"];
            /** @description The time of the last change. */
            updatedAt: components["schemas"]["Instant"];
            /** @description The id of the user who last changed the entry. Null if it was never changed. */
            updatedBy: string | null;
            /** @description The version of the resource, which each change replaces. Send it as `If-Match`. */
            version: string;
            /** @description The user. */
            user: components["schemas"]["Person"];
            /** @description The user who last changed the entry. */
            updater: components["schemas"]["Person"] | null;
            /** @description The amount in the currency of `convert_to`, or null if a rate is missing. */
            converted?: components["schemas"]["ConvertedMoney"] | null;
        };
        TimeEntryChanges: {
            /** @description The id of the project. Null without one. */
            projectId?: components["schemas"]["Id"] | null;
            /** @description What the time was spent on. */
            description?: string;
            /** @description Whether the time is billable. */
            billable?: boolean;
            /** @description The tags of the entry. */
            tags?: string[];
            /** @description The time at which the entry begins. */
            startedAt?: components["schemas"]["TrackedInstant"];
            /** @description The time at which the entry ends. Null while the timer runs. */
            endedAt?: components["schemas"]["TrackedInstant"] | null;
        };
        TimeEntrySplit: {
            /** @description The time at which the first part ends and the second part begins. */
            at: components["schemas"]["TrackedInstant"];
        };
        /**
         * @description The name of a time zone in the IANA database.
         * @example Europe/Berlin
         */
        TimeZone: string;
        /**
         * Format: date
         * @description A calendar day from 1970 to 2099 (ISO 8601).
         */
        TrackedDay: string;
        /**
         * Format: date-time
         * @description An instant from 1970 to 2099 (RFC 3339), with any UTC offset.
         */
        TrackedInstant: string;
        UndoneEmailChange: {
            /** @description A token with which to set a new password. */
            resetToken: string;
            /** @description The time of expiry. */
            expiresAt: components["schemas"]["Instant"];
        };
        UpdatedWebhook: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The URL that receives events. */
            url: string;
            /** @description The types of events that the webhook receives. `*` means all. */
            events: ("project.archived" | "currency.changed" | "budget.forecast_warning" | "security.suspicious_login" | "*")[];
            /** @description What the webhook is for. */
            description: string;
            /** @description Custom headers of each delivery. Responses mask the values. */
            headers: {
                [key: string]: string;
            };
            /** @description Whether it is in effect. */
            enabled: boolean;
            /** @description Why the webhook was disabled. Null while it is enabled. */
            disabledReason: ("manual" | "gone" | "failing") | null;
            /** @description The time at which the webhook was disabled. Null while it is enabled. */
            disabledAt: components["schemas"]["Instant"] | null;
            /** @description The time until which the previous secret also signs. Null if there is none. */
            previousSecretUntil: components["schemas"]["Instant"] | null;
            /** @description The time of creation. */
            createdAt: components["schemas"]["Instant"];
            /** @description The time of the last change. */
            updatedAt: components["schemas"]["Instant"];
            /** @description The version of the resource, which each change replaces. Send it as `If-Match`. */
            version: string;
            /** @description The names of the custom headers that the change of the URL removed. */
            droppedHeaders: string[];
        };
        UploadedAvatar: {
            /** @description The stored value: `objstore:` and the object key. */
            url: string;
            /** @description The signed URL of the avatar, valid for seven days. */
            signedUrl: string;
            /** @description The signed URL of a small version of the avatar. Empty without one. */
            avatarSmall: string;
            /** @description A ThumbHash of the avatar in base64, to show until the avatar has loaded. Empty without one. */
            avatarPlaceholder: string;
        };
        User: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The email. */
            email: string;
            /** @description The name. */
            name: string;
            /** @description The signed URL of the avatar, valid for seven days. Empty without one. */
            avatar: string;
            /** @description The signed URL of a small version of the avatar. Empty without one. */
            avatarSmall: string;
            /** @description A ThumbHash of the avatar in base64, to show until the avatar has loaded. Empty without one. */
            avatarPlaceholder: string;
            /** @description Whether the email is verified. */
            emailVerified: boolean;
            /** @description The language and region as a BCP 47 tag. Its Unicode extensions `hc` and `fw` are the 12 or 24 hours and the first day of the week, if they are not the usual ones: `en-US-u-fw-mon-hc-h23`. */
            locale: string;
            /** @description The time zone as an IANA name. */
            timezone: string;
            /** @description Whether signing in requires a second factor. */
            twoFactorEnabled: boolean;
            /** @description The workspaces of the user. */
            workspaces: components["schemas"]["Workspace"][];
            /** @description The teams of the user. */
            teams: components["schemas"]["UserTeam"][];
        };
        UserTeam: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The name. */
            name: string;
            /** @description The id of the workspace. */
            workspaceId: components["schemas"]["Id"];
            /** @description The role, which decides what the user may do. */
            role: components["schemas"]["Role"];
        };
        /** @description One reason why a request was rejected, and the part of it that is wrong. */
        Violation: {
            /** @description A JSON pointer into the body (RFC 6901). */
            pointer?: string;
            /** @description The name of the parameter. */
            parameter?: string;
            /** @description The stable code to switch on. */
            code: string;
            /** @description What is wrong and what to do, for people. */
            detail: string;
        };
        WebAuthnAssertion: {
            /** @description The id of the credential in base64url. */
            id: string;
            /** @description The id of the credential in base64url. */
            rawId: string;
            /**
             * @description The type.
             * @constant
             */
            type: "public-key";
            /** @description The response of the authenticator. */
            response: {
                /** @description The client data in base64url. */
                clientDataJSON: string;
                /** @description The authenticator data in base64url. */
                authenticatorData: string;
                /** @description The signature. */
                signature: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        WebAuthnAttestation: {
            /** @description The id of the credential in base64url. */
            id: string;
            /** @description The id of the credential in base64url. */
            rawId: string;
            /**
             * @description The type.
             * @constant
             */
            type: "public-key";
            /** @description The response of the authenticator. */
            response: {
                /** @description The client data in base64url. */
                clientDataJSON: string;
                /** @description The attestation object in base64url. */
                attestationObject: string;
                /** @description How the browser reaches the authenticator. */
                transports?: string[];
            } & {
                [key: string]: unknown;
            };
            /** @description The results of client extensions. */
            clientExtensionResults?: {
                /** @description The properties of the credential. */
                credProps?: {
                    /** @description Whether the credential is discoverable. */
                    rk?: boolean;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        WebAuthnOptions: {
            /** @description The challenge in base64url, which the authenticator signs. */
            challenge: string;
        } & {
            [key: string]: unknown;
        };
        Webhook: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The URL that receives events. */
            url: string;
            /** @description The types of events that the webhook receives. `*` means all. */
            events: ("project.archived" | "currency.changed" | "budget.forecast_warning" | "security.suspicious_login" | "*")[];
            /** @description What the webhook is for. */
            description: string;
            /** @description Custom headers of each delivery. Responses mask the values. */
            headers: {
                [key: string]: string;
            };
            /** @description Whether it is in effect. */
            enabled: boolean;
            /** @description Why the webhook was disabled. Null while it is enabled. */
            disabledReason: ("manual" | "gone" | "failing") | null;
            /** @description The time at which the webhook was disabled. Null while it is enabled. */
            disabledAt: components["schemas"]["Instant"] | null;
            /** @description The time until which the previous secret also signs. Null if there is none. */
            previousSecretUntil: components["schemas"]["Instant"] | null;
            /** @description The time of creation. */
            createdAt: components["schemas"]["Instant"];
            /** @description The time of the last change. */
            updatedAt: components["schemas"]["Instant"];
            /** @description The version of the resource, which each change replaces. Send it as `If-Match`. */
            version: string;
        };
        WebhookChanges: {
            /**
             * Format: uri
             * @description The URL that receives events.
             */
            url?: string;
            /** @description The types of events that the webhook receives. `*` means all. */
            events?: ("project.archived" | "currency.changed" | "budget.forecast_warning" | "security.suspicious_login" | "*")[];
            /** @description What the webhook is for. */
            description?: string;
            /** @description Custom headers of each delivery. Responses mask the values. */
            headers?: {
                [key: string]: string | null;
            };
            /** @description Whether it is in effect. */
            enabled?: boolean;
        };
        WebhookEventType: {
            /**
             * @description The type.
             * @enum {string}
             */
            type: "project.archived" | "currency.changed" | "budget.forecast_warning" | "security.suspicious_login";
            /** @description When the event happens. */
            description: string;
            /** @description An example of `data` in the payload. */
            example: {
                [key: string]: unknown;
            };
        };
        WebhookRecovery: {
            /**
             * Format: date-time
             * @description The time of the first event to send again.
             */
            since: string;
        };
        WebhookWithSecret: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The URL that receives events. */
            url: string;
            /** @description The types of events that the webhook receives. `*` means all. */
            events: ("project.archived" | "currency.changed" | "budget.forecast_warning" | "security.suspicious_login" | "*")[];
            /** @description What the webhook is for. */
            description: string;
            /** @description Custom headers of each delivery. Responses mask the values. */
            headers: {
                [key: string]: string;
            };
            /** @description Whether it is in effect. */
            enabled: boolean;
            /** @description Why the webhook was disabled. Null while it is enabled. */
            disabledReason: ("manual" | "gone" | "failing") | null;
            /** @description The time at which the webhook was disabled. Null while it is enabled. */
            disabledAt: components["schemas"]["Instant"] | null;
            /** @description The time until which the previous secret also signs. Null if there is none. */
            previousSecretUntil: components["schemas"]["Instant"] | null;
            /** @description The time of creation. */
            createdAt: components["schemas"]["Instant"];
            /** @description The time of the last change. */
            updatedAt: components["schemas"]["Instant"];
            /** @description The version of the resource, which each change replaces. Send it as `If-Match`. */
            version: string;
            /** @description The secret that signs deliveries. Only this response contains it. */
            secret: string;
        };
        Workspace: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The name. */
            name: string;
            /** @description The plan of the workspace. */
            plan: components["schemas"]["Plan"];
            /** @description The role, which decides what the user may do. */
            role: components["schemas"]["Role"];
            /** @description The base currency of the workspace. */
            baseCurrency: components["schemas"]["CurrencyCode"];
            /** @description Whether members must set up a second factor. */
            requireTwoFactor: boolean;
        };
        WorkspaceSettings: {
            /** @description The unique id. */
            id: components["schemas"]["Id"];
            /** @description The name. */
            name: string;
            /** @description The plan of the workspace. */
            plan: components["schemas"]["Plan"];
            /** @description The role, which decides what the user may do. */
            role: components["schemas"]["Role"];
            /** @description The base currency of the workspace. */
            baseCurrency: components["schemas"]["CurrencyCode"];
            /** @description The time zone as an IANA name. */
            timezone: string;
            /**
             * Format: int64
             * @description The first day of the week: 1 is Monday, 7 is Sunday.
             */
            weekStart: number;
            /** @description Whether members see rates, amounts and budgets. */
            membersSeeMoney: boolean;
            /** @description Whether members must set up a second factor. */
            requireTwoFactor: boolean;
            /** @description The last day whose time entries cannot be changed. Null without a lock. */
            lockedUntil: components["schemas"]["TrackedDay"] | null;
            /** @description The time of creation. */
            createdAt: components["schemas"]["Instant"];
            /** @description The time of the last change. */
            updatedAt: components["schemas"]["Instant"];
            /** @description The version of the resource, which each change replaces. Send it as `If-Match`. */
            version: string;
        };
        WorkspaceSettingsChanges: {
            /** @description The name. */
            name?: string;
            /** @description The base currency of the workspace. */
            baseCurrency?: components["schemas"]["CurrencyCode"];
            /** @description The time zone as an IANA name. */
            timezone?: components["schemas"]["TimeZone"];
            /**
             * Format: int32
             * @description The first day of the week: 1 is Monday, 7 is Sunday.
             */
            weekStart?: number;
            /** @description Whether members see rates, amounts and budgets. */
            membersSeeMoney?: boolean;
            /** @description Whether members must set up a second factor. */
            requireTwoFactor?: boolean;
            /** @description The last day whose time entries cannot be changed. Null without a lock. */
            lockedUntil?: components["schemas"]["TrackedDay"] | null;
        };
        WorkspaceTransfer: {
            /** @description The id of the user. */
            userId: components["schemas"]["Id"];
        };
    };
    responses: never;
    parameters: {
        /** @description `meta.nextCursor` of the previous page, unchanged. */
        Cursor: string;
        /** @description A repeated request with the same key returns the result of the first one, for 24 hours. Keys belong to a user, and are bound to the method, path, query, workspace and body. */
        IdempotencyKey: string;
        /** @description The ETag of the version to change, several, or `*` for any. If the resource has another version, the response is 412 with the current one in `current`. Without the header, every version is changed. */
        IfMatch: string;
        /** @description ETags that the caller has. If one of them is current, the response is 304 without a body. */
        IfNoneMatch: string;
        /** @description The number of items of a page, for lists with a cursor. */
        Limit: number;
        /** @description The number of the page, beginning with 1. */
        Page: number;
        /** @description The number of items of a page. */
        PerPage: number;
        /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
        Prefer: string;
        /** @description With the value 1, analytics and marketing are rejected regardless of the choice. */
        SecGPC: string;
        /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
        WorkspaceId: components["schemas"]["Id"];
    };
    requestBodies: never;
    headers: {
        /** @description The name of the file. */
        ContentDisposition: string;
        /** @description The time since which the operation is deprecated (RFC 9745). */
        Deprecation: string;
        /** @description The version of the content. For a resource with `version`, it is that in quotes, and If-Match takes it. */
        ETag: string;
        /** @description Sent if the response repeats the result of an earlier request with the same Idempotency-Key. */
        IdempotencyReplayed: "true";
        /** @description Related URLs (RFC 8288): `rel="next"` is the next page, `rel="successor-version"` the operation that replaces a deprecated one. */
        Link: string;
        /** @description The path of the new resource. */
        Location: string;
        /** @description The preference that was applied (RFC 7240). */
        PreferenceApplied: "handling=strict";
        /** @description The requests that are left (`r`), and the seconds until all are available again (`t`). IETF draft. */
        RateLimit: string;
        /** @description The number of requests (`q`) that are possible in a number of seconds (`w`). IETF draft. */
        RateLimitPolicy: string;
        /** @description The seconds to wait before the request is repeated. */
        RetryAfter: number;
        /** @description The time at which the operation is removed, once it is known (RFC 8594). */
        Sunset: string;
        /** @description How to authenticate (RFC 9110). */
        WWWAuthenticate: "Bearer";
    };
    pathItems: never;
};
export type AcceptedInvitation = components['schemas']['AcceptedInvitation'];
export type AccountExport = components['schemas']['AccountExport'];
export type ApiToken = components['schemas']['ApiToken'];
export type AuditCheckpoint = components['schemas']['AuditCheckpoint'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuthenticatorAppConfirmation = components['schemas']['AuthenticatorAppConfirmation'];
export type AuthenticatorAppSetup = components['schemas']['AuthenticatorAppSetup'];
export type BackupCodes = components['schemas']['BackupCodes'];
export type Budget = components['schemas']['Budget'];
export type BudgetForecastWarningEvent = components['schemas']['BudgetForecastWarningEvent'];
export type BudgetSettings = components['schemas']['BudgetSettings'];
export type Chart = components['schemas']['Chart'];
export type Consent = components['schemas']['Consent'];
export type ConsentChoice = components['schemas']['ConsentChoice'];
export type ConvertedMoney = components['schemas']['ConvertedMoney'];
export type CookiePolicy = components['schemas']['CookiePolicy'];
export type CreatedApiToken = components['schemas']['CreatedApiToken'];
export type Credentials = components['schemas']['Credentials'];
export type Currencies = components['schemas']['Currencies'];
export type Currency = components['schemas']['Currency'];
export type CurrencyChangedEvent = components['schemas']['CurrencyChangedEvent'];
export type CurrencyCode = components['schemas']['CurrencyCode'];
export type CursorMeta = components['schemas']['CursorMeta'];
export type CustomReport = components['schemas']['CustomReport'];
export type Day = components['schemas']['Day'];
export type Decimal = components['schemas']['Decimal'];
export type Delivery = components['schemas']['Delivery'];
export type DeliveryAttempt = components['schemas']['DeliveryAttempt'];
export type DeliveryStatus = components['schemas']['DeliveryStatus'];
export type DeliveryWithAttempts = components['schemas']['DeliveryWithAttempts'];
export type Device = components['schemas']['Device'];
export type DeviceChanges = components['schemas']['DeviceChanges'];
export type Email = components['schemas']['Email'];
export type EmailChange = components['schemas']['EmailChange'];
export type EmailChangeLink = components['schemas']['EmailChangeLink'];
export type EmailVerification = components['schemas']['EmailVerification'];
export type EmergencyBypass = components['schemas']['EmergencyBypass'];
export type Id = components['schemas']['Id'];
export type Instant = components['schemas']['Instant'];
export type Invitation = components['schemas']['Invitation'];
export type InvitationAcceptance = components['schemas']['InvitationAcceptance'];
export type IpAddress = components['schemas']['IpAddress'];
export type IpAllowlist = components['schemas']['IpAllowlist'];
export type ListedProject = components['schemas']['ListedProject'];
export type LoginMap = components['schemas']['LoginMap'];
export type LoginRecord = components['schemas']['LoginRecord'];
export type Member = components['schemas']['Member'];
export type MemberChanges = components['schemas']['MemberChanges'];
export type MissingRate = components['schemas']['MissingRate'];
export type Money = components['schemas']['Money'];
export type NewApiToken = components['schemas']['NewApiToken'];
export type NewBudgetSettings = components['schemas']['NewBudgetSettings'];
export type NewInvitation = components['schemas']['NewInvitation'];
export type NewIpAllowlist = components['schemas']['NewIpAllowlist'];
export type NewPasskey = components['schemas']['NewPasskey'];
export type NewProject = components['schemas']['NewProject'];
export type NewRateOverride = components['schemas']['NewRateOverride'];
export type NewReport = components['schemas']['NewReport'];
export type NewTeam = components['schemas']['NewTeam'];
export type NewTeamMember = components['schemas']['NewTeamMember'];
export type NewTimeEntry = components['schemas']['NewTimeEntry'];
export type NewTimer = components['schemas']['NewTimer'];
export type NewWebhook = components['schemas']['NewWebhook'];
export type NewWorkspace = components['schemas']['NewWorkspace'];
export type OwnedWorkspace = components['schemas']['OwnedWorkspace'];
export type PageLinks = components['schemas']['PageLinks'];
export type PageMeta = components['schemas']['PageMeta'];
export type Passkey = components['schemas']['Passkey'];
export type PasskeyChallenge = components['schemas']['PasskeyChallenge'];
export type PasskeyProof = components['schemas']['PasskeyProof'];
export type Passkeys = components['schemas']['Passkeys'];
export type PasswordChange = components['schemas']['PasswordChange'];
export type PasswordReset = components['schemas']['PasswordReset'];
export type PasswordResetRequest = components['schemas']['PasswordResetRequest'];
export type PendingLogin = components['schemas']['PendingLogin'];
export type Person = components['schemas']['Person'];
export type Plan = components['schemas']['Plan'];
export type Problem = components['schemas']['Problem'];
export type Profile = components['schemas']['Profile'];
export type ProfileChanges = components['schemas']['ProfileChanges'];
export type Project = components['schemas']['Project'];
export type ProjectArchivedEvent = components['schemas']['ProjectArchivedEvent'];
export type ProjectChanges = components['schemas']['ProjectChanges'];
export type Rate = components['schemas']['Rate'];
export type RateHistory = components['schemas']['RateHistory'];
export type RateOverride = components['schemas']['RateOverride'];
export type Reauthenticated = components['schemas']['Reauthenticated'];
export type Reauthentication = components['schemas']['Reauthentication'];
export type RegisteredPasskey = components['schemas']['RegisteredPasskey'];
export type Registration = components['schemas']['Registration'];
export type Report = components['schemas']['Report'];
export type ReportColumn = components['schemas']['ReportColumn'];
export type ReportMetric = components['schemas']['ReportMetric'];
export type ReportSort = components['schemas']['ReportSort'];
export type ReportTotals = components['schemas']['ReportTotals'];
export type Role = components['schemas']['Role'];
export type SecondFactorProof = components['schemas']['SecondFactorProof'];
export type SecondFactorRequired = components['schemas']['SecondFactorRequired'];
export type SecondFactors = components['schemas']['SecondFactors'];
export type SecuritySettings = components['schemas']['SecuritySettings'];
export type SecuritySettingsChanges = components['schemas']['SecuritySettingsChanges'];
export type SecuritySuspiciousLoginEvent = components['schemas']['SecuritySuspiciousLoginEvent'];
export type Session = components['schemas']['Session'];
export type SignedIn = components['schemas']['SignedIn'];
export type Suggestion = components['schemas']['Suggestion'];
export type SummaryReport = components['schemas']['SummaryReport'];
export type Team = components['schemas']['Team'];
export type TeamChanges = components['schemas']['TeamChanges'];
export type TestEvent = components['schemas']['TestEvent'];
export type TimeEntriesChanges = components['schemas']['TimeEntriesChanges'];
export type TimeEntriesDeletion = components['schemas']['TimeEntriesDeletion'];
export type TimeEntry = components['schemas']['TimeEntry'];
export type TimeEntryChanges = components['schemas']['TimeEntryChanges'];
export type TimeEntrySplit = components['schemas']['TimeEntrySplit'];
export type TimeZone = components['schemas']['TimeZone'];
export type TrackedDay = components['schemas']['TrackedDay'];
export type TrackedInstant = components['schemas']['TrackedInstant'];
export type UndoneEmailChange = components['schemas']['UndoneEmailChange'];
export type UpdatedWebhook = components['schemas']['UpdatedWebhook'];
export type UploadedAvatar = components['schemas']['UploadedAvatar'];
export type User = components['schemas']['User'];
export type UserTeam = components['schemas']['UserTeam'];
export type Violation = components['schemas']['Violation'];
export type WebAuthnAssertion = components['schemas']['WebAuthnAssertion'];
export type WebAuthnAttestation = components['schemas']['WebAuthnAttestation'];
export type WebAuthnOptions = components['schemas']['WebAuthnOptions'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookChanges = components['schemas']['WebhookChanges'];
export type WebhookEventType = components['schemas']['WebhookEventType'];
export type WebhookRecovery = components['schemas']['WebhookRecovery'];
export type WebhookWithSecret = components['schemas']['WebhookWithSecret'];
export type Workspace = components['schemas']['Workspace'];
export type WorkspaceSettings = components['schemas']['WorkspaceSettings'];
export type WorkspaceSettingsChanges = components['schemas']['WorkspaceSettingsChanges'];
export type WorkspaceTransfer = components['schemas']['WorkspaceTransfer'];
export type ParameterCursor = components['parameters']['Cursor'];
export type ParameterIdempotencyKey = components['parameters']['IdempotencyKey'];
export type ParameterIfMatch = components['parameters']['IfMatch'];
export type ParameterIfNoneMatch = components['parameters']['IfNoneMatch'];
export type ParameterLimit = components['parameters']['Limit'];
export type ParameterPage = components['parameters']['Page'];
export type ParameterPerPage = components['parameters']['PerPage'];
export type ParameterPrefer = components['parameters']['Prefer'];
export type ParameterSecGpc = components['parameters']['SecGPC'];
export type ParameterWorkspaceId = components['parameters']['WorkspaceId'];
export type HeaderContentDisposition = components['headers']['ContentDisposition'];
export type HeaderDeprecation = components['headers']['Deprecation'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderIdempotencyReplayed = components['headers']['IdempotencyReplayed'];
export type HeaderLink = components['headers']['Link'];
export type HeaderLocation = components['headers']['Location'];
export type HeaderPreferenceApplied = components['headers']['PreferenceApplied'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderRateLimitPolicy = components['headers']['RateLimitPolicy'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type HeaderSunset = components['headers']['Sunset'];
export type HeaderWwwAuthenticate = components['headers']['WWWAuthenticate'];
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
        };
    };
    checkHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The headers of the response to GET */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getOpenApiDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags that the caller has. If one of them is current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    checkOpenApiDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags that the caller has. If one of them is current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The headers of the response to GET */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Registration"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    verifyEmail: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailVerification"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
        };
    };
    confirmEmailChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailChangeLink"];
            };
        };
        responses: {
            /** @description No content */
            204: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    undoEmailChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailChangeLink"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UndoneEmailChange"];
                };
            };
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Credentials"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"] | components["schemas"]["SecondFactorRequired"];
                };
            };
        };
    };
    getPasskeyLoginOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyChallenge"];
                };
            };
        };
    };
    loginWithPasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyProof"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
        };
    };
    bypassIpAllowlist: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmergencyBypass"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationAcceptance"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedInvitation"];
                };
            };
        };
    };
    completeLogin: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactorProof"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
        };
    };
    getLoginWebAuthnOptions: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PendingLogin"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebAuthnOptions"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getSessionStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        signedIn: boolean;
                    };
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    reauthenticate: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Reauthentication"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reauthenticated"];
                };
            };
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordResetRequest"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordReset"];
            };
        };
        responses: {
            /** @description No content */
            204: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
        };
    };
    updateProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description The ETag of the version to change, several, or `*` for any. If the resource has another version, the response is 412 with the current one in `current`. Without the header, every version is changed. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    exportAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountExport"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Session"][];
                    };
                };
            };
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the session. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listDevices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Device"][];
                    };
                };
            };
        };
    };
    deleteDevice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the device. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateDevice: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The id of the device. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"];
                };
            };
        };
    };
    listLogins: {
        parameters: {
            query?: {
                /** @description `meta.nextCursor` of the previous page, unchanged. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The number of items of a page, for lists with a cursor. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LoginRecord"][];
                        meta: components["schemas"]["CursorMeta"];
                    };
                };
            };
        };
    };
    getSecuritySettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecuritySettings"];
                };
            };
        };
    };
    updateSecuritySettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecuritySettingsChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecuritySettings"];
                };
            };
        };
    };
    listApiTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiToken"][];
                    };
                };
            };
        };
    };
    createApiToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApiToken"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiToken"];
                };
            };
        };
    };
    deleteApiToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the API token. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeEmail: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailChange"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description No content */
            204: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getSecondFactors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactors"];
                };
            };
        };
    };
    setUpAuthenticatorApp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthenticatorAppSetup"];
                };
            };
        };
    };
    deleteAuthenticatorApp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    confirmAuthenticatorApp: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthenticatorAppConfirmation"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupCodes"];
                };
            };
        };
    };
    getPasskeyRegistrationOptions: {
        parameters: {
            query?: {
                /** @description Whether the credential is to replace the password, or to be a second factor. */
                kind?: "passkey" | "security_key";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebAuthnOptions"];
                };
            };
        };
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkeys"];
                };
            };
        };
    };
    registerPasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPasskey"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredPasskey"];
                };
            };
        };
    };
    deletePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the passkey or security key. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    generateBackupCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupCodes"];
                };
            };
        };
    };
    uploadAvatar: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key returns the result of the first one, for 24 hours. Keys belong to a user, and are bound to the method, path, query, workspace and body. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @description The image file. */
                    avatar: Blob;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadedAvatar"];
                };
            };
        };
    };
    deleteAvatar: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deleteUserAvatar: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listWorkspaces: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Workspace"][];
                    };
                };
            };
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description A repeated request with the same key returns the result of the first one, for 24 hours. Keys belong to a user, and are bound to the method, path, query, workspace and body. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWorkspace"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
        };
    };
    leaveWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workspace. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    transferWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The id of the workspace. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspaceTransfer"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
        };
    };
    listTeams: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Team"][];
                    };
                };
            };
        };
    };
    createTeam: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description A repeated request with the same key returns the result of the first one, for 24 hours. Keys belong to a user, and are bound to the method, path, query, workspace and body. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTeam"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
        };
    };
    getTeam: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags that the caller has. If one of them is current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the team. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deleteTeam: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the version to change, several, or `*` for any. If the resource has another version, the response is 412 with the current one in `current`. Without the header, every version is changed. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the team. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateTeam: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description The ETag of the version to change, several, or `*` for any. If the resource has another version, the response is 412 with the current one in `current`. Without the header, every version is changed. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the team. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeamChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
        };
    };
    listTeamMembers: {
        parameters: {
            query?: {
                /** @description The number of the page, beginning with 1. */
                page?: components["parameters"]["Page"];
                /** @description The number of items of a page. */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: never;
            path: {
                /** @description The id of the team. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Member"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    addTeamMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description A repeated request with the same key returns the result of the first one, for 24 hours. Keys belong to a user, and are bound to the method, path, query, workspace and body. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the team. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTeamMember"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    removeTeamMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the team. */
                id: components["schemas"]["Id"];
                /** @description The id of the member’s user. */
                userId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateTeamMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The id of the team. */
                id: components["schemas"]["Id"];
                /** @description The id of the member’s user. */
                userId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the team. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Invitation"][];
                    };
                };
            };
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description A repeated request with the same key returns the result of the first one, for 24 hours. Keys belong to a user, and are bound to the method, path, query, workspace and body. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the team. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvitation"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the team. */
                id: components["schemas"]["Id"];
                /** @description The id of the invitation. */
                invitationId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getIpAllowlist: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description ETags that the caller has. If one of them is current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpAllowlist"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    replaceIpAllowlist: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description The ETag of the version to change, several, or `*` for any. If the resource has another version, the response is 412 with the current one in `current`. Without the header, every version is changed. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewIpAllowlist"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IpAllowlist"];
                };
            };
        };
    };
    getLoginMap: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginMap"];
                };
            };
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description ETags that the caller has. If one of them is current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceSettings"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description The ETag of the version to change, several, or `*` for any. If the resource has another version, the response is 412 with the current one in `current`. Without the header, every version is changed. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspaceSettingsChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceSettings"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description The number of the page, beginning with 1. */
                page?: components["parameters"]["Page"];
                /** @description The number of items of a page. */
                per_page?: components["parameters"]["PerPage"];
            };
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Member"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path: {
                /** @description The id of the member’s user. */
                userId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The id of the member’s user. */
                userId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    listCurrencies: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Currencies"];
                };
            };
        };
    };
    listRates: {
        parameters: {
            query?: {
                /** @description The first day, in the time zone of the workspace. */
                from?: components["schemas"]["Day"];
                /** @description The last day, which is included, in the time zone of the workspace. */
                to?: components["schemas"]["Day"];
            };
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path: {
                /** @description The code of the currency. */
                code: components["schemas"]["CurrencyCode"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateHistory"];
                };
            };
        };
    };
    overrideRate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description The ETag of the version to change, several, or `*` for any. If the resource has another version, the response is 412 with the current one in `current`. Without the header, every version is changed. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The code of the currency. */
                code: components["schemas"]["CurrencyCode"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRateOverride"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateOverride"];
                };
            };
        };
    };
    deleteRateOverride: {
        parameters: {
            query?: {
                /** @description The first day of the override to remove. */
                valid_from?: components["schemas"]["Day"];
                /** @description Removes all overrides of the currency. Not together with `valid_from`. */
                all?: boolean;
            };
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The ETag of the version to change, several, or `*` for any. If the resource has another version, the response is 412 with the current one in `current`. Without the header, every version is changed. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The code of the currency. */
                code: components["schemas"]["CurrencyCode"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listProjects: {
        parameters: {
            query?: {
                /** @description The number of the page, beginning with 1. */
                page?: components["parameters"]["Page"];
                /** @description The number of items of a page. */
                per_page?: components["parameters"]["PerPage"];
                /** @description `true` for archived projects, `all` for all. By default, archived projects are left out. */
                archived?: "false" | "true" | "all";
                /** @description Only projects of this client. */
                client?: string;
                /** @description Only items whose name or description contains this text, ignoring case. */
                q?: string;
                /** @description Adds data that is looked up for each item. */
                include?: "budget_status";
            };
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ListedProject"][];
                        meta: components["schemas"]["PageMeta"];
                        links: components["schemas"]["PageLinks"];
                    };
                };
            };
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description A repeated request with the same key returns the result of the first one, for 24 hours. Keys belong to a user, and are bound to the method, path, query, workspace and body. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewProject"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
        };
    };
    listRecentProjects: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Project"][];
                    };
                };
            };
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description ETags that the caller has. If one of them is current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the project. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The ETag of the version to change, several, or `*` for any. If the resource has another version, the response is 412 with the current one in `current`. Without the header, every version is changed. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the project. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description The ETag of the version to change, several, or `*` for any. If the resource has another version, the response is 412 with the current one in `current`. Without the header, every version is changed. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the project. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
        };
    };
    archiveProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description A repeated request with the same key returns the result of the first one, for 24 hours. Keys belong to a user, and are bound to the method, path, query, workspace and body. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the project. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
        };
    };
    unarchiveProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description A repeated request with the same key returns the result of the first one, for 24 hours. Keys belong to a user, and are bound to the method, path, query, workspace and body. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the project. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
        };
    };
    getProjectBudget: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path: {
                /** @description The id of the project. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Budget"];
                };
            };
        };
    };
    listTimeEntries: {
        parameters: {
            query?: {
                /** @description Only entries of this user. */
                user_id?: components["schemas"]["Id"];
                /** @description Only entries of this project. */
                project_id?: components["schemas"]["Id"];
                /** @description Only entries of the members of this team. */
                team_id?: components["schemas"]["Id"];
                /** @description Only entries with this tag. */
                tag?: string;
                /** @description Only entries that are billable, or only those that are not. */
                billable?: boolean;
                /** @description Only running timers, or only finished entries. */
                running?: boolean;
                /** @description The first day, in the time zone of the workspace. */
                from?: components["schemas"]["TrackedDay"];
                /** @description The last day, which is included, in the time zone of the workspace. */
                to?: components["schemas"]["TrackedDay"];
                /** @description Only items whose name or description contains this text, ignoring case. */
                q?: string;
                /** @description Only entries that were created or changed at this instant or later. */
                updated_since?: components["schemas"]["TrackedInstant"];
                /** @description Only entries in this currency. */
                currency?: components["schemas"]["CurrencyCode"];
                /** @description `meta.nextCursor` of the previous page, unchanged. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The number of items of a page, for lists with a cursor. */
                limit?: components["parameters"]["Limit"];
                /** @description The number of the page, beginning with 1. */
                page?: components["parameters"]["Page"];
                /** @description The number of items of a page. */
                per_page?: components["parameters"]["PerPage"];
                /** @description The order. A minus sorts in descending order. */
                sort?: "-started_at" | "started_at" | "-updated_at" | "updated_at";
                /** @description Adds amounts in this currency, at the rate of each entry’s day. */
                convert_to?: components["schemas"]["CurrencyCode"];
                /** @description The time zone of `from`, `to` and days in the answer, as an IANA name. The default is the workspace’s. */
                timezone?: components["schemas"]["TimeZone"];
            };
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TimeEntry"][];
                        meta: {
                            nextCursor: string | null;
                            missingRates?: components["schemas"]["MissingRate"][];
                        } | {
                            /** Format: int64 */
                            page: number;
                            /** Format: int64 */
                            perPage: number;
                            /** Format: int64 */
                            total: number;
                            /** Format: int64 */
                            totalPages: number;
                            missingRates?: components["schemas"]["MissingRate"][];
                        };
                        links: components["schemas"]["PageLinks"];
                    };
                };
            };
        };
    };
    createTimeEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description A repeated request with the same key returns the result of the first one, for 24 hours. Keys belong to a user, and are bound to the method, path, query, workspace and body. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTimeEntry"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimeEntry"];
                };
            };
        };
    };
    updateTimeEntries: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TimeEntriesChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TimeEntry"][];
                    };
                };
            };
        };
    };
    startTimer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description A repeated request with the same key returns the result of the first one, for 24 hours. Keys belong to a user, and are bound to the method, path, query, workspace and body. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTimer"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimeEntry"];
                };
            };
        };
    };
    stopTimer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description A repeated request with the same key returns the result of the first one, for 24 hours. Keys belong to a user, and are bound to the method, path, query, workspace and body. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimeEntry"];
                };
            };
        };
    };
    getRunningTimer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimeEntry"];
                };
            };
        };
    };
    getTimeEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path: {
                /** @description The id of the time entry. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimeEntry"];
                };
            };
        };
    };
    deleteTimeEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The ETag of the version to change, several, or `*` for any. If the resource has another version, the response is 412 with the current one in `current`. Without the header, every version is changed. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the time entry. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateTimeEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description The ETag of the version to change, several, or `*` for any. If the resource has another version, the response is 412 with the current one in `current`. Without the header, every version is changed. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the time entry. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TimeEntryChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimeEntry"];
                };
            };
        };
    };
    deleteTimeEntries: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description A repeated request with the same key returns the result of the first one, for 24 hours. Keys belong to a user, and are bound to the method, path, query, workspace and body. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TimeEntriesDeletion"];
            };
        };
        responses: {
            /** @description No content */
            204: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    duplicateTimeEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description A repeated request with the same key returns the result of the first one, for 24 hours. Keys belong to a user, and are bound to the method, path, query, workspace and body. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the time entry. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimeEntry"];
                };
            };
        };
    };
    splitTimeEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description A repeated request with the same key returns the result of the first one, for 24 hours. Keys belong to a user, and are bound to the method, path, query, workspace and body. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the time entry. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TimeEntrySplit"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TimeEntry"][];
                    };
                };
            };
        };
    };
    listSuggestions: {
        parameters: {
            query: {
                /** @description The field to suggest values for. */
                field: "client" | "tag" | "description";
                /** @description Only items whose name or description contains this text, ignoring case. */
                q?: string;
            };
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Suggestion"][];
                    };
                };
            };
        };
    };
    listEntries: {
        parameters: {
            query?: {
                /** @description Only entries of this user. */
                user_id?: components["schemas"]["Id"];
                /** @description Only entries of this project. */
                project_id?: components["schemas"]["Id"];
                /** @description Only entries of the members of this team. */
                team_id?: components["schemas"]["Id"];
                /** @description Only entries with this tag. */
                tag?: string;
                /** @description Only entries that are billable, or only those that are not. */
                billable?: boolean;
                /** @description Only running timers, or only finished entries. */
                running?: boolean;
                /** @description The first day, in the time zone of the workspace. */
                from?: components["schemas"]["TrackedDay"];
                /** @description The last day, which is included, in the time zone of the workspace. */
                to?: components["schemas"]["TrackedDay"];
                /** @description Only items whose name or description contains this text, ignoring case. */
                q?: string;
                /** @description Only entries that were created or changed at this instant or later. */
                updated_since?: components["schemas"]["TrackedInstant"];
                /** @description Only entries in this currency. */
                currency?: components["schemas"]["CurrencyCode"];
                /** @description `meta.nextCursor` of the previous page, unchanged. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The number of items of a page, for lists with a cursor. */
                limit?: components["parameters"]["Limit"];
                /** @description The number of the page, beginning with 1. */
                page?: components["parameters"]["Page"];
                /** @description The number of items of a page. */
                per_page?: components["parameters"]["PerPage"];
                /** @description The order. A minus sorts in descending order. */
                sort?: "-started_at" | "started_at" | "-updated_at" | "updated_at";
                /** @description Adds amounts in this currency, at the rate of each entry’s day. */
                convert_to?: components["schemas"]["CurrencyCode"];
                /** @description The time zone of `from`, `to` and days in the answer, as an IANA name. The default is the workspace’s. */
                timezone?: components["schemas"]["TimeZone"];
            };
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TimeEntry"][];
                        meta: {
                            nextCursor: string | null;
                            missingRates?: components["schemas"]["MissingRate"][];
                        } | {
                            /** Format: int64 */
                            page: number;
                            /** Format: int64 */
                            perPage: number;
                            /** Format: int64 */
                            total: number;
                            /** Format: int64 */
                            totalPages: number;
                            missingRates?: components["schemas"]["MissingRate"][];
                        };
                        links: components["schemas"]["PageLinks"];
                    };
                };
            };
        };
    };
    getSummaryReport: {
        parameters: {
            query?: {
                /** @description Only entries of this user. */
                user_id?: components["schemas"]["Id"];
                /** @description Only entries of this project. */
                project_id?: components["schemas"]["Id"];
                /** @description Only entries of the members of this team. */
                team_id?: components["schemas"]["Id"];
                /** @description Only entries with this tag. */
                tag?: string;
                /** @description Only entries that are billable, or only those that are not. */
                billable?: boolean;
                /** @description Only running timers, or only finished entries. */
                running?: boolean;
                /** @description The first day, in the time zone of the workspace. */
                from?: components["schemas"]["TrackedDay"];
                /** @description The last day, which is included, in the time zone of the workspace. */
                to?: components["schemas"]["TrackedDay"];
                /** @description Only items whose name or description contains this text, ignoring case. */
                q?: string;
                /** @description Only entries that were created or changed at this instant or later. */
                updated_since?: components["schemas"]["TrackedInstant"];
                /** @description Only entries in this currency. */
                currency?: components["schemas"]["CurrencyCode"];
                /** @description How to group the time entries. */
                group_by?: "user" | "project" | "client" | "team" | "tag" | "billable" | "currency" | "day" | "week" | "month" | "year";
                /** @description How to group the entries of each group again. */
                sub_group_by?: "user" | "project" | "client" | "team" | "tag" | "billable" | "currency" | "day" | "week" | "month" | "year";
                /** @description Adds amounts in this currency, at the rate of each entry’s day. */
                convert_to?: components["schemas"]["CurrencyCode"];
                /** @description Rounds the duration of each entry up, down or to the nearest multiple of minutes: `up:15`, `down:6`, `nearest:30`. */
                rounding?: string;
                /** @description Adds the data of charts. */
                include_charts?: boolean;
                /** @description The time zone of `from`, `to` and days in the answer, as an IANA name. The default is the workspace’s. */
                timezone?: components["schemas"]["TimeZone"];
            };
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SummaryReport"];
                };
            };
        };
    };
    getCustomReport: {
        parameters: {
            query?: {
                /** @description Only entries of this user. */
                user_id?: components["schemas"]["Id"];
                /** @description Only entries of this project. */
                project_id?: components["schemas"]["Id"];
                /** @description Only entries of the members of this team. */
                team_id?: components["schemas"]["Id"];
                /** @description Only entries with this tag. */
                tag?: string;
                /** @description Only entries that are billable, or only those that are not. */
                billable?: boolean;
                /** @description Only running timers, or only finished entries. */
                running?: boolean;
                /** @description The first day, in the time zone of the workspace. */
                from?: components["schemas"]["TrackedDay"];
                /** @description The last day, which is included, in the time zone of the workspace. */
                to?: components["schemas"]["TrackedDay"];
                /** @description Only items whose name or description contains this text, ignoring case. */
                q?: string;
                /** @description Only entries that were created or changed at this instant or later. */
                updated_since?: components["schemas"]["TrackedInstant"];
                /** @description Only entries in this currency. */
                currency?: components["schemas"]["CurrencyCode"];
                /** @description The columns of each time entry, separated by commas. Without it, the report has no entries. */
                columns?: components["schemas"]["ReportColumn"][];
                /** @description The figures of each group, separated by commas. */
                metrics?: components["schemas"]["ReportMetric"][];
                /** @description How to group the time entries. */
                group_by?: ("user" | "project" | "client" | "team" | "tag" | "billable" | "currency" | "day" | "week" | "month" | "year")[];
                /** @description The order. A minus sorts in descending order. */
                sort?: components["schemas"]["ReportSort"];
                /** @description Adds amounts in this currency, at the rate of each entry’s day. */
                convert_to?: components["schemas"]["CurrencyCode"];
                /** @description Rounds the duration of each entry up, down or to the nearest multiple of minutes: `up:15`, `down:6`, `nearest:30`. */
                rounding?: string;
            };
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomReport"];
                };
            };
        };
    };
    generateReport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description A repeated request with the same key returns the result of the first one, for 24 hours. Keys belong to a user, and are bound to the method, path, query, workspace and body. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewReport"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
        };
    };
    getReport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path: {
                /** @description The id of the report. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
        };
    };
    createReport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description A repeated request with the same key returns the result of the first one, for 24 hours. Keys belong to a user, and are bound to the method, path, query, workspace and body. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewReport"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description `meta.nextCursor` of the previous page, unchanged. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The number of items of a page, for lists with a cursor. */
                limit?: components["parameters"]["Limit"];
                /** @description Only entries of this category. */
                category?: "sign_in" | "account" | "api_token" | "security" | "workspace" | "member" | "team" | "project" | "time_entry" | "currency" | "report" | "webhook";
                /** @description Only entries of the user with this id. */
                actor?: components["schemas"]["Id"];
                /** @description Only entries with this action, or with one that begins with this text: `project.` finds all actions on projects. */
                action?: string;
                /** @description Only entries about the object with this id. */
                target?: components["schemas"]["Id"];
                /** @description Only entries from this IP address. */
                ip?: components["schemas"]["IpAddress"];
                /** @description The first day, in the time zone of the workspace. */
                from?: components["schemas"]["TrackedDay"] | string;
                /** @description The last day, which is included, in the time zone of the workspace. */
                to?: components["schemas"]["TrackedDay"] | string;
                /** @description Only entries with this outcome. */
                outcome?: "success" | "failure";
                /** @description Adds data that is looked up for each item. */
                include?: "actor";
                /** @description Returns a file of this format instead of a page. */
                format?: "csv" | "ndjson";
            };
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["ContentDisposition"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditEntry"][];
                        meta: components["schemas"]["CursorMeta"];
                        links: components["schemas"]["PageLinks"];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
        };
    };
    getAuditCheckpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditCheckpoint"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"][];
                    };
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    listWebhookEventTypes: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookEventType"][];
                    };
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description ETags that the caller has. If one of them is current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The id of the webhook. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description Not modified */
            304: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description The ETag of the version to change, several, or `*` for any. If the resource has another version, the response is 412 with the current one in `current`. Without the header, every version is changed. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the webhook. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description The ETag of the version to change, several, or `*` for any. If the resource has another version, the response is 412 with the current one in `current`. Without the header, every version is changed. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The id of the webhook. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookChanges"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdatedWebhook"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path: {
                /** @description The id of the webhook. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description A repeated request with the same key returns the result of the first one, for 24 hours. Keys belong to a user, and are bound to the method, path, query, workspace and body. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the webhook. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestEvent"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    recoverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description A repeated request with the same key returns the result of the first one, for 24 hours. Keys belong to a user, and are bound to the method, path, query, workspace and body. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the webhook. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookRecovery"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: int64 */
                        recovered: number;
                    };
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description `meta.nextCursor` of the previous page, unchanged. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The number of items of a page, for lists with a cursor. */
                limit?: components["parameters"]["Limit"];
            };
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path: {
                /** @description The id of the webhook. */
                id: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Delivery"][];
                        meta: components["schemas"]["CursorMeta"];
                        links: components["schemas"]["PageLinks"];
                    };
                };
            };
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
            };
            path: {
                /** @description The id of the webhook. */
                id: components["schemas"]["Id"];
                /** @description The id of the delivery. */
                deliveryId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryWithAttempts"];
                };
            };
        };
    };
    retryDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the workspace. Defaults to the workspace in the cookie, then to the caller’s first workspace. */
                "X-Workspace-Id"?: components["parameters"]["WorkspaceId"];
                /** @description A repeated request with the same key returns the result of the first one, for 24 hours. Keys belong to a user, and are bound to the method, path, query, workspace and body. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the webhook. */
                id: components["schemas"]["Id"];
                /** @description The id of the delivery. */
                deliveryId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    getCookiePolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description With the value 1, analytics and marketing are rejected regardless of the choice. */
                "Sec-GPC"?: components["parameters"]["SecGPC"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CookiePolicy"];
                };
            };
        };
    };
    createConsent: {
        parameters: {
            query?: never;
            header?: {
                /** @description With the value 1, analytics and marketing are rejected regardless of the choice. */
                "Sec-GPC"?: components["parameters"]["SecGPC"];
                /** @description With `handling=strict` (RFC 7240), unknown fields of the body are 422, and the response has `Preference-Applied: handling=strict`. Otherwise they are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConsentChoice"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Consent"];
                };
            };
        };
    };
    listConsents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Consent"][];
                    };
                };
            };
        };
    };
    receiveProjectArchivedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in all attempts. Ignore an id that you have already processed. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970-01-01 UTC. */
                "webhook-timestamp": string;
                /** @description W3C Trace Context: the trace of the request that caused the event, and a new span for this attempt. */
                traceparent: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectArchivedEvent"];
            };
        };
        responses: {
            /** @description The receiver is gone. The webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. After any other status, or without a response within 15 seconds, the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCurrencyChangedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in all attempts. Ignore an id that you have already processed. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970-01-01 UTC. */
                "webhook-timestamp": string;
                /** @description W3C Trace Context: the trace of the request that caused the event, and a new span for this attempt. */
                traceparent: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CurrencyChangedEvent"];
            };
        };
        responses: {
            /** @description The receiver is gone. The webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. After any other status, or without a response within 15 seconds, the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveBudgetForecastWarningEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in all attempts. Ignore an id that you have already processed. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970-01-01 UTC. */
                "webhook-timestamp": string;
                /** @description W3C Trace Context: the trace of the request that caused the event, and a new span for this attempt. */
                traceparent: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BudgetForecastWarningEvent"];
            };
        };
        responses: {
            /** @description The receiver is gone. The webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. After any other status, or without a response within 15 seconds, the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveSecuritySuspiciousLoginEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in all attempts. Ignore an id that you have already processed. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970-01-01 UTC. */
                "webhook-timestamp": string;
                /** @description W3C Trace Context: the trace of the request that caused the event, and a new span for this attempt. */
                traceparent: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecuritySuspiciousLoginEvent"];
            };
        };
        responses: {
            /** @description The receiver is gone. The webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. After any other status, or without a response within 15 seconds, the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}

/** The error codes of the API. A later release can have more. */
export type ErrorCode =
  | "account_temporarily_locked"
  | "already_member"
  | "already_owner"
  | "amount_too_precise"
  | "body_too_large"
  | "budget_not_found"
  | "bypass_not_available"
  | "changed_meanwhile"
  | "checkpoint_pending"
  | "code_invalid"
  | "commit_unknown"
  | "credential_invalid"
  | "credential_known"
  | "cross_origin"
  | "currency_ended"
  | "currency_is_base"
  | "currency_not_found"
  | "currency_unsupported"
  | "database_conflict"
  | "database_unavailable"
  | "delivery_not_found"
  | "device_not_found"
  | "email_taken"
  | "factor_not_found"
  | "file_missing"
  | "file_too_large"
  | "idempotency_in_progress"
  | "idempotency_key_invalid"
  | "idempotency_key_reused"
  | "if_match_malformed"
  | "image_dimensions_exceeded"
  | "image_invalid"
  | "image_type_not_supported"
  | "insufficient_role"
  | "insufficient_scope"
  | "internal_error"
  | "invalid_credentials"
  | "invalid_input"
  | "invitation_for_another"
  | "invitation_not_found"
  | "ip_not_allowed"
  | "json_malformed"
  | "last_team"
  | "limit_reached"
  | "link_expired"
  | "mail_unavailable"
  | "member_not_found"
  | "member_suspended"
  | "money_hidden"
  | "multipart_malformed"
  | "override_not_found"
  | "owner_is_fixed"
  | "page_too_deep"
  | "password_too_weak"
  | "period_locked"
  | "plan_upgrade_required"
  | "policy_changed"
  | "project_archived"
  | "project_has_entries"
  | "project_not_found"
  | "query_malformed"
  | "rate_limited"
  | "reauthentication_required"
  | "report_not_found"
  | "report_too_large"
  | "session_ended"
  | "session_not_found"
  | "session_required"
  | "sole_owner"
  | "storage_unavailable"
  | "team_not_found"
  | "time_entry_not_found"
  | "timed_out"
  | "timer_already_running"
  | "timer_not_running"
  | "timer_running"
  | "token_expired"
  | "token_invalid"
  | "token_missing"
  | "token_not_found"
  | "too_many_files"
  | "too_many_tokens"
  | "totp_already_enabled"
  | "totp_not_begun"
  | "two_factor_not_enabled"
  | "two_factor_required"
  | "unknown_parameter"
  | "unsupported_charset"
  | "unsupported_content_encoding"
  | "unsupported_media_type"
  | "url_not_allowed"
  | "use_leave"
  | "user_not_found"
  | "webhook_disabled"
  | "webhook_limit_reached"
  | "webhook_not_found"
  | "workspace_not_found"
  | "would_lock_you_out";
/** The paths whose POST accepts an Idempotency-Key. */
export const idempotentPaths: ReadonlySet<string> = new Set([
  "/api/upload/avatar",
  "/workspaces",
  "/team",
  "/team/{id}/members",
  "/team/{id}/invitations",
  "/api/v1/projects",
  "/api/v1/projects/{id}/archive",
  "/api/v1/projects/{id}/unarchive",
  "/api/v1/time-entries",
  "/api/v1/time-entries/start",
  "/api/v1/time-entries/stop",
  "/api/v1/time-entries/delete",
  "/api/v1/time-entries/{id}/duplicate",
  "/api/v1/time-entries/{id}/split",
  "/api/v1/reports/generate",
  "/api/v1/reports",
  "/api/v1/webhooks/{id}/test",
  "/api/v1/webhooks/{id}/recover",
  "/api/v1/webhooks/{id}/deliveries/{deliveryId}/retry",
]);
