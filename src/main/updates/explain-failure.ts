import { UpdateError } from './update-state.ts';

export interface FailureFacts {
  readonly step: 'check' | 'download';
  /** Host and port, as a person knows the feed. */
  readonly feedHost: string;
  readonly redirect: string | null;
  readonly status: number | null;
}

/**
 * Turns what electron-updater threw into a sentence for the person.
 *
 * Recognised by code and by what the guard saw. Chromium's network errors have their code in the message and nowhere
 * else; what electron-updater throws at a list that it cannot read is often a plain TypeError.
 */
export function explainFailure(error: unknown, facts: FailureFacts): UpdateError {
  if (error instanceof UpdateError) return error;
  return new UpdateError(sentenceFor(error, facts), { cause: error });
}

function sentenceFor(error: unknown, { step, feedHost, redirect, status }: FailureFacts): string {
  const feed = `The update feed (${feedHost})`;
  if (redirect !== null) {
    return `${feed} sends us on to ${hostOf(redirect)}, where Rotavox does not follow it. If you trust that address, set it as the feed.`;
  }
  if (status === 404) {
    return step === 'check'
      ? `${feed} has no list of versions for this system. Check its address in the settings.`
      : `${feed} lists the new version but does not have its file. Try again later.`;
  }
  if (status === 401 || status === 403 || status === 407) {
    return `${feed} does not let us in (${status}). Check its address in the settings.`;
  }
  if (status !== null && status >= 400) return `${feed} answers with an error (${status}). Try again later.`;

  const code = codeOf(error);
  if (code === 'ERR_CHECKSUM_MISMATCH') return wrongChecksum;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return 'There is no room on the disk for the new version. Make some and try again.';
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return `The folder for downloads cannot be written to (${code}). Check its permissions and try again.`;
  }
  if (code.startsWith('ERR_CERT_') || code.startsWith('ERR_SSL_')) {
    return `${feed} could not prove who it is (${code}). Do not trust it until that is mended.`;
  }
  if (code === 'ERR_CONTENT_LENGTH_MISMATCH' || (status !== null && isNetwork(error))) {
    return `The connection to the update feed (${feedHost}) broke (${code}). Try again.`;
  }
  if (isNetwork(error)) return `${feed} cannot be reached (${code}). Check the network and the address.`;
  if (step === 'check') {
    return `What ${feedHost} sent is not a list of versions. Check the address of the feed in the settings.`;
  }
  return `The download failed (${code || firstLineOf(error)}). Try again; if it stays, please report it.`;
}

export const wrongChecksum =
  'The downloaded file is not the one that the update feed describes; it was deleted and nothing was installed. Try again; if it happens twice, tell whoever runs the feed.';

const networkCode = /^net::(ERR_\w+)$/;

function isNetwork(error: unknown): boolean {
  return networkCode.test(firstLineOf(error));
}

function codeOf(error: unknown): string {
  const [, network] = networkCode.exec(firstLineOf(error)) ?? [];
  if (network !== undefined) return network;
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

function firstLineOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.slice(0, 200);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'another address';
}
