/**
 * Reads a PKCS#12 file (`.p12`, `.pfx`; RFC 7292): the certificate and its key, as PEM.
 *
 * Node's TLS takes such a file but tells neither the certificate nor the key, and both are shown and stored as PEM. Nothing is
 * written, and no file in between has the key. Start at `readPkcs12`.
 */
import {
  createDecipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  pbkdf2Sync,
  X509Certificate,
} from 'node:crypto';

export type Pkcs12 =
  | { readonly kind: 'read'; readonly certificate: string; readonly key: string }
  /** `old_cipher`: one that OpenSSL 3 no longer has (RC2, RC4). `other_kind`: a cipher or a form that is not known. */
  | { readonly kind: 'wrong_passphrase' | 'old_cipher' | 'other_kind' | 'no_key' | 'no_certificate' };

/** Whether bytes are such a file: a sequence that begins with version 3, and no text. */
export function isPkcs12(bytes: Uint8Array): boolean {
  try {
    const [version] = partsOf(readDer(bytes));
    return numberIn(version) === 3;
  } catch {
    return false;
  }
}

export function readPkcs12(bytes: Uint8Array, passphrase: string): Pkcs12 {
  try {
    return read(bytes, passphrase);
  } catch (error) {
    if (error instanceof Unreadable) return { kind: error.kind };
    return { kind: 'other_kind' };
  }
}

class Unreadable extends Error {
  readonly kind: Exclude<Pkcs12['kind'], 'read'>;

  constructor(kind: Exclude<Pkcs12['kind'], 'read'>) {
    super(kind);
    this.kind = kind;
  }
}

const oids = {
  data: '1.2.840.113549.1.7.1',
  encryptedData: '1.2.840.113549.1.7.6',
  keyBag: '1.2.840.113549.1.12.10.1.1',
  shroudedKeyBag: '1.2.840.113549.1.12.10.1.2',
  certBag: '1.2.840.113549.1.12.10.1.3',
  nestedBag: '1.2.840.113549.1.12.10.1.6',
  pbes2: '1.2.840.113549.1.5.13',
  pbkdf2: '1.2.840.113549.1.5.12',
  tripleDes: '1.2.840.113549.1.12.1.3',
} as const;
/** RC4 and RC2 in two lengths each. */
const oldCiphers = /^1\.2\.840\.113549\.1\.12\.1\.[1256]$/;
const hashes: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};
/** HMAC with each hash. */
const pseudoRandom: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};
const aesBits: Readonly<Record<string, number>> = {
  '2.16.840.1.101.3.4.1.2': 128,
  '2.16.840.1.101.3.4.1.22': 192,
  '2.16.840.1.101.3.4.1.42': 256,
};

/** Far more than any program writes: a file must not keep the command busy for days. */
const mostIterations = 10_000_000;

function timesIn(element: DerElement | undefined): number {
  const times = numberIn(element);
  if (times > mostIterations) throw new Unreadable('other_kind');
  return times;
}

interface Found {
  readonly keys: Buffer[];
  readonly certificates: X509Certificate[];
}

