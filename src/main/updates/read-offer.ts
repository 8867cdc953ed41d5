import { z } from 'zod';
import { UpdateError } from './update-state.ts';

/** A version that may be downloaded. */
export interface Offer {
  readonly version: string;
  /** SHA-512 of the files that would do here, in base64: what is installed has one of these. */
  readonly sha512s: readonly string[];
}

export interface OfferTerms {
  readonly feed: string;
  /** Of the files that install on this system: `AppImage` or `exe`. */
  readonly extension: string;
  readonly runningVersion: string;
}

/** What electron-builder writes into latest*.yml, as far as it matters here. */
const VersionList = z.object({
  version: z.string().regex(/^\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[\dA-Za-z.-]{1,50})?(?:\+[\dA-Za-z.-]{1,50})?$/),
  files: z
    .array(z.object({ url: z.string().min(1), sha512: z.string().regex(/^[\dA-Za-z+/]{86}==$/) }))
    .min(1),
});

/**
 * Reads what a feed says about its newest version, and refuses what it has no business to say.
 *
 * electron-updater has compared the versions. Here: every file has a whole SHA-512 and lies below the feed's own address,
 * under a plain name, so that nobody else is asked and no path leads out of the folder for downloads; and one of them
 * installs on this system. A preview is no offer (null) unless a preview is running.
 */
export function readOffer(list: unknown, { feed, extension, runningVersion }: OfferTerms): Offer | null {
  const read = VersionList.safeParse(list);
  if (!read.success) {
    throw new UpdateError(
      'The update feed lists a version without what is needed to check it. Tell whoever runs the feed.',
    );
  }
  const { version, files } = read.data;
  if (isPreview(version) && !isPreview(runningVersion)) return null;

  const base = baseOf(feed);
  const stranger = files.find(({ url }) => !isPlainFileBelow(base, url));
  if (stranger !== undefined) {
    throw new UpdateError(
      `The update feed names a file that is not its own (${stranger.url.slice(0, 200)}); nothing was fetched. Tell whoever runs the feed.`,
    );
  }
  const fitting = files.filter(({ url }) => url.endsWith(`.${extension}`));
  if (fitting.length === 0) {
    throw new UpdateError(
      `The update feed offers ${version}, but no ${extension} of it, which this copy of Rotavox needs. Tell whoever runs the feed.`,
    );
  }
  return { version, sha512s: fitting.map(({ sha512 }) => sha512) };
}

/** The address that everything of a feed lies below. */
export function baseOf(feed: string): URL {
  return new URL(feed.endsWith('/') ? feed : `${feed}/`);
}

function isPreview(version: string): boolean {
  return version.replace(/\+.*/, '').includes('-');
}

/** Judged by the name as it is written: what needs decoding or resolving is not plain. */
function isPlainFileBelow(base: URL, url: string): boolean {
  const isPlain = url.split('/').every((part) => /^[\w()+@~-][\w .()+@~-]*$/.test(part));
  return isPlain && new URL(url, base).href.startsWith(base.href);
}
