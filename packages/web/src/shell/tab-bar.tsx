import { Menu as MenuIcon } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { CurrentUser } from "../base/current-user.ts";
import { Dialog } from "../ui/dialog.tsx";
import { messages } from "./messages.ts";
import { Navigation, useIsCurrent } from "./navigation.tsx";
import { pageIcons } from "./page-icons.ts";
import { pages } from "./pages.ts";
import { ThemeMenu } from "./theme-menu.tsx";

/** The navigation of phones: four pages, and a sheet with all of them. */
export function TabBar({ current }: { current: CurrentUser | undefined }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <nav className="tab-bar" aria-label={messages.tabNavigation}>
        {pages.map(({ path, tab }) => tab && <Tab key={path} path={path} label={tab} />)}
        <button
          type="button"
          className="tab"
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen(true)}
        >
          <MenuIcon />
          {messages.more}
        </button>
      </nav>
      {open && (
        <Dialog title={messages.allPages} onClose={close}>
          <Navigation current={current} onNavigate={close} />
          <div className="sheet-tools">
            <ThemeMenu />
          </div>
        </Dialog>
      )}
    </>
  );
}

function Tab({ path, label }: { path: string; label: string }) {
  const Icon = pageIcons[path];
  return (
    <Link href={path} className="tab" aria-current={useIsCurrent(path) ? "page" : undefined}>
      {Icon && <Icon />}
      {label}
    </Link>
  );
}