function read(bytes: Uint8Array, passphrase: string): Pkcs12 {
  const [, content, mac] = partsOf(readDer(bytes));
  const safe = octetsIn(inside(partAt(content, 1)));
  if (mac !== undefined) checkMac(mac, safe, passphrase);
  const found: Found = { keys: [], certificates: [] };
  for (const part of partsOf(readDer(safe))) {
    const [type, wrapped] = partsOf(part);
    const isPlain = oidIn(type) === oids.data;
    if (!isPlain && oidIn(type) !== oids.encryptedData) throw new Unreadable('other_kind');
    const bags = isPlain ? octetsIn(inside(wrapped)) : decryptedData(inside(wrapped), passphrase);
    collect(readDer(bags), passphrase, found);
  }
  const [first] = found.keys;
  if (first === undefined) return { kind: 'no_key' };
  const key = createPrivateKey({ key: first, format: 'der', type: 'pkcs8' });
  const own = found.certificates.find((one) => one.checkPrivateKey(key)) ?? found.certificates[0];
  if (own === undefined) return { kind: 'no_certificate' };
  // The service gets those between it and the root as well.
  const chain = [own, ...found.certificates.filter((one) => one !== own)];
  return {
    kind: 'read',
    certificate: chain.map(String).join(''),
    key: key.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}

function collect(bags: DerElement, passphrase: string, found: Found): void {
  for (const bag of partsOf(bags)) {
    const [type, wrapped] = partsOf(bag);
    const value = inside(wrapped);
    switch (oidIn(type)) {
      case oids.keyBag:
        found.keys.push(value.whole);
        break;
      case oids.shroudedKeyBag: {
        const [cipher, sealed] = partsOf(value);
        found.keys.push(decrypted(cipher, octetsIn(sealed), passphrase));
        break;
      }
      case oids.certBag:
        found.certificates.push(new X509Certificate(octetsIn(inside(partAt(value, 1)))));
        break;
      case oids.nestedBag:
        collect(value, passphrase, found);
        break;
      default: // lists of revoked certificates, secrets of other kinds
    }
  }
}

function decryptedData(data: DerElement, passphrase: string): Buffer {
  const [, cipher, sealed] = partsOf(partAt(data, 1));
  return decrypted(cipher, octetsIn(sealed), passphrase);
}

function decrypted(cipher: DerElement | undefined, sealed: Buffer, passphrase: string): Buffer {
  const [type, parameters] = partsOf(cipher);
  const { name, key, iv } = keyFor(oidIn(type), parameters, passphrase);
  const decipher = createDecipheriv(name, key, iv);
  try {
    const opened = Buffer.concat([decipher.update(sealed), decipher.final()]);
    if (readDer(opened).whole.length === opened.length) return opened;
  } catch {
    // The padding is wrong, or what is in it.
  }
  throw new Unreadable('wrong_passphrase');
}

function keyFor(type: string, parameters: DerElement | undefined, passphrase: string) {
  if (oldCiphers.test(type)) throw new Unreadable('old_cipher');
  if (type === oids.tripleDes) {
    const [salt, iterations] = partsOf(parameters);
    const of = (id: number, length: number): Buffer =>
      pkcs12Key('sha1', passphrase, { salt: octetsIn(salt), iterations: timesIn(iterations), id, length });
    return { name: 'des-ede3-cbc', key: of(1, 24), iv: of(2, 8) };
  }
  if (type !== oids.pbes2) throw new Unreadable('other_kind');
  const [derivation, encryption] = partsOf(parameters);
  const [kind, options] = partsOf(derivation);
  const [cipher, iv] = partsOf(encryption);
  const bits = aesBits[oidIn(cipher)];
  if (oidIn(kind) !== oids.pbkdf2 || bits === undefined) throw new Unreadable('other_kind');
  const [salt, iterations, ...more] = partsOf(options);
  const prf = more.find(({ tag }) => tag === 0x30);
  const hash = prf === undefined ? 'sha1' : pseudoRandom[oidIn(partAt(prf, 0))];
  if (hash === undefined) throw new Unreadable('other_kind');
  const key = pbkdf2Sync(passphrase, octetsIn(salt), timesIn(iterations), bits / 8, hash);
  return { name: `aes-${bits}-cbc`, key, iv: octetsIn(iv) };
}

/** It shows whether the passphrase is right. One of a newer form (RFC 9579) is not checked: what is decrypted shows it then. */
function checkMac(mac: DerElement, content: Buffer, passphrase: string): void {
  const [digest, salt, iterations] = partsOf(mac);
  const [algorithm, expected] = partsOf(digest);
  const hash = hashes[oidIn(partAt(algorithm, 0))];
  if (hash === undefined) return;
  const length = createHash(hash).digest().length;
  const times = iterations === undefined ? 1 : timesIn(iterations);
  const key = pkcs12Key(hash, passphrase, { salt: octetsIn(salt), iterations: times, id: 3, length });
  const made = createHmac(hash, key).update(content).digest();
  if (!made.equals(octetsIn(expected))) throw new Unreadable('wrong_passphrase');
}

/** RFC 7292, appendix B.2. `id`: 1 for a key, 2 for an initial vector, 3 for a MAC. */
function pkcs12Key(
  hash: string,
  passphrase: string,
  { salt, iterations, id, length }: { salt: Buffer; iterations: number; id: number; length: number },
): Buffer {
  const block = hash === 'sha384' || hash === 'sha512' ? 128 : 64;
  const password = Buffer.from(`${passphrase}\0`, 'utf16le').swap16();
  const filled = (bytes: Buffer): Buffer =>
    bytes.length === 0 ? bytes : Buffer.alloc(block * Math.ceil(bytes.length / block), bytes);
  const input = Buffer.concat([filled(salt), filled(password)]);
  const parts: Buffer[] = [];
  for (let made = 0; made < length; made += parts.at(-1)?.length ?? length) {
    let digest = createHash(hash).update(Buffer.alloc(block, id)).update(input).digest();
    for (let round = 1; round < iterations; round += 1) digest = createHash(hash).update(digest).digest();
    parts.push(digest);
    const added = Buffer.alloc(block, digest);
    for (let start = 0; start < input.length; start += block)
      addOne(input.subarray(start, start + block), added);
  }
  return Buffer.concat(parts).subarray(0, length);
}

/** Adds a number and one to another, in place; what does not fit is dropped. */
function addOne(to: Buffer, added: Buffer): void {
  let carry = 1;
  for (let place = to.length - 1; place >= 0; place -= 1) {
    carry += (to[place] ?? 0) + (added[place] ?? 0);
    to[place] = carry & 0xff;
    carry >>= 8;
  }
}

function partAt(element: DerElement | undefined, place: number): DerElement | undefined {
  return partsOf(element)[place];
}

/** What an explicit tag wraps. */
function inside(element: DerElement | undefined): DerElement {
  const [only] = partsOf(element);
  if (only === undefined) throw new Unreadable('other_kind');
  return only;
}

/**
 * ASN.1 as files have it: DER, and the longer forms of BER that some programs write (lengths that are not told, texts in pieces).
 *
 * Every function throws `RangeError` where the bytes are none of that: what a person chose may be any file.
 */

interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
  readonly whole: Buffer;
}

