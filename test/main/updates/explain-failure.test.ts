import { describe, expect, it } from 'vitest';
import { explainFailure, type FailureFacts } from '../../../src/main/updates/explain-failure.ts';
import { UpdateError } from '../../../src/main/updates/update-state.ts';

const check: FailureFacts = {
  step: 'check',
  feedHost: 'updates.example.com',
  redirect: null,
  status: null,
};
const download: FailureFacts = { ...check, step: 'download', status: 200 };

function coded(code: string, message = 'raw words that nobody should read'): Error {
  return Object.assign(new Error(message), { code });
}

describe('a failure of an update', () => {
  const rows: [string, unknown, FailureFacts, string][] = [
    [
      'a redirect',
      new Error('net::ERR_BLOCKED_BY_CLIENT'),
      { ...check, redirect: 'https://cdn.example/x?y' },
      'https://cdn.example,',
    ],
    ['a redirect to nowhere', new Error('x'), { ...check, redirect: 'not an address' }, 'another address'],
    [
      'no list',
      coded('ERR_UPDATER_CHANNEL_FILE_NOT_FOUND'),
      { ...check, status: 404 },
      'no list of versions',
    ],
    ['no file', new Error('Cannot download'), { ...download, status: 404 }, 'does not have its file'],
    ['a locked feed', new Error('x'), { ...check, status: 403 }, 'does not let us in (403)'],
    ['a broken feed', coded('HTTP_ERROR_502'), { ...check, status: 502 }, 'answers with an error (502)'],
    [
      'a foreign file',
      coded('ERR_CHECKSUM_MISMATCH'),
      download,
      'not the one that the update feed describes',
    ],
    ['a full disk', coded('ENOSPC'), download, 'no room on the disk'],
    ['a folder of somebody else', coded('EACCES'), download, 'cannot be written to (EACCES)'],
    ['a false certificate', new Error('net::ERR_CERT_AUTHORITY_INVALID'), check, 'could not prove who it is'],
    [
      'no network',
      new Error('net::ERR_INTERNET_DISCONNECTED'),
      check,
      'cannot be reached (ERR_INTERNET_DISCONNECTED)',
    ],
    ['a line that broke', new Error('net::ERR_CONNECTION_RESET'), download, 'broke (ERR_CONNECTION_RESET)'],
    [
      'a list that is none',
      new TypeError('x of null\nand a stack'),
      { ...check, status: 200 },
      'is not a list of versions',
    ],
    ['something else', new Error('boom\nand a stack'), download, 'boom'],
    ['something that is no error', 'boom', download, 'boom'],
  ];
  it.each(rows)('is said in a sentence for %s', (_what, error, facts, words) => {
    const { message, cause } = explainFailure(error, facts);
    expect(message).toContain(words);
    expect(message).toMatch(/^[A-Z][^\n]*\. [A-Z][^\n]*\.$/);
    expect(message).not.toMatch(/nobody should read|stack/);
    expect(cause).toBe(error);
  });

  it('that is explained already stays as it is', () => {
    const explained = new UpdateError('The feed is closed on Sundays. Try again on Monday.');
    expect(explainFailure(explained, { ...check, status: 500 })).toBe(explained);
  });
});
