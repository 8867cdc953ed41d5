/**
 * ASN.1 as files have it: DER, and the longer forms of BER that some programs write (lengths that are not told, texts in pieces).
 *
 * Every function throws `RangeError` where the bytes are none of that: what a person chose may be any file.
 */

export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
  readonly whole: Buffer;
}

/** A whole file has few levels; more would only fill the stack. */
const deepest = 32;

/** The first element of bytes. */
export function readDer(bytes: Uint8Array): DerElement {
  return elementAt(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, 0);
}

/** The elements in another one, or in the content of an octet string that has some. */
export function partsOf(element: DerElement | undefined): DerElement[] {
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
export function octetsIn(element: DerElement | undefined): Buffer {
  if (element === undefined) throw new RangeError('missing');
  const isInPieces = (element.tag & 0x20) !== 0;
  return isInPieces ? Buffer.concat(partsOf(element).map(octetsIn)) : element.content;
}

/** A number that is not negative and fits. */
export function numberIn(element: DerElement | undefined): number {
  const content = element?.content ?? Buffer.alloc(0);
  if (element?.tag !== 0x02 || content.length === 0 || content.length > 4 || (content[0] ?? 0) > 0x7f)
    throw new RangeError('number');
  return content.readUIntBE(0, content.length);
}

/** An object identifier, as `1.2.840`. */
export function oidIn(element: DerElement | undefined): string {
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
