/** A name for a credential, from what its token or its service is called, in the letters that may be used. */
export function credentialNameOf(called: string): string {
  return called
    .trim()
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-+$/g, '')
    .slice(0, 63);
}

/** The host of an address that a person types; empty as long as there is none. */
export function hostOf(address: string): string {
  return /^https?:\/\/([^/?#:]+)/i.exec(address.trim())?.[1] ?? '';
}
