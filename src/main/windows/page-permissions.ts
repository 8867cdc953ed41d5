/**
 * What a page of ours may do that Chromium asks about.
 *
 * Two things. Writing plain text to the clipboard, which every copy button needs and which is asked for even after a
 * click; reading it stays denied. And the microphone, to record a prompt: audio alone, for a request that names a camera
 * too is one for a camera. Who asks is looked at by the caller.
 */
export function isPermitted(permission: string, media: readonly string[] | undefined): boolean {
  if (permission === 'clipboard-sanitized-write') return true;
  return permission === 'media' && media?.length === 1 && media[0] === 'audio';
}
