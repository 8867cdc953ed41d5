/**
 * The port to a feed of new versions, for one copy of the program and one address.
 *
 * Every call may throw an `UpdateError`; after one, or after `close`, a source is of no further use.
 */
export interface UpdateSource {
  /** The version that the feed offers, when it is newer than this one. */
  check(): Promise<string | null>;

  /** Fetches what `check` found, and checks it. `onPercent` gets whole numbers, and nothing when the length is unknown. */
  download(onPercent: (percent: number) => void): Promise<void>;

  /**
   * Installs what was downloaded, ends this program and starts the new one.
   *
   * What can fail comes first; then `beforeEnd` closes what must be closed; after that the program ends in any case.
   */
  installAndRestart(beforeEnd: () => Promise<void>): Promise<void>;

  /** Installs what was downloaded, for the next start: the last thing before a quit. */
  install(): Promise<void>;

  /** Ends what is under way. Nothing is fetched any more. */
  close(): void;
}

/** Costs nothing and asks nobody: the feed is first asked by `check`. */
export type OpenUpdateSource = (feed: string) => UpdateSource;

/** A step that failed, in a sentence for the person: what happened and what to do. */
export class UpdateError extends Error {
  constructor(sentence: string, options?: { cause: unknown }) {
    super(sentence, options);
    this.name = 'UpdateError';
  }
}
