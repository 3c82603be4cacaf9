/** Have the browser save a text as a file, without the text leaving this page. */
export function save(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by then, and the text need not stay in memory.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
