/** Have the browser save what was made here as a file, without it leaving this page. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by then, and the content need not stay in memory.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
