/** The sentences of the frame around the pages. */
export const messages = {
  serverAway: "The server does not respond. Trying again. What you have entered stays here.",
  tryNow: "Try now",
  newRelease: "A new version is available.",
  reload: "Reload",
  pageNotLoaded: "This page could not be loaded.",
  pageFailed: "Something went wrong on this page.",
  tryAgain: "Try again",
};
