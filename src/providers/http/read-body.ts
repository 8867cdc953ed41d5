import { promisify } from 'node:util';
import zlib from 'node:zlib';

const { BROTLI_OPERATION_FLUSH, ZSTD_e_flush, Z_SYNC_FLUSH } = zlib.constants;

/** How each coding is read. Some servers leave out the end (http4s/http4s#1167): what is there is read, and the caller sees whether it is whole. */
const decoders = {
  gzip: (bytes: Uint8Array, maxOutputLength: number) =>
    promisify(zlib.gunzip)(bytes, { maxOutputLength, finishFlush: Z_SYNC_FLUSH }),
  /** By RFC 9110 with a head of zlib, of which the first byte ends in 8; some servers leave it out (axios/axios#3887). */
  deflate: (bytes: Uint8Array, maxOutputLength: number) =>
    promisify(((bytes[0] ?? 0) & 0x0f) === 8 ? zlib.inflate : zlib.inflateRaw)(bytes, {
      maxOutputLength,
      finishFlush: Z_SYNC_FLUSH,
    }),
  br: (bytes: Uint8Array, maxOutputLength: number) =>
    promisify(zlib.brotliDecompress)(bytes, { maxOutputLength, finishFlush: BROTLI_OPERATION_FLUSH }),
  zstd: (bytes: Uint8Array, maxOutputLength: number) =>
    promisify(zlib.zstdDecompress)(bytes, { maxOutputLength, finishFlush: ZSTD_e_flush }),
};

/**
 * The text of a body as it arrived, also of one that is compressed.
 *
 * Nobody asked for that, and some servers and caches do it all the same (ArchiveTeam/wpull#14, rbren/rss-parser#280, npm/public-api#18),
 * even without saying so (Han-1413141/dsh-cost-meter#172): what was read as it is would be a reply without the new token. A body that is not
 * what its header says, or is too large, stays as it is.
 */
export async function readBody(
  bytes: Uint8Array,
  { encoding, mostBytes }: { readonly encoding: string | undefined; readonly mostBytes: number },
): Promise<string> {
  const coding = codingOf(bytes, encoding);
  if (coding === null) return textOf(bytes);
  try {
    return textOf(await decoders[coding](bytes, mostBytes));
  } catch {
    return textOf(bytes); // the caller says that it is no answer
  }
}

function codingOf(bytes: Uint8Array, encoding = ''): keyof typeof decoders | null {
  // No text begins like these.
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip';
  if (bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd) return 'zstd';
  const named = encoding.trim().toLowerCase();
  return (named === 'deflate' || named === 'br') && !isText(bytes) ? named : null;
}

/** Whether a body is a text already: a decoder that needs no end could take some for the beginning of what is compressed. */
function isText(bytes: Uint8Array): boolean {
  try {
    return /^[\t\n\r\P{Cc}]*$/u.test(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return false; // no UTF-8
  }
}

/** Without a byte order mark. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
