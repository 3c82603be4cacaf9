import { Monitor, Moon, Sun } from "lucide-react";
import { useSyncExternalStore } from "react";
import { currentTheme, setTheme, subscribe, type Theme } from "../base/theme.ts";
import { Menu } from "../ui/menu.tsx";

const themes: Record<Theme, { label: string; Icon: typeof Sun }> = {
  system: { label: "System", Icon: Monitor },
  light: { label: "Light", Icon: Sun },
  dark: { label: "Dark", Icon: Moon },
};

/** Switches between light and dark colors. */
export function ThemeMenu() {
  const { label, Icon } = themes[useSyncExternalStore(subscribe, currentTheme)];
  return (
    <Menu
      label={`Theme: ${label}`}
      items={(Object.keys(themes) as Theme[]).map((theme) => ({
        label: themes[theme].label,
        onSelect: () => setTheme(theme),
      }))}
    >
      <Icon />
    </Menu>
  );
}
