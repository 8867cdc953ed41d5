import { del, get, set } from 'idb-keyval';
import { createClient } from '../../client/create-client.ts';
import { signInStatement } from '../../contract/address.ts';

const storedAs = 'rotavox.browser-key';
const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/**
 * Makes this browser's key, with which it signs in again after a restart of Rotavox, and registers the public half.
 *
 * The private half cannot be read out, not even by this page, and is used only to sign challenges.
 */
// see decisions/a-browser-needs-a-page-key.md
export async function rememberBrowser(): Promise<void> {
  const pair = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
  const registered = await createClient({ baseUrl: '' }).call('rememberBrowser', {
    body: { public_key: await publicKeyOf(pair) },
  });
  if (registered.ok) await set(storedAs, pair);
}

export async function forgetBrowser(): Promise<void> {
  await del(storedAs);
}

/** The page code of a new session; null when this browser has no key, or Rotavox does not know it. */
export async function signInAgain(send: typeof fetch): Promise<string | null> {
  const pair = await get<CryptoKeyPair>(storedAs);
  if (pair === undefined) return null;
  const service = createClient({ baseUrl: '', fetch: send });
  const asked = await service.call('createSignInChallenge');
  if (!asked.ok) return null;
  const { challenge } = asked.value;
  const statement = new TextEncoder().encode(signInStatement(challenge));
  const signature = await crypto.subtle.sign({ ...algorithm, hash: 'SHA-256' }, pair.privateKey, statement);
  const answer = await service.call('signInAgain', {
    body: { public_key: await publicKeyOf(pair), challenge, signature: base64Url(signature) },
  });
  if (answer.ok) return answer.value.page_code;
  if (answer.status === 401) await forgetBrowser();
  return null;
}

async function publicKeyOf({ publicKey }: CryptoKeyPair): Promise<string> {
  return base64Url(await crypto.subtle.exportKey('spki', publicKey));
}

function base64Url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
