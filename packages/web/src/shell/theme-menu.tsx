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
  const theme = useSyncExternalStore(subscribe, currentTheme);
  const { label, Icon } = themes[theme];
  return (
    <Menu
      label={`Theme: ${label}`}
      choices={[
        {
          title: "Theme",
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
