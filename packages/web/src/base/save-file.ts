/** Saves content that this page created as a file, without a request to the server. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has started by then, so the memory can be released.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
