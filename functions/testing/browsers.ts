/** User agents of browsers, and IP addresses that the country file locates. */
export const chrome =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
export const newerChrome = chrome.replace("141", "142");
export const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";

export const swiss = "195.176.255.1";
export const swissToo = "195.176.255.2";
export const japanese = "133.11.0.1";
export const american = "8.8.8.8";
