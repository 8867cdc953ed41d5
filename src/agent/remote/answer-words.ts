import { problems } from '../../contract/problems.ts';
import type { TroubleKind } from '../../contract/credential-view.ts';

const longestWords = 200;

/** What a service said in its `message` (or `Message`, `error`), for a person; null when it said nothing. */
export function wordsOf(body: unknown, value: string): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const fields = body as Record<string, unknown>;
  const words = [fields['message'], fields['Message'], fields['error']].find(
    (one): one is string => typeof one === 'string' && one.trim() !== '',
  );
  return words === undefined ? null : plainWords(words, value);
}

/** Another program's text for a person: bounded, on one line, without the token; null when nothing is left of it. */
export function plainWords(words: string, value: string): string | null {
  const plain = words
    .replaceAll(value, '••••')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  if (plain === '') return null;
  // Well formed: the cut may go through a pair of surrogates.
  return plain.length > longestWords ? `${plain.slice(0, longestWords).toWellFormed()}…` : plain;
}

/** The origin of an address, for a sentence: no path and no query, which could hold a secret. */
export function originOf(url: string, otherwise = 'The service'): string {
  return URL.canParse(url) ? new URL(url).origin : otherwise;
}

/**
 * What a refusal (401 or 403) says about the token that was sent.
 *
 * By the texts of the spec (section 7) and the status. A 403 with other words is `refused`: it may be about this machine's
 * address or about the call, so the token is not known to be dead.
 */
export function meaningOfRefusal(
  status: 401 | 403,
  said: string | null,
): Extract<TroubleKind, 'invalid' | 'expired' | 'suspended' | 'blacklisted' | 'refused'> {
  if (status === 401) return said === problems.token_expired.message ? 'expired' : 'invalid';
  if (said === problems.token_suspended.message) return 'suspended';
  return said === problems.token_blacklisted.message ? 'blacklisted' : 'refused';
}
