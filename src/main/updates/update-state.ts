/**
 * What is known of a newer version of this program.
 *
 * `asked` tells a check that a person asked for, whose outcome is shown, from the daily one, whose outcome is not.
 * `percent` is null until the feed has said how long the file is. `ready` is on this disk, checked, and installed by a
 * click or by the next quit.
 */
export type UpdateState =
  | { readonly kind: 'off' }
  | { readonly kind: 'cannot'; readonly why: string }
  | { readonly kind: 'idle' }
  | { readonly kind: 'checking'; readonly asked: boolean }
  | { readonly kind: 'current'; readonly checkedAt: string; readonly asked: boolean }
  | { readonly kind: 'available'; readonly version: string; readonly asked: boolean }
  | { readonly kind: 'downloading'; readonly version: string; readonly percent: number | null }
  | { readonly kind: 'ready'; readonly version: string }
  | { readonly kind: 'installing'; readonly version: string }
  | {
      readonly kind: 'failed';
      readonly step: UpdateStep;
      readonly problem: string;
      readonly asked: boolean;
    };

export type UpdateStep = 'check' | 'download' | 'install';

export type UpdateEvent =
  /** `obstacle`: why this copy of the program cannot replace itself. */
  | { readonly kind: 'feed_changed'; readonly isSet: boolean; readonly obstacle: string | null }
  | { readonly kind: 'check_began'; readonly asked: boolean }
  | { readonly kind: 'nothing_newer'; readonly at: string }
  | { readonly kind: 'newer_found'; readonly version: string }
  | { readonly kind: 'download_began' }
  | { readonly kind: 'progressed'; readonly percent: number }
  | { readonly kind: 'downloaded' }
  | { readonly kind: 'install_began' }
  | { readonly kind: 'step_failed'; readonly problem: string };

/**
 * The state after an event; the very same object when the event has no place in it.
 *
 * So a click that comes too late, twice, or from a menu that is a moment old does nothing.
 */
export function nextUpdateState(state: UpdateState, event: UpdateEvent): UpdateState {
  switch (event.kind) {
    case 'feed_changed':
      if (!event.isSet) return { kind: 'off' };
      return event.obstacle === null ? { kind: 'idle' } : { kind: 'cannot', why: event.obstacle };
    case 'check_began':
      return afterCheckBegan(state, event.asked);
    case 'nothing_newer':
      if (state.kind !== 'checking') return state;
      return { kind: 'current', checkedAt: event.at, asked: state.asked };
    case 'newer_found':
      if (state.kind !== 'checking') return state;
      return { kind: 'available', version: event.version, asked: state.asked };
    case 'download_began':
      if (state.kind !== 'available') return state;
      return { kind: 'downloading', version: state.version, percent: null };
    case 'progressed':
      if (state.kind !== 'downloading' || event.percent <= (state.percent ?? -1)) return state;
      return { ...state, percent: event.percent };
    case 'downloaded':
      return state.kind === 'downloading' ? { kind: 'ready', version: state.version } : state;
    case 'install_began':
      return state.kind === 'ready' ? { kind: 'installing', version: state.version } : state;
    case 'step_failed':
      return afterFailure(state, event.problem);
  }
}

/** Where there is something to download or to install, that comes first: a check would only take it away for a moment. */
function afterCheckBegan(state: UpdateState, asked: boolean): UpdateState {
  switch (state.kind) {
    case 'idle':
    case 'current':
    case 'failed':
      return { kind: 'checking', asked };
    case 'available':
      return asked ? { kind: 'checking', asked } : state;
    case 'checking':
      // A person asks while the daily check is under way: the same check, whose outcome is shown now.
      return asked && !state.asked ? { kind: 'checking', asked } : state;
    case 'off':
    case 'cannot':
    case 'downloading':
    case 'ready':
    case 'installing':
      return state;
  }
}

function afterFailure(state: UpdateState, problem: string): UpdateState {
  switch (state.kind) {
    case 'checking':
      return { kind: 'failed', step: 'check', problem, asked: state.asked };
    case 'downloading':
      return { kind: 'failed', step: 'download', problem, asked: true };
    case 'installing':
      return { kind: 'failed', step: 'install', problem, asked: true };
    case 'off':
    case 'cannot':
    case 'idle':
    case 'current':
    case 'available':
    case 'ready':
    case 'failed':
      return state;
  }
}

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
