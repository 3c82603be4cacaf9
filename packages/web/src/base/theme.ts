import { getCookie, setCookie } from "./cookies.ts";

/** The colors that the user chose: those of the operating system, light or dark. */
export type Theme = "system" | "light" | "dark";

const listeners = new Set<() => void>();

let current: Theme = "system";

/** Applies the stored theme. Call it before the first render, so that the page does not appear in other colors first. */
export function applyStoredTheme(): void {
  const stored = getCookie("svc_theme");
  apply(stored === "light" || stored === "dark" ? stored : "system");
}

export function currentTheme(): Theme {
  return current;
}

/** Applies a theme and stores it. Without consent for functional cookies it lasts until the page is closed. */
export function setTheme(theme: Theme): void {
  setCookie("svc_theme", theme === "system" ? undefined : theme);
  apply(theme);
}

/** Calls the listener after each change of the theme. Returns the function that unsubscribes it. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls the listener whenever colors change between light and dark. Returns the function that unsubscribes it. */
export function onColorsChanged(listener: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", listener);
  const unsubscribe = subscribe(listener);
  return () => {
    system.removeEventListener("change", listener);
    unsubscribe();
  };
}

function apply(theme: Theme): void {
  current = theme;
  const { dataset } = document.documentElement;
  if (theme === "system") delete dataset.theme;
  else dataset.theme = theme;
  // The color of the browser's own bars follows too.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const scheme = meta.dataset.scheme;
    meta.media =
      theme === "system" ? `(prefers-color-scheme: ${scheme})` : theme === scheme ? "all" : "not all";
  }
  for (const listener of listeners) listener();
}