/** A whole file has few levels; more would only fill the stack. */
const deepest = 32;

/** The first element of bytes. */
function readDer(bytes: Uint8Array): DerElement {
  return elementAt(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, 0);
}

/** The elements in another one, or in the content of an octet string that has some. */
function partsOf(element: DerElement | undefined): DerElement[] {
  if (element === undefined) throw new RangeError('missing');
  const parts: DerElement[] = [];
  for (let at = 0; at < element.content.length;) {
    const part = elementAt(element.content, at, 0);
    parts.push(part);
    at += part.whole.length;
  }
  return parts;
}

/** The bytes of an octet string, also of one in pieces. */
function octetsIn(element: DerElement | undefined): Buffer {
  if (element === undefined) throw new RangeError('missing');
  const isInPieces = (element.tag & 0x20) !== 0;
  return isInPieces ? Buffer.concat(partsOf(element).map(octetsIn)) : element.content;
}

/** A number that is not negative and fits. */
function numberIn(element: DerElement | undefined): number {
  const content = element?.content ?? Buffer.alloc(0);
  if (element?.tag !== 0x02 || content.length === 0 || content.length > 4 || (content[0] ?? 0) > 0x7f)
    throw new RangeError('number');
  return content.readUIntBE(0, content.length);
}

/** An object identifier, as `1.2.840`. */
function oidIn(element: DerElement | undefined): string {
  if (element?.tag !== 0x06) throw new RangeError('identifier');
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of element.content) {
    arc = arc * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    arcs.push(arc);
    arc = 0;
  }
  const [first = 0, ...rest] = arcs;
  const top = Math.min(Math.floor(first / 40), 2);
  return [top, first - top * 40, ...rest].join('.');
}

function elementAt(bytes: Buffer, start: number, depth: number): DerElement {
  const tag = bytes[start];
  const short = bytes[start + 1];
  if (tag === undefined || short === undefined || (tag & 0x1f) === 0x1f || depth > deepest)
    throw new RangeError('element');
  if (short === 0x80) return withoutLength(bytes, start, depth);
  const count = short > 0x80 ? short - 0x80 : 0;
  if (count > 4 || start + 2 + count > bytes.length) throw new RangeError('length');
  const length = count === 0 ? short : bytes.readUIntBE(start + 2, count);
  const from = start + 2 + count;
  if (from + length > bytes.length) throw new RangeError('length');
  const end = from + length;
  return { tag, content: bytes.subarray(from, end), whole: bytes.subarray(start, end) };
}

/** It ends where two zeros stand for an element. */
function withoutLength(bytes: Buffer, start: number, depth: number): DerElement {
  let at = start + 2;
  while (bytes[at] !== 0 || bytes[at + 1] !== 0) at += elementAt(bytes, at, depth + 1).whole.length;
  return {
    tag: bytes[start] ?? 0,
    content: bytes.subarray(start + 2, at),
    whole: bytes.subarray(start, at + 2),
  };
}
