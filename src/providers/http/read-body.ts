import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

const decoders = { gzip: promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) };

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
    return textOf(await decoders[coding](bytes, { maxOutputLength: mostBytes }));
  } catch {
    return textOf(bytes); // the caller says that it is no answer
  }
}

function codingOf(bytes: Uint8Array, encoding = ''): keyof typeof decoders | null {
  // No text begins like this.
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip';
  const named = encoding.trim().toLowerCase();
  return named === 'deflate' || named === 'br' ? named : null;
}

/** Without a byte order mark. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
