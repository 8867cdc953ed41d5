import { type Place, placeOfLink } from './windows/place.ts';

/** Starts the app without a window, as at login. */
export const hiddenFlag = '--hidden';

/** What the command line asks of a start, or of the instance that runs already. */
export interface StartWish {
  readonly isHidden: boolean;
  /** Where a link in the arguments leads. */
  readonly place: Place | undefined;
}

/** Reads what was asked for. Chromium's and the launcher's own arguments are among them, so what is not ours is passed over. */
export function startWishOf(argv: readonly string[]): StartWish {
  const place = argv.map(placeOfLink).find((found) => found !== undefined);
  return { isHidden: argv.includes(hiddenFlag) && place === undefined, place };
}
