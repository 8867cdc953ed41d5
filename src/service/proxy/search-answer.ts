/**
 * Answers of requests that only a wildcard allows are searched for what looks like a token: nobody has written out that the app may
 * make that call. One that has such a thing is withheld.
 */
// see decisions/credential-proxy.md
import { pipeline, type Readable, Transform } from 'node:stream';

/** Of Vault and OpenBao. */
const vaultShapes = String.raw`\bhv[sbr]\.[\w-]{20,}|\b[sbr]\.[A-Za-z0-9]{24}\b`;

/** How services let their tokens begin, so that they are found when they leak. */
const shapes = [
  vaultShapes,
  // GitHub, GitLab
  String.raw`\bgh[pousr]_\w{30,}|\bgithub_pat_\w{22,}`,
  String.raw`\bgl(?:pat|dt|rt|rtr|ptt|cbt|agent|oas|soat|ft|imt|ffct|wt)-[\w.-]{16,}|\bGR1348941[\w-]{16,}`,
  // Clouds
  String.raw`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{35}|\bya29\.[\w-]{20,}|\bdo[opr]_v1_[0-9a-f]{40,}`,
  // Models
  String.raw`\bsk-(?:ant|proj|svcacct|or)-[\w-]{20,}|\bsk-[A-Za-z0-9]{32,}|\bhf_[A-Za-z0-9]{30,}`,
  // Messages, payments, packages, others
  String.raw`\bxox[abeoprs]-[\w-]{10,}|\bxapp-\d-[\w-]{10,}|\bSG\.[\w-]{16,64}\.[\w-]{16,}`,
  String.raw`\b[rs]k_(?:live|test)_\w{16,}|\bwhsec_[\w/+=]{16,}|\bshp(?:at|ca|pa|ss)_[0-9a-f]{32}`,
  String.raw`\bnpm_[A-Za-z0-9]{36}|\bpypi-[\w-]{40,}|\bdckr_(?:pat|oat)_[\w-]{20,}`,
  String.raw`\bdp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{30,}|\bglsa_\w{32,}|\btskey-[a-z]+-[\w-]{16,}|\bATATT3[\w=-]{40,}`,
  String.raw`\blin_api_\w{32,}|\bntn_\w{32,}|\brv[a-z]_[\w-]{32,}`,
  // RFC 7519, RFC 7468. One that begins within another word is none: each would be read to its end.
  String.raw`(?<![\w-])eyJ[\w-]{8,1000}\.eyJ[\w-]{8,1000}\.[\w-]{16,}|-----BEGIN [A-Z ]{0,30}PRIVATE KEY`,
];

/** Fields whose value is one, whatever it looks like; not where it is masked. */
const fields = String.raw`(?:(?:access|refresh|id|client|auth|private|api|bot|session|registration|runners?|deploy|feed)[_-]?)?token|(?:(?:client|app|shared|signing|webhook|consumer)[_-]?)?secret|secret[_-]?(?:id|key|text|access[_-]?key)|(?:access|private|api)[_-]?key|password|passphrase|encoded_jit_config|connection[_-]?string`;
const inFields = [
  String.raw`"(?:${fields})"\s{0,8}:\s{0,8}"(?![*xX.\xe2\x80\xa2]+")[^"\s]{8,}`,
  String.raw`<(?:secretaccesskey|sessiontoken)>[^<\s]{8,}`,
  String.raw`(?:^|[&\s])(?:access_token|refresh_token|client_secret)=[^&\s"]{8,}`,
];

export type SearchedFor = 'any' | 'own';

const patterns: Record<SearchedFor, readonly RegExp[]> = {
  any: [new RegExp(shapes.join('|')), new RegExp(inFields.join('|'), 'i')],
  // An app that reads secrets gets those of other services, but no token with which it would need no proxy.
  own: [new RegExp(vaultShapes)],
};

/** Whether a text has something that looks like a token. */
export function hasToken(text: string, searchedFor: SearchedFor): boolean {
  return patterns[searchedFor].some((pattern) => pattern.test(text));
}

/** What is not text, and long: pictures, sound, packed files. */
export function isSearchedType(type: unknown): boolean {
  if (typeof type !== 'string') return true;
  return !/^(?:image|audio|video|font)\/|^application\/(?:x-)?(?:zip|gzip|bzip2|xz|zstd|tar|gtar|7z-compressed|pdf|wasm)\b/i.test(
    type.trim(),
  );
}

/** An answer is not begun before as much of it was searched, unless it is one that is read while it arrives. */
const heldBytes = 64 * 1024;
/** Of a text without spaces: no token is longer. */
const longestEnd = 4_096;
/** The beginning of a field or of a private key, before the last text without spaces. */
const openBeginning = /(?:"[\w-]{1,40}"\s{0,8}:?\s{0,8}|-----BEGIN[A-Z ]{0,42})$/;
const longestBeginning = 64;

/** How many characters at the end of a text could be the beginning of a token, or of a field with one. */
function openLength(text: string): number {
  let at = text.length;
  const first = Math.max(0, at - longestEnd);
  while (at > first && text.charCodeAt(at - 1) > 0x20) at -= 1;
  const before = openBeginning.exec(text.slice(Math.max(0, at - longestBeginning), at));
  return text.length - at + (before?.[0].length ?? 0);
}

/** The stream of an answer had something that looks like a token. */
export class TokenFound extends Error {
  override readonly name = 'TokenFound';
}

/** A text without spaces is searched when as much of it is new, so that the time grows with the bytes and not with the parts. */
const searchedAtOnce = 4_096;
/** More small parts are joined: each takes more memory than it has bytes. */
const mostParts = 1_000;

function hasSpace(bytes: Buffer): boolean {
  return bytes.some((one) => one <= 0x20);
}

/**
 * The body of an answer up to what looks like a token; then it fails with `TokenFound`.
 *
 * `isHeld`: nothing arrives before 64 KiB of it were searched. Otherwise only an end that could be the beginning of a token waits for
 * more, so events are not delayed; memory does not grow with the body.
 */
export function searchedBody(body: Readable, searchedFor: SearchedFor, isHeld: boolean): Readable {
  let held: Buffer[] = [];
  /** Bytes that are held and not searched yet. */
  let fresh = 0;
  let holding = isHeld;
  const searching = new Transform({
    transform(part: Buffer, _encoding, done) {
      held.push(part);
      fresh += part.length;
      if (holding ? fresh < heldBytes : fresh < searchedAtOnce && !hasSpace(part)) {
        if (held.length > mostParts) held = [Buffer.concat(held)];
        done();
        return;
      }
      holding = false;
      fresh = 0;
      const bytes = Buffer.concat(held);
      const text = bytes.toString('latin1');
      if (hasToken(text, searchedFor)) {
        done(new TokenFound());
        return;
      }
      const end = bytes.length - openLength(text);
      held = [bytes.subarray(end)];
      done(null, bytes.subarray(0, end));
    },
    flush(done) {
      const bytes = Buffer.concat(held);
      if (hasToken(bytes.toString('latin1'), searchedFor)) done(new TokenFound());
      else done(null, bytes);
    },
  });
  // What ends one of them ends the other; the reply sees it.
  pipeline(body, searching, () => undefined);
  return searching;
}
