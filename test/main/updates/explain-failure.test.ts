import { describe, expect, it } from 'vitest';
import { explainFailure, type FailureFacts } from '../../../src/main/updates/explain-failure.ts';
import type { UpdateProblem } from '../../../src/contract/update.ts';
import { UpdateError } from '../../../src/main/updates/update-state.ts';

const feed = 'updates.example.com';
const check: FailureFacts = {
  step: 'check',
  feed,
  redirect: null,
  status: null,
};
const download: FailureFacts = { ...check, step: 'download', status: 200 };

function coded(code: string, message = 'raw words that nobody should read'): Error {
  return Object.assign(new Error(message), { code });
}

describe('a failure of an update', () => {
  const rows: [string, unknown, FailureFacts, UpdateProblem][] = [
    [
      'a redirect',
      new Error('net::ERR_BLOCKED_BY_CLIENT'),
      { ...check, redirect: 'https://cdn.example/x?y' },
      { code: 'redirected', feed, to: 'https://cdn.example' },
    ],
    [
      'a redirect to no address',
      new Error('x'),
      { ...check, redirect: 'not an address' },
      { code: 'redirected', feed, to: null },
    ],
    [
      'no list',
      coded('ERR_UPDATER_CHANNEL_FILE_NOT_FOUND'),
      { ...check, status: 404 },
      { code: 'no_list', feed },
    ],
    ['no file', new Error('Cannot download'), { ...download, status: 404 }, { code: 'no_file', feed }],
    ['a locked feed', new Error('x'), { ...check, status: 403 }, { code: 'denied', feed, status: 403 }],
    [
      'a broken feed',
      coded('HTTP_ERROR_502'),
      { ...check, status: 502 },
      { code: 'feed_failed', feed, status: 502 },
    ],
    ['another file', coded('ERR_CHECKSUM_MISMATCH'), download, { code: 'wrong_file' }],
    ['a full disk', coded('ENOSPC'), download, { code: 'disk_full' }],
    ['a read-only folder', coded('EACCES'), download, { code: 'not_writable', error: 'EACCES' }],
    [
      'a false certificate',
      new Error('net::ERR_CERT_AUTHORITY_INVALID'),
      check,
      { code: 'untrusted', feed, error: 'ERR_CERT_AUTHORITY_INVALID' },
    ],
    [
      'no network',
      new Error('net::ERR_INTERNET_DISCONNECTED'),
      check,
      { code: 'unreachable', feed, error: 'ERR_INTERNET_DISCONNECTED' },
    ],
    [
      'a lost connection',
      new Error('net::ERR_CONNECTION_RESET'),
      download,
      { code: 'connection_lost', feed, error: 'ERR_CONNECTION_RESET' },
    ],
    [
      'something that is no list',
      new TypeError('x of null\nand a stack'),
      { ...check, status: 200 },
      { code: 'not_a_list', feed },
    ],
    ['something else', new Error('boom\nand a stack'), download, { code: 'download_failed', detail: 'boom' }],
    ['something that is no error', 'boom', download, { code: 'download_failed', detail: 'boom' }],
  ];
  it.each(rows)('is recognised as %s', (_what, error, facts, problem) => {
    const explained = explainFailure(error, facts);
    expect(explained.problem).toEqual(problem);
    expect(explained.cause).toBe(error);
  });

  it('that is explained already stays as it is', () => {
    const explained = new UpdateError({ code: 'timeout', feed });
    expect(explainFailure(explained, { ...check, status: 500 })).toBe(explained);
  });
});
