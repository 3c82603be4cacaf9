import { LogOut } from "lucide-react";
import { useLocation } from "wouter";
import { type CurrentUser, hasRole } from "../base/current-user.ts";
import { signOut } from "../features/identity/session.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Menu } from "../ui/menu.tsx";
import { messages } from "./messages.ts";
import { pageIcons } from "./page-icons.ts";
import { pages } from "./pages.ts";

/** The user's picture and name. It opens the settings and signs out. */
export function AccountMenu({ current: { me, workspace } }: { current: CurrentUser }) {
  const [, go] = useLocation();
  const settings = pages.filter(
    ({ group, role }) => group === "settings" && (!role || hasRole(workspace.role, role)),
  );
  return (
    <Menu
      label={messages.accountOf(me.name)}
      className="account"
      items={[
        ...settings.map(({ path, title }) => ({
          label: title,
          Icon: pageIcons[path],
          onSelect: () => go(path),
        })),
        { label: messages.signOut, Icon: LogOut, onSelect: () => void signOut() },
      ]}
    >
      <Avatar id={me.id} name={me.name} picture={me} size={24} />
      <span className="account-name">{me.name}</span>
    </Menu>
  );
}
