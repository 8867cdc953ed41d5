import type { JsonError } from '../../contract/find-json-error.ts';
import type { TokenStatus } from '../../contract/token/token.ts';
import { jsonErrorText } from '../text-file.ts';

/** What the service answers its owner, and what its log says. */

const movedWords = { suspend: 'suspended', resume: 'resumed', blacklist: 'blacklisted' } as const;

export const refusalText = {
  noSuchCall: 'There is no record of this call. It may be too old, or have been deleted.',
  noSuchIvr: 'There is no IVR with this id.',
  cannotMove: (status: TokenStatus, allowed: readonly TokenStatus[], move: keyof typeof movedWords) =>
    `The token is ${status}; only ${allowed[0] === 'Active' ? 'an' : 'a'} ${allowed.join(' or ')} token can be ${movedWords[move]}.`,
  noSuchToken: 'There is no token with this id.',
  noSession: 'You have no session with this id.',
  notStopped:
    'This Rotavox is not stopped by a call. Quit the app, or stop the service where it was started.',
  notStoppedByOwner:
    'The service is stopped by the person whose computer it runs on. Your key cannot do that.',
  noHost: 'The team has no host with this id, or not any more.',
  hostRuns: (address: string) =>
    `The host at ${address} runs, so it was not removed. Stop it first; then it is removed by itself.`,
  browserNotRemembered: 'This is not a key, or the call does not come from the page of a signed-in browser.',
  tooManyRunning: (most: number) =>
    `${most} commands report that they run already. Further ones are not shown as running.`,
  tooManyWindows: (most: number) => `${most} windows are already open. Close one.`,
  audioGone: (name: string) =>
    `The audio of “${name}” is no longer in the data folder. Restore it from a backup of the folder ` +
    '“recordings”, or replace the audio of this recording.',
  bodyTooLarge: (limit: string) => `The body is too large. The limit is ${limit}.`,
} as const;

/** Why a body is not read. Nothing of it is quoted: it may have a secret in it. */
export function malformedText(
  what:
    | { readonly kind: 'not_json'; readonly error: JsonError }
    | { readonly kind: 'forbidden_name' }
    | { readonly kind: 'not_utf8'; readonly line: number },
): string {
  switch (what.kind) {
    case 'not_json':
      return `The body is not valid JSON: ${jsonErrorText(what.error)}.`;
    case 'forbidden_name':
      return 'The body has a member named __proto__, or a constructor with a prototype, which is never taken. Leave it out.';
    case 'not_utf8':
      return `The body is not UTF-8, as JSON has to be: see line ${what.line}. Send it in UTF-8.`;
  }
}

/** `trouble` is a sentence about the credential. */
export function uncertainTokenNote(trouble: string): string {
  return `The token may not work. ${trouble}`;
}

/** The reason in the history of a token that was issued for a credential and blacklisted at once. */
export const notKeptReason = 'The token could not be written to the vault.';

/** What the service shows at `/` where the windows are not built. */
export const windowsNotBuilt =
  'Rotavox runs here. Its windows are not built: run `npm run build`. The API is described at /docs.\n';

export const logText = {
  request: 'A request was answered',
  historyUnreadable: 'The history could not be read',
  requestFailed: 'A request failed inside the service',
  expiryNotRecorded: 'The expiry of a token could not be recorded; it is tried again',
} as const;

/** What the metrics for Prometheus measure: the help of each. */
export const metricsText = {
  role: 'What this host does: 1 for its role.',
  ready: '1 while this host can answer calls or pass them on.',
  epoch: 'The epoch of the team, raised by each takeover.',
  lag: 'Events that this host has not replayed yet.',
  lease: 'How long this host may lead without another renewal.',
  terms: 'How many times this process has become the leader.',
  connections: 'Open connections of callers.',
  passedOn: 'Calls that are with the leader now.',
  certificateEnd: 'When the TLS certificate ends, in seconds since 1970.',
  credentials: 'Credentials by state.',
  requests: 'How long requests took, by route and status.',
  appends: 'How long it took to make a batch of events durable.',
  batches: 'Events of a batch.',
  rotations: 'Rotations of tokens that were issued here, and of credentials.',
} as const;
