import { Monitor, Moon, Sun } from "lucide-react";
import { useSyncExternalStore } from "react";
import { currentTheme, setTheme, subscribe, type Theme } from "../base/theme.ts";
import { Menu } from "../ui/menu.tsx";
import { messages } from "./messages.ts";

const themes: Record<Theme, { label: string; Icon: typeof Sun }> = {
  system: { label: messages.themes.system, Icon: Monitor },
  light: { label: messages.themes.light, Icon: Sun },
  dark: { label: messages.themes.dark, Icon: Moon },
};

/** Switches between light and dark colors. */
export function ThemeMenu() {
  const theme = useSyncExternalStore(subscribe, currentTheme);
  const { label, Icon } = themes[theme];
  return (
    <Menu
      label={messages.themeIs(label)}
      choices={[
        {
          title: messages.theme,
          selected: theme,
          options: (Object.keys(themes) as Theme[]).map((id) => ({ id, ...themes[id] })),
          onSelect: (id) => setTheme(id as Theme),
        },
      ]}
    >
      <Icon />
    </Menu>
  );
}
