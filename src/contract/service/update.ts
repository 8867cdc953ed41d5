import type { NetworkFailure } from '../credential/rotation-trouble.ts';

/** What is known of a newer version of the desktop app. Made in the main process; `text/service/updates-text.ts` has the sentences. */

/**
 * The state of the updates of this copy.
 *
 * `asked` distinguishes a check that a person asked for, whose result is shown, from the daily one, whose result is not.
 * `percent` is null until the feed has said how long the file is. `ready`: the file is on disk and checked, and is
 * installed by a click or by the next quit.
 */
export type UpdateState =
  | { readonly kind: 'off' }
  | { readonly kind: 'cannot'; readonly why: UpdateObstacle }
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
      readonly problem: UpdateProblem;
      readonly asked: boolean;
    };

/** What people see of it. `replaced`: another version was installed over this one, which runs until it is started again. */
export type ShownUpdate = UpdateState | { readonly kind: 'replaced' };

export type UpdateStep = 'check' | 'download' | 'install';

/** Why this copy of the program cannot replace itself. */
export type UpdateObstacle =
  /** `no_key`: packed without the key that verifies who made an update. */
  | { readonly code: 'checkout' | 'macos' | 'unpacked' | 'no_key' }
  /** The AppImage is in a folder that may not be written to. */
  | { readonly code: 'read_only'; readonly file: string }
  /** Installed by a package manager: `deb`, `rpm` … */
  | { readonly code: 'package'; readonly format: string };

/** Why a step failed. `feed` is its host and port, `error` a code of the system. */
export type UpdateProblem =
  | { readonly code: 'no_list' | 'no_file' | 'unsigned' | 'timeout'; readonly feed: string }
  | { readonly code: 'denied' | 'feed_failed'; readonly feed: string; readonly status: number }
  | {
      readonly code: 'connection_lost' | 'unreachable';
      readonly feed: string;
      readonly error: string;
    }
  /** A proxy or a certificate is in the way. */
  | { readonly code: 'way'; readonly feed: string; readonly failure: NetworkFailure }
  | {
      readonly code:
        | 'wrong_signature'
        | 'unknown_list'
        | 'wrong_file'
        | 'disk_full'
        | 'feed_changed'
        | 'not_started';
    }
  | { readonly code: 'older_version'; readonly version: string; readonly running: string }
  | { readonly code: 'no_file_for_system'; readonly version: string; readonly system: string }
  | { readonly code: 'not_writable'; readonly error: string }
  | { readonly code: 'not_replaced'; readonly file: string; readonly error: string }
  | { readonly code: 'unexpected'; readonly detail: string };
