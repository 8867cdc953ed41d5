import { describe, expect, it } from 'vitest';
import {
  type Change,
  noAnswerText,
  problemText,
  statusText,
  unexpectedAnswerText,
} from '../../src/text/window/connection.ts';
import { expectSentences } from './problems.ts';

const changes: Record<Change, string> = {
  token_issued: 'a token was issued',
  token_replaced: 'the token was replaced',
  token_rotated: 'the token was rotated',
  token_suspended: 'suspended',
  token_resumed: 'resumed',
  token_blacklisted: 'blacklisted',
  credential_added: 'the credential was added',
  credential_changed: 'the credential was changed',
  credential_removed: 'the credential was removed',
  rotation_paused: 'rotation is paused',
  rotation_resumed: 'rotation is resumed',
  target_added: 'the target was added',
  target_delivered: 'delivered',
  target_removed: 'the target was removed',
  proxy_changed: 'the proxy was changed',
  recording_added: 'the recording was added',
  recording_replaced: 'the recording was replaced',
  recording_renamed: 'renamed',
  recording_removed: 'the recording was removed',
  entry_saved: 'the entry was saved',
  entry_removed: 'the entry was removed',
  entries_imported: 'imported',
  draft_created: 'the draft was created',
  draft_copied: 'the copy was made',
  draft_deleted: 'the draft was deleted',
  draft_published: 'published',
  pbx_added: 'the telephone system was added',
  pbx_changed: 'the telephone system was changed',
  pbx_removed: 'the telephone system was removed',
  phone_rung: 'whether the phone rings',
  token_ended: 'the token was ended',
  calls_forgotten: 'call records were deleted',
  settings_changed: 'the settings were changed',
  proxy_login_changed: 'whether a password is stored',
  tokens_moved: 'where the tokens are',
  owner_added: 'whether the owner was added',
  owner_revoked: 'whether the owner was revoked',
  signed_out: 'signed out',
};

describe('a request that got no answer', () => {
  const lost = { kind: 'unreachable', reason: noAnswerText.notReached } as const;

  it.each(Object.entries(changes) as [Change, string][])(
    'says how to find out whether it was carried out: %s',
    (change, words) => {
      const text = problemText(lost, change);
      expectSentences(text);
      expect(text).toMatch(/^The service does not answer: it cannot be reached\. /);
      expect(text).toContain(words);
    },
  );

  it('mentions no change when it only reads', () => {
    expect(problemText({ kind: 'unreachable', reason: noAnswerText.brokenOff('ECONNRESET') })).toBe(
      'The service does not answer: its answer broke off (ECONNRESET).',
    );
  });
});

it('a refusal is shown as the service worded it, because nothing was changed', () => {
  const problem = { kind: 'refused', reason: 'The name is taken.' } as const;
  expect(problemText(problem, 'credential_added')).toBe('The name is taken.');
});

it('a window that is not signed in says where the command is that signs it in', () => {
  expect(problemText({ kind: 'signed-out' }, 'token_issued')).toContain('Reload it');
});

it('an answer that is not ours is reported with its status', () => {
  expect(statusText(502, 'Bad Gateway')).toBe('It answered with 502 Bad Gateway.');
  expect(unexpectedAnswerText({ baseUrl: 'http://127.0.0.1:7682', status: 200 })).toContain(
    'http://127.0.0.1:7682 does not answer like this version of Rotavox (HTTP 200)',
  );
  expect(unexpectedAnswerText({ baseUrl: '', status: 200 })).toContain('the address of the service');
});
