import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useLocation } from "wouter";
import { getCookie, setCookie } from "../base/cookies.ts";

/** Pages that `g` and a second key open. */
export const shortcutPages = { h: "/", e: "/time-entries", p: "/projects", r: "/reports" } as const;

/** The time for the second key after `g`. */
const secondKeyMs = 1500;

/** Tells whether single keys are shortcuts. They can be turned off, because speech input and tremor press them by accident. */
export function shortcutsEnabled(): boolean {
  return getCookie("svc_shortcuts") !== "off";
}

/** Turns the shortcuts on or off. */
export function setShortcuts(enabled: boolean): void {
  setCookie("svc_shortcuts", enabled ? undefined : "off");
}

/**
 * Listens for shortcuts, and returns whether their help is open. Controls name their key with `aria-keyshortcuts`: a field gets the
 * focus, a button is pressed. Keys that are typed into a field or a menu do nothing, and none does while a dialog is open, even one
 * that has lost the focus: what it shows may not be shown again.
 */
export function useShortcuts(): { help: boolean; setHelp: (open: boolean) => void } {
  const [help, setHelp] = useState(false);
  const [, go] = useLocation();
  const gAt = useRef(Number.NEGATIVE_INFINITY);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (isTaken(event.target) || !shortcutsEnabled()) return;
    const { key } = event;
    const path =
      event.timeStamp - gAt.current < secondKeyMs && shortcutPages[key as keyof typeof shortcutPages];
    gAt.current = key === "g" ? event.timeStamp : Number.NEGATIVE_INFINITY;
    if (path) go(path);
    else if (key === "?") setHelp(true);
    else if (!use(key)) return;
    event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  return { help, setHelp };
}

/** Tells whether an element, or the list or dialog around it, takes keys itself, or a modal dialog is open. */
function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector(".dialog-backdrop")) return true;
  const taking =
    "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=menu], [role=listbox], [role=dialog], [role=alertdialog], [role=spinbutton]";
  return target instanceof Element && target.closest(taking) !== null;
}

/** Focuses the visible field, or presses the visible button, that names this key. */
function use(key: string): boolean {
  if (!["n", "s", "/"].includes(key)) return false;
  const named = [...document.querySelectorAll<HTMLElement>(`[aria-keyshortcuts="${key}"]`)];
  const control = named.find((one) => one.checkVisibility());
  if (control instanceof HTMLInputElement) control.focus();
  else control?.click();
  return control !== undefined;
}
