import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import compare from 'semver/functions/compare.js';
import prerelease from 'semver/functions/prerelease.js';
import { z } from 'zod';
import { UpdateError } from './update-state.ts';

/** The two files of a feed beside the packages themselves; made by launcher/make-update-list.ts. */
export const listName = 'updates.json';
export const signatureName = 'updates.json.sig';

/** A version that may be downloaded, and its file for this system. */
export interface Offer {
  readonly version: string;
  readonly file: { readonly name: string; readonly size: number; readonly sha512: string };
}

/** The copy that a file has to fit, in the words of the list. */
export interface OfferTerms {
  readonly platform: string;
  readonly arch: string;
  readonly kind: 'appimage' | 'nsis';
  readonly runningVersion: string;
}

const versionPattern = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[\dA-Za-z.-]{1,50})?(?:\+[\dA-Za-z.-]{1,50})?$/;

/** Unknown fields and kinds are for later versions of Rotavox. */
const UpdateList = z.object({
  program: z.literal('rotavox'),
  version: z.string().regex(versionPattern),
  files: z.array(
    z.object({
      platform: z.string(),
      arch: z.string(),
      kind: z.string(),
      // A plain name: no path leaves the folder of the feed or that of the download.
      name: z.string().regex(/^\w[\w .()+@~-]{0,199}$/),
      size: z.int().positive(),
      sha512: z.string().regex(/^[\dA-Za-z+/]{86}==$/),
    }),
  ),
});

/**
 * Reads a feed's list once its signature is verified, which is before any byte of it is parsed.
 *
 * Returns null if the list has the running version, or a preview while none is running. An older version is refused: it
 * is how somebody with an old, correctly signed list would bring back its faults.
 */
// see decisions/updates.md
export function readOffer(list: Buffer, signature: Buffer, key: KeyObject, terms: OfferTerms): Offer | null {
  if (!verify(null, list, key, Buffer.from(signature.toString('latin1'), 'base64'))) {
    throw new UpdateError({ code: 'wrong_signature' });
  }
  const { version, files } = parse(list);
  const order = compare(version, terms.runningVersion);
  if (order < 0) throw new UpdateError({ code: 'older_version', version, running: terms.runningVersion });
  if (order === 0 || (prerelease(version) !== null && prerelease(terms.runningVersion) === null)) return null;

  const { platform, arch, kind } = terms;
  const file = files.find((one) => one.platform === platform && one.arch === arch && one.kind === kind);
  if (file === undefined)
    throw new UpdateError({ code: 'no_file_for_system', version, system: `${platform} ${arch}` });
  return { version, file: { name: file.name, size: file.size, sha512: file.sha512 } };
}

function parse(list: Buffer): z.infer<typeof UpdateList> {
  let content: unknown;
  try {
    content = JSON.parse(list.toString());
  } catch (error) {
    throw new UpdateError({ code: 'unknown_list' }, { cause: error });
  }
  const read = UpdateList.safeParse(content);
  if (!read.success) throw new UpdateError({ code: 'unknown_list' }, { cause: read.error });
  return read.data;
}

/**
 * The public key that signs updates, from a PEM file in the package; null if this copy was packed without one.
 *
 * A key of another kind counts as none, and so do contents that are no key: nothing is installed then.
 */
export function readUpdateKey(file: string): KeyObject | null {
  if (!existsSync(file)) return null;
  try {
    const key = createPublicKey(readFileSync(file));
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}
