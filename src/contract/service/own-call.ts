/** The `User-Agent` of the calls that Rotavox makes itself, such as the test of a token. */
export const ownUserAgent = 'Rotavox';

/**
 * Whether Rotavox itself made a call to this service: by the name that it sends, and because it came from this machine.
 *
 * Any program on this machine can send the same name. This decides a label and what a person is told, never whether a
 * call is allowed, and a use by another program is recorded whatever was recorded before.
 */
export function isOwnCall(
  caller:
    | { readonly kind: 'owner' | 'system' }
    | { readonly kind: 'bearer'; readonly address: string; readonly user_agent: string | null },
): boolean {
  if (caller.kind !== 'bearer' || caller.user_agent !== ownUserAgent) return false;
  return caller.address === '::1' || caller.address.startsWith('127.');
}

/**
 * What a service signs (HMAC-SHA256 with the key of `runtime.json`, hexadecimal) to show that it is the one of that file: with its own
 * address, so that another program at another port cannot pass a question on. `challenge`: random, of whoever asks.
 */
export function provedText(baseUrl: string, challenge: string): string {
  return `rotavox ${baseUrl} ${challenge}`;
}
