import type { UpdateObstacle, UpdateProblem, UpdateState } from '../../contract/service/update.ts';

export type UpdateEvent =
  | { readonly kind: 'feed_changed'; readonly isSet: boolean; readonly obstacle: UpdateObstacle | null }
  | { readonly kind: 'check_began'; readonly asked: boolean }
  | { readonly kind: 'nothing_newer'; readonly at: string }
  | { readonly kind: 'newer_found'; readonly version: string }
  | { readonly kind: 'download_began' }
  | { readonly kind: 'progressed'; readonly percent: number }
  | { readonly kind: 'downloaded' }
  | { readonly kind: 'install_began' }
  | { readonly kind: 'step_failed'; readonly problem: UpdateProblem };

/**
 * The state after an event; the same object when the event does not apply.
 *
 * So a click that comes too late, twice, or from an outdated menu does nothing.
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

/** An update that can be downloaded or installed stays: the daily check would only hide it for a moment. */
function afterCheckBegan(state: UpdateState, asked: boolean): UpdateState {
  switch (state.kind) {
    case 'idle':
    case 'current':
    case 'failed':
      return { kind: 'checking', asked };
    case 'available':
      return asked ? { kind: 'checking', asked } : state;
    case 'checking':
      // A person asks during the daily check: the same check, whose result is shown now.
      return asked && !state.asked ? { kind: 'checking', asked } : state;
    case 'off':
    case 'cannot':
    case 'downloading':
    case 'ready':
    case 'installing':
      return state;
  }
}

function afterFailure(state: UpdateState, problem: UpdateProblem): UpdateState {
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
 * Every call may throw an `UpdateError`; after that, or after `close`, a source cannot be used any more.
 */
export interface UpdateSource {
  /** The version that the feed offers, when it is newer than this one. */
  check(): Promise<string | null>;

  /** Downloads and verifies what `check` found. `onPercent` gets whole numbers, and is not called when the length is unknown. */
  download(onPercent: (percent: number) => void): Promise<void>;

  /**
   * Installs what was downloaded, ends this program and starts the new one.
   *
   * What can fail comes first; then `beforeEnd` closes the host; after that the program ends in any case.
   */
  installAndRestart(beforeEnd: () => Promise<void>): Promise<void>;

  /** Installs what was downloaded, for the next start, as the last step of a quit. */
  install(): Promise<void>;

  /** Ends the current request and makes no others. */
  close(): void;
}

/** Makes no request: the first is made by `check`. */
export type OpenUpdateSource = (feed: string) => UpdateSource;

export class UpdateError extends Error {
  readonly problem: UpdateProblem;

  constructor(problem: UpdateProblem, options?: { cause: unknown }) {
    super(problem.code, options);
    this.name = 'UpdateError';
    this.problem = problem;
  }
}
