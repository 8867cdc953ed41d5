/** Offers a file for saving: the browser puts it with its downloads, the desktop app asks where. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has its own hold on the content by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** A file's name from a drawing's: what some system does not take in a name becomes a hyphen. */
export function fileName(name: string, ending: string): string {
  const plain = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  return `${plain === '' ? 'phone-menu' : plain.slice(0, 80)}${ending}`;
}
