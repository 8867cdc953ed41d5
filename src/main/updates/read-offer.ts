import { z } from 'zod';
import { UpdateError } from './update-state.ts';

/** A version that may be downloaded. */
export interface Offer {
  readonly version: string;
  /** SHA-512 of the files for this system, in base64: only a file with one of these is installed. */
  readonly sha512s: readonly string[];
}

export interface OfferTerms {
  readonly feed: string;
  /** Of the files that install on this system: `AppImage` or `exe`. */
  readonly extension: string;
  readonly runningVersion: string;
}

/** The part of electron-builder's latest*.yml that is used here. */
const VersionList = z.object({
  version: z.string().regex(/^\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[\dA-Za-z.-]{1,50})?(?:\+[\dA-Za-z.-]{1,50})?$/),
  files: z
    .array(z.object({ url: z.string().min(1), sha512: z.string().regex(/^[\dA-Za-z+/]{86}==$/) }))
    .min(1),
});

/**
 * Reads and validates a feed's list of its newest version.
 *
 * electron-updater has compared the versions. Checked here: every file has a complete SHA-512 and is below the feed's own
 * address, with a plain name, so that no other server is asked and no path leaves the download folder; and one of the
 * files is for this system. A preview is not offered (null) unless a preview is running.
 */
export function readOffer(list: unknown, { feed, extension, runningVersion }: OfferTerms): Offer | null {
  const read = VersionList.safeParse(list);
  if (!read.success) {
    throw new UpdateError({ code: 'incomplete_list' });
  }
  const { version, files } = read.data;
  if (isPreview(version) && !isPreview(runningVersion)) return null;

  const base = baseOf(feed);
  const foreign = files.find(({ url }) => !isPlainFileBelow(base, url));
  if (foreign !== undefined) {
    throw new UpdateError({ code: 'foreign_file', url: foreign.url.slice(0, 200) });
  }
  const fitting = files.filter(({ url }) => url.endsWith(`.${extension}`));
  if (fitting.length === 0) {
    throw new UpdateError({ code: 'no_installer', version, extension });
  }
  return { version, sha512s: fitting.map(({ sha512 }) => sha512) };
}

/** The address of the folder of a feed. */
export function baseOf(feed: string): URL {
  return new URL(feed.endsWith('/') ? feed : `${feed}/`);
}

function isPreview(version: string): boolean {
  return version.replace(/\+.*/, '').includes('-');
}

/** Checks the name as it is written: one that needs decoding or resolving is not plain. */
function isPlainFileBelow(base: URL, url: string): boolean {
  const isPlain = url.split('/').every((part) => /^[\w()+@~-][\w .()+@~-]*$/.test(part));
  return isPlain && new URL(url, base).href.startsWith(base.href);
}
