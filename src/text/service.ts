/** What the service answers its owner, and what its log says. */

export const refusalText = {
  noSuchIvr: 'There is no IVR with this id.',
  noSuchToken: 'There is no token with this id.',
  noSuchFamily: 'There is no token family with this id.',
  credentialRemoved: 'The credential was removed in the meantime.',
  notIssuedHere: (name: string) =>
    `The token of “${name}” was not issued by this service. Issue a new one where it came from and enter it here.`,
  tooManyWindows: (most: number) => `${most} windows are already open. Close one.`,
  /** `reason` is a sentence. */
  audioNotKept: (reason: string) =>
    `The audio could not be written to disk, so nothing was changed. ${reason}`,
  audioGone: (name: string) =>
    `The audio of “${name}” is no longer in the data folder. Restore it from a backup of the folder ` +
    '“recordings”, or replace the audio of this recording.',
  bodyTooLarge: (limit: string) => `The body is too large. The limit is ${limit}.`,
} as const;

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
  historyUnreadable: 'The history could not be read',
  requestFailed: 'A request failed inside the service',
  expiryNotRecorded: 'The expiry of a token could not be recorded; it is tried again',
} as const;
