/** The sentences of the frame around the pages. */
export const messages = {
  serverAway: "The server does not respond. Trying again. What you have entered stays here.",
  tryNow: "Try now",
  newRelease: "A new version is available.",
  reload: "Reload",
  pageNotLoaded: "This page could not be loaded.",
  pageFailed: "Something went wrong on this page.",
  tryAgain: "Try again",
  shortcuts: "Keyboard shortcuts",
  shortcutKeys: [
    { keys: ["n"], does: "New timer: describe what you work on" },
    { keys: ["s"], does: "Start or stop the timer" },
    { keys: ["/"], does: "Find on this page" },
    { keys: ["g", "h"], does: "Go to Home" },
    { keys: ["g", "e"], does: "Go to Time entries" },
    { keys: ["g", "p"], does: "Go to Projects" },
    { keys: ["g", "r"], does: "Go to Reports" },
    { keys: ["←", "→"], does: "Move between the parts of a time entry" },
    { keys: ["?"], does: "Show this list" },
  ],
  useShortcuts: "Use keyboard shortcuts",
  shortcutsHint: "Keys that you type into a field are never shortcuts.",
};
