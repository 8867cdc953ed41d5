import type { UpdateProblem } from '../../contract/update.ts';
import { UpdateError } from './update-state.ts';

export interface FailureFacts {
  readonly step: 'check' | 'download';
  /** Host and port. */
  readonly feed: string;
  readonly redirect: string | null;
  readonly status: number | null;
}

/**
 * Why a request of electron-updater failed.
 *
 * Recognised by error codes and by what the guard of the session saw. Chromium's network errors have their code only in the
 * message; for a list that cannot be read electron-updater often throws a plain TypeError.
 */
export function explainFailure(error: unknown, facts: FailureFacts): UpdateError {
  if (error instanceof UpdateError) return error;
  return new UpdateError(problemOf(error, facts), { cause: error });
}

function problemOf(error: unknown, { step, feed, redirect, status }: FailureFacts): UpdateProblem {
  if (redirect !== null) return { code: 'redirected', feed, to: originOf(redirect) };
  if (status === 404) return { code: step === 'check' ? 'no_list' : 'no_file', feed };
  if (status === 401 || status === 403 || status === 407) return { code: 'denied', feed, status };
  if (status !== null && status >= 400) return { code: 'feed_failed', feed, status };

  const code = codeOf(error);
  if (code === 'ERR_CHECKSUM_MISMATCH') return { code: 'wrong_file' };
  if (code === 'ENOSPC' || code === 'EDQUOT') return { code: 'disk_full' };
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return { code: 'not_writable', error: code };
  if (code.startsWith('ERR_CERT_') || code.startsWith('ERR_SSL_'))
    return { code: 'untrusted', feed, error: code };
  const isNetwork = networkCode.test(firstLineOf(error));
  if (code === 'ERR_CONTENT_LENGTH_MISMATCH' || (status !== null && isNetwork))
    return { code: 'connection_lost', feed, error: code };
  if (isNetwork) return { code: 'unreachable', feed, error: code };
  if (step === 'check') return { code: 'not_a_list', feed };
  return { code: 'download_failed', detail: code || firstLineOf(error) };
}

const networkCode = /^net::(ERR_\w+)$/;

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

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
