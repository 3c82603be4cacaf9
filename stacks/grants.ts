import type { Need } from "../packages/core/platform/config/config.ts";
import { deployedCountryFile } from "../packages/core/platform/location/installed-file.ts";
import { database, type Grant } from "./database.ts";
import { work } from "./queue.ts";
import { router } from "./router.ts";
import { auditKeys, encryptionKeys, smtpUrl, tokenKeys } from "./secrets.ts";
import { settings, storageRegion } from "./stage.ts";
import { avatars, endpoint, files, keys, type StorageNeed } from "./storage.ts";

const { environment, mailFrom, pwnedPasswordsUrl } = settings($app.stage);

/** Returns the permissions and environment variables of one need. */
function grant(need: Need, admin: boolean): Grant {
  switch (need) {
    case "database":
      return admin ? database.schema : database.rows;
    case "tokens":
      return { permissions: [], environment: { TOKEN_KEYS: tokenKeys.value } };
    case "encryption":
      return { permissions: [], environment: { ENCRYPTION_KEYS: encryptionKeys.value } };
    case "checkpoints":
      return { permissions: [], environment: { AUDIT_KEYS: auditKeys.value } };
    case "webauthn":
    case "documents":
      return { permissions: [], environment: {} };
    case "passwords":
      return {
        permissions: [],
        environment: pwnedPasswordsUrl ? { PWNED_PASSWORDS_URL: pwnedPasswordsUrl } : {},
      };
    case "places":
      return { permissions: [], environment: { COUNTRY_FILE: deployedCountryFile } };
    case "mail":
      return { permissions: [], environment: { SMTP_URL: smtpUrl.value, MAIL_FROM: mailFrom } };
    case "queue":
      return {
        permissions: [{ actions: ["sqs:SendMessage"], resources: [work.arn] }],
        environment: { QUEUE_URL: work.url },
      };
    default:
      return storage(need);
  }
}

/** Returns the storage key of a need. The role gets no permission in S3. */
function storage(need: StorageNeed): Grant {
  const key = keys.get(need);
  if (!key) throw new Error(`There is no storage key for ${need}.`);
  return {
    permissions: [],
    environment: {
      STORAGE_ACCESS_KEY_ID: key.id,
      STORAGE_SECRET_ACCESS_KEY: key.secret,
      STORAGE_REGION: storageRegion,
      STORAGE_ENDPOINT: endpoint,
      STORAGE_BUCKET: files.name,
      STORAGE_BUCKET_AVATARS: avatars.name,
    },
  };
}

/** Returns the permissions and environment variables of a line of routes.ts or jobs.ts. */
export function grants({ needs, admin = false }: { needs: readonly Need[]; admin?: boolean }): Grant {
  const given = needs.map((need) => grant(need, admin));
  return {
    permissions: given.flatMap(({ permissions }) => permissions),
    environment: Object.assign(
      { APP_URL: router.url, ...environment },
      ...given.map(({ environment }) => environment),
    ),
  };
}
