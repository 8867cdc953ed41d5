/**
 * Answers of requests that only a wildcard allows are searched for what looks like a token: nobody has written out that the app may
 * make that call. What a field, an address or a form has under a name such as `private_key` becomes asterisks, so that the rest can be
 * read; an answer with something else that looks like a token is withheld.
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

/** Names whose value is one, whatever it looks like. */
const secretName =
  /(?:token|passw(?:or)?d|passphrase|pwd|secret|credential|private_?key_?data|secret_?(?:id|text)|jit_?config|connection_?string|(?:_|access|account|api|client|encryption|master|primary|private|secondary|secret|shared|signing|ssh)key)$/i;
const keyName = /[a-z\d]Key$/;
/** Not these: places in a list, public keys, and names of things. */
const plainName =
  /(?:page|continuation|sync|next|previous|cursor|delta|resume|scroll|start)_?token$|(?:public|host|project|issue|parent|epic|board|space|group|cache|partition|sort|foreign|object|idempotency|translation|message|file|event)_?key$/i;
/** A value that is none: short, masked, a date, an address without a query, a word about it. */
const plainValue =
  /^(?:.{0,7}|[*xX.\xe2\x80\xa2]+|\d{4}-\d\d-\d\d.*|https?:\/\/[^?#@]*|disabled|inherited|optional|required|undefined)$/is;

function isSecret(name: string, value: string): boolean {
  const plain = name.replaceAll(/[.-]/g, '_');
  const isNamed = secretName.test(plain) || keyName.test(plain);
  return isNamed && !plainName.test(plain) && !plainValue.test(value);
}

/** A field of JSON that could have such a name, up to the end of its value or of the text. */
const field =
  /("([\w.$-]{0,64}(?:token|passw(?:or)?d|phrase|pwd|secret|credential|key|data|id|text|config|string))"\s{0,8}:\s{0,8}")([^"\\\r\n]*(?:\\(?:[^\r\n]|$)[^"\\\r\n]*)*)/gi;
/** Values in addresses, forms and connection strings; the password in an address. */
const inAddress =
  /((?:^|[#?&;\s"]|\\u0026)((?:access|refresh|id|auth|private|session|security)?[_-]?token|(?:client[_-]?)?secret|password|pwd|api[_-]?key|(?:account|shared ?access|shared ?secret)key)=)([^&;\s"'<>\\#]{8,})/gi;
const withPassword = /(\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s:@/"'<>]{0,64}:)([^\s@/"'<>]{3,256})(?=@)/gi;

/** JSON in JSON, and YAML, whose values have a digit: others are words of a sentence. */
const named =
  /\\"([\w.$-]{1,64})\\"\s{0,8}:\s{0,8}\\"([^"\\\s]{8,})|(?<![\w.-])([\w.-]{0,58}(?:token|secret|password|_key)):[ \t]{1,8}(?:\\?["'])?(?=[^\s"'\\,]{0,256}\d)([^\s"'\\,(){}<>$]{8,})(?=["']?[\s\\,])/gi;
const inFields = String.raw`<(?:secretaccesskey|sessiontoken)>[^<\s]{8,}`;

export type SearchedFor = 'any' | 'own';

const patterns: Record<SearchedFor, readonly RegExp[]> = {
  any: [new RegExp(shapes.join('|')), new RegExp(inFields, 'i')],
  // An app that reads secrets gets those of other services, but no token with which it would need no proxy.
  own: [new RegExp(vaultShapes)],
};

/** Whether a text has something that looks like a token. */
export function hasToken(text: string, searchedFor: SearchedFor): boolean {
  return hasShape(text, searchedFor) || (searchedFor === 'any' && masked(text, true).text !== text);
}

function hasShape(text: string, searchedFor: SearchedFor): boolean {
  if (patterns[searchedFor].some((pattern) => pattern.test(text))) return true;
  if (searchedFor === 'own') return false;
  for (const [, escaped, first = '', plain, second = ''] of `${text}\n`.matchAll(named))
    if (isSecret(escaped ?? plain ?? '', first + second)) return true;
  return false;
}

/** A text with asterisks for what stands under the name of a secret, and where a field begins that is not there to its end. */
function masked(text: string, isEnd: boolean): { readonly text: string; readonly openAt: number | null } {
  let openAt: number | null = null;
  const starred = (before: string, value: string): string => before + '*'.repeat(value.length);
  const result = text
    .replace(field, (whole: string, before: string, name: string, value: string, at: number) => {
      if (!isEnd && at + whole.length === text.length && isSecret(name, 'value to come')) openAt = at;
      return openAt === null && isSecret(name, value) ? starred(before, value) : whole;
    })
    .replace(inAddress, (whole: string, before: string, name: string, value: string) =>
      isSecret(name, value) ? starred(before, value) : whole,
    )
    .replace(withPassword, (_whole: string, before: string, value: string) => starred(before, value));
  return { text: result, openAt };
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
const openBeginning =
  /(?:\\?"[\w.$-]{1,80}\\?"\s{0,8}:?\s{0,8}|[\w.-]{0,58}(?:token|secret|password|_key):[ \t]{0,8}|-----BEGIN[A-Z ]{0,42})$/i;
const longestBeginning = 100;

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
const [lineFeed, space] = [0x0a, 0x20];

/**
 * The body of an answer, with asterisks for secrets that have a name, up to what looks like a token; then it fails with `TokenFound`.
 *
 * `isHeld`: nothing arrives before 64 KiB of it were searched. Otherwise only an end that could be the beginning of a token waits for
 * more, so events are not delayed; memory does not grow with the body. The length stays the same.
 */
export function searchedBody(body: Readable, searchedFor: SearchedFor, isHeld: boolean): Readable {
  let held: Buffer[] = [];
  /** Bytes that are held, and how many of them are not searched yet. */
  let [size, fresh] = [0, 0];
  let holding = isHeld;
  let isFieldOpen = false;

  const isDue = (part: Buffer): boolean => {
    if (holding) return fresh >= heldBytes;
    if (fresh >= searchedAtOnce || part.includes(lineFeed)) return true;
    // Each space of a long value would have all of it searched again.
    return isFieldOpen ? fresh * 2 >= size : part.some((one) => one <= space);
  };
  /** What may be sent on; the rest is held. Null: a token was found. */
  const searched = (isEnd: boolean): Buffer | null => {
    const bytes = Buffer.concat(held);
    const before = bytes.toString('latin1');
    const { text, openAt } = searchedFor === 'own' ? { text: before, openAt: null } : masked(before, isEnd);
    const openFrom = text.length - (isEnd ? 0 : openLength(text));
    const end = Math.min(openFrom, openAt ?? openFrom);
    isFieldOpen = openAt !== null;
    // The beginning of a value is masked only with its end.
    if (
      (openAt !== null && text.length - openAt > longestEnd) ||
      hasShape(text.slice(0, openAt ?? undefined), searchedFor)
    )
      return null;
    const cleaned = text === before ? bytes : Buffer.from(text, 'latin1');
    held = [cleaned.subarray(end)];
    [size, fresh] = [text.length - end, 0];
    return cleaned.subarray(0, end);
  };
  const searching = new Transform({
    transform(part: Buffer, _encoding, done) {
      held.push(part);
      fresh += part.length;
      size += part.length;
      if (!isDue(part)) {
        if (held.length > mostParts) held = [Buffer.concat(held)];
        done();
        return;
      }
      holding = false;
      const ready = searched(false);
      if (ready === null) done(new TokenFound());
      else done(null, ready);
    },
    flush(done) {
      const ready = searched(true);
      if (ready === null) done(new TokenFound());
      else done(null, ready);
    },
  });
  // What ends one of them ends the other; the reply sees it.
  pipeline(body, searching, () => undefined);
  return searching;
}
