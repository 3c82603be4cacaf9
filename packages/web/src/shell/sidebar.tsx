import { Keyboard, PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { useState } from "react";
import { getCookie, setCookie } from "../base/cookies.ts";
import type { CurrentUser } from "../base/current-user.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { messages } from "./messages.ts";
import { Navigation } from "./navigation.tsx";
import { Switcher, type SwitchTo } from "./switcher.tsx";
import { ThemeMenu } from "./theme-menu.tsx";

/** The sidebar of wide screens. Collapsed, it shows only icons. */
export function Sidebar({
  current,
  switchTo,
  onShortcuts,
}: {
  current: CurrentUser | undefined;
  switchTo: SwitchTo;
  /** Shows the keyboard shortcuts. */
  onShortcuts: () => void;
}) {
  const [collapsed, setCollapsed] = useState(getCookie("svc_sidebar_collapsed") === "1");
  const toggle = () => {
    setCookie("svc_sidebar_collapsed", collapsed ? "0" : "1");
    setCollapsed(!collapsed);
  };
  return (
    <header className="sidebar" data-collapsed={collapsed || undefined}>
      <Switcher current={current} switchTo={switchTo} />
      <Navigation current={current} collapsed={collapsed} />
      <div className="sidebar-tools">
        {current && <AccountMenu current={current} />}
        <ThemeMenu />
        <IconButton label={messages.shortcuts} size="small" onClick={onShortcuts}>
          <Keyboard />
        </IconButton>
        <IconButton label={collapsed ? messages.expand : messages.collapse} size="small" onClick={toggle}>
          {collapsed ? <PanelLeftOpen /> : <PanelLeftClose />}
        </IconButton>
      </div>
    </header>
  );
}
