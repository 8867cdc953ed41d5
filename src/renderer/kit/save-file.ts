import { type PortalReply, readFile } from './read-portal.ts';

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

/**
 * Reads a file of the portal and offers it for saving, where a link would lead to it: a link cannot send the page key.
 *
 * The browser keeps a large blob on disk, not in the page's memory.
 */
export async function downloadFile(path: string): Promise<PortalReply<null>> {
  const reply = await readFile(path);
  if (reply.kind !== 'ok') return reply;
  saveFile(reply.value.name, reply.value.content);
  return { kind: 'ok', value: null };
}

/** A file's name from a drawing's: what some system does not take in a name becomes a hyphen. */
export function fileName(name: string, ending: string): string {
  const plain = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '');
  return `${plain === '' ? 'phone-menu' : plain.slice(0, 80)}${ending}`;
}
