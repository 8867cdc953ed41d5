import type { ProxyRuleId } from '../../src/contract/credential/proxy.ts';
import { describe, expect, it } from 'vitest';
import type { Attention } from '../../src/contract/window/attention.ts';
import { isDirect, remedyPath } from '../../src/renderer/overview/attention/take-step.ts';
import { attentionText } from '../../src/text/window/attention-text.ts';
import { remedyLabel } from '../../src/text/window/remedies.ts';

const noonMs = Date.UTC(2026, 0, 10, 12);

const soon = new Date(noonMs + 9 * 3_600_000).toISOString();
const earlier = new Date(noonMs - 3_600_000).toISOString();
const here = { service: 'embedded', origin: 'http://127.0.0.1:7682' } as const;
const away = { service: 'remote', origin: 'https://api.example.com' } as const;
const family = { family_id: 'fam_a', token_id: 'tok_a_1', name: 'billing', expires_at: soon };
const one = { name: 'nightly', expires_at: soon };

const host = { id: 'h2', name: 'beta', address: 'https://10.0.0.6:7682', since: earlier };

const usedBy = (program: string) => ({
  token_id: 'tok_a_1',
  successor_id: 'tok_a_2',
  address: '10.1.2.3',
  user_agent: program,
  count: 1,
  first_at: earlier,
  last_at: earlier,
});

function said(item: object): {
  title: string;
  text: string;
  endsAt: string | null;
  steps: string[];
  details: readonly string[];
} {
  const { title, text, expiresAt, remedies, details = [] } = attentionText(item as Attention, noonMs);
  return {
    title,
    text,
    endsAt: expiresAt,
    details,
    steps: remedies.map((one) => {
      if (one.kind === 'confirm_move') return `ask ${one.from.reason}: ${remedyLabel(one)}`;
      if (isDirect(one)) return `${one.kind} ${'name' in one ? one.name : one.familyId}`;
      return `go ${remedyPath(one)}: ${remedyLabel(one)}`;
    }),
  };
}

describe('what needs attention', () => {
  it.each<
    [
      object,
      {
        title?: RegExp | string;
        text?: RegExp;
        endsAt?: string | null;
        steps?: string[];
        details?: RegExp[];
      },
    ]
  >([
    [
      { kind: 'store_refusing', code: 'ENOSPC', message: 'The disk is full.', since: earlier },
      {
        title: 'Changes cannot be saved',
        text: /^The disk is full\. Since .+ \(ENOSPC\)\./,
        endsAt: null,
        steps: [],
      },
    ],
    [
      {
        kind: 'moved',
        from: { reason: 'other_machine', name: 'old-laptop', folder: '/home/mary/rotavox' },
        waiting: [],
      },
      {
        title: /^Nothing is rotated: these data come from another computer$/,
        text: /^These data come from another computer \(old-laptop\)\. Rotavox rotates and delivers nothing until you confirm that it no longer runs on old-laptop with these data\. Programs still get the current tokens\.$/,
        endsAt: null,
        steps: ['ask other_machine: Rotate from here'],
      },
    ],
    [
      {
        kind: 'moved',
        from: { reason: 'copy', name: null, folder: '/srv/rotavox' },
        waiting: [{ name: 'crm', expires_at: soon }],
      },
      { text: /copy of the data folder \/srv\/rotavox.*Due already: “crm”\./, endsAt: soon },
    ],
    [
      { kind: 'host_missing', ...host, has_successor: true },
      {
        title: 'Host “beta” does not report any more',
        text: /^https:\/\/10\.0\.0\.6:7682 was last seen .+\. Start Rotavox there again; .+ remove it\.$/,
        steps: ['remove_host beta'],
      },
    ],
    [
      { kind: 'host_missing', ...host, has_successor: false },
      { text: /There is no other host that could take over/ },
    ],
    [
      {
        kind: 'credential',
        ...one,
        ...here,
        state: 'refused',
        trouble: 'suspended',
        message: 'Resume it.',
        next_try_at: null,
        token_id: 'tok_a_1',
      },
      {
        title: '“nightly” is suspended',
        endsAt: soon,
        steps: ['resume_token nightly', 'go /credentials/nightly: Open credential'],
      },
    ],
    [
      {
        kind: 'credential',
        ...one,
        ...here,
        state: 'refused',
        trouble: 'blacklisted',
        token_id: 'tok_a_1',
        message: 'Issue it.',
        next_try_at: null,
      },
      { title: /is blacklisted/, endsAt: null, steps: ['go /credentials/nightly: Issue a new token…'] },
    ],
    [
      {
        kind: 'credential',
        ...one,
        ...away,
        state: 'refused',
        trouble: 'invalid',
        provider: { id: 'oauth2', inputs: {} },
        message: 'Sign in again.',
        next_try_at: null,
      },
      { title: /needs a new sign-in$/, steps: ['go /credentials/nightly: Sign in again'] },
    ],
    [
      {
        kind: 'reminder',
        ...one,
        ...away,
        provider: { id: 'assisted', inputs: { service: 'npm' } },
        left_percent: 20,
      },
      {
        title: '“nightly” expires soon and is not rotated automatically',
        text: /lets only a person create tokens\. Issue a new token at https:\/\/www\.npmjs\.com\/settings/,
        steps: [
          'go https://www.npmjs.com/settings/~/tokens: Open https://www.npmjs.com/settings/~/tokens',
          'go /credentials/nightly: Enter a new token…',
        ],
      },
    ],
    [
      { kind: 'reminder', ...one, ...away, provider: { id: 'vault', inputs: {} }, left_percent: 20 },
      {
        title: '“nightly” expires soon and is not rotated automatically',
        text: /^It cannot be renewed any further\. Issue a new token at https:\/\/api\.example\.com/,
        steps: ['go /credentials/nightly: Enter a new token…'],
      },
    ],
    [
      { kind: 'reminder', ...one, ...away, provider: { id: 'rotavox', inputs: {} }, left_percent: 10 },
      {
        title: '“nightly” expires soon and is not rotated automatically',
        text: /Issue a new token at https:\/\/api\.example\.com/,
        endsAt: soon,
        steps: ['go /credentials/nightly: Enter a new token…'],
      },
    ],
    [
      {
        kind: 'reminder',
        ...one,
        ...away,
        provider: { id: 'gitlab', inputs: { kind: 'personal' } },
        left_percent: 10,
      },
      {
        title: '“nightly” expires soon and is not rotated automatically',
        text: /^It may not rotate itself\. Issue a new token at/,
        endsAt: soon,
        steps: ['go /credentials/nightly: Enter a new token…'],
      },
    ],
    [
      {
        kind: 'failing',
        ...away,
        trouble: 'no_endpoint',
        message: 'Check it.',
        credentials: [one],
        next_try_at: null,
      },
      { title: 'Cannot be rotated: “nightly”', steps: ['go /credentials/nightly: Open credential'] },
    ],
    [
      {
        kind: 'failing',
        ...away,
        trouble: 'unsafe',
        redirect: { to: 'https://new.example', base_url: 'https://api.example.com/v4' },
        message: 'It redirects.',
        credentials: [one],
        next_try_at: soon,
      },
      {
        title: 'Rotation failed: “nightly”',
        steps: [
          'go /credentials/nightly?address=1: Change address…',
          'go /credentials/nightly: Open credential',
        ],
      },
    ],
    [
      { kind: 'journal_repaired', message: 'A torn line was cut off.' },
      { title: /repaired/, steps: ['go /history?verify=1: Verify history'] },
    ],
    [
      { kind: 'vault', vault: { kind: 'keychain', status: 'locked' }, message: 'Unlock it.', waiting: [one] },
      {
        title: 'The keychain is locked',
        text: /“nightly” cannot be rotated or delivered until then\.$/,
        endsAt: soon,
        steps: ['go /credentials/nightly?rotate=1: Rotate now', 'go /credentials/nightly: Open credential'],
      },
    ],
    [
      {
        kind: 'vault',
        vault: { kind: 'file', status: 'failed' },
        message: 'It cannot be read.',
        waiting: [],
      },
      { title: 'The encrypted file does not work', text: /^It cannot be read\.$/, endsAt: null, steps: [] },
    ],
    [
      {
        kind: 'credential',
        ...one,
        ...away,
        state: 'reply_lost',
        trouble: 'reply_lost',
        message: 'Lost.',
        next_try_at: null,
      },
      {
        title: '“nightly” needs a new token',
        endsAt: soon,
        steps: ['go /credentials/nightly: Enter a new token…'],
      },
    ],
    [
      {
        kind: 'credential',
        ...one,
        ...here,
        state: 'expired',
        trouble: 'expired',
        token_id: 'tok_a_1',
        message: 'Over.',
        next_try_at: null,
      },
      {
        title: '“nightly” has expired',
        endsAt: null,
        steps: ['go /credentials/nightly: Issue a new token…'],
      },
    ],
    [
      {
        kind: 'credential',
        ...one,
        ...here,
        state: 'value_missing',
        trouble: 'value_missing',
        message: 'Gone.',
        next_try_at: null,
      },
      { steps: ['go /credentials/nightly: Enter a new token…'] },
    ],
    [
      {
        kind: 'credential',
        ...one,
        ...away,
        state: 'refused',
        trouble: 'refused',
        message: 'No.',
        next_try_at: soon,
      },
      {
        title: '“nightly” is refused at the moment',
        steps: ['go /credentials/nightly?rotate=1: Rotate now', 'go /credentials/nightly: Open credential'],
      },
    ],
    [
      {
        kind: 'credential',
        ...one,
        ...away,
        state: 'refused',
        trouble: 'blacklisted',
        message: 'No.',
        next_try_at: null,
      },
      { title: '“nightly” is blacklisted and needs a new token' },
    ],
    [
      {
        kind: 'failing',
        ...away,
        trouble: 'unreachable',
        message: 'Nothing answers.',
        credentials: [one],
        next_try_at: soon,
      },
      {
        title: 'Rotation failed: “nightly”',
        text: /^Nothing answers\.$/,
        endsAt: soon,
        steps: ['go /credentials/nightly?rotate=1: Rotate now', 'go /credentials/nightly: Open credential'],
      },
    ],
    [
      {
        kind: 'failing',
        ...away,
        trouble: 'unreachable',
        message: 'Nothing answers.',
        credentials: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ ...one, name })),
        next_try_at: soon,
      },
      {
        title: 'Rotation failed: 5 credentials',
        text: /“a”, “b” and 3 more/,
        steps: ['go /credentials/a?rotate=1: Rotate “a” now', 'go /credentials: Open credentials'],
      },
    ],
    [
      { kind: 'paused_ends', ...one, paused_until: null },
      {
        title: /paused/,
        text: /until you resume it/,
        endsAt: soon,
        steps: ['resume nightly', 'go /credentials/nightly: Open credential'],
      },
    ],
    [
      {
        kind: 'retirement',
        name: 'nightly',
        service: 'remote',
        origin: 'https://api.example.com',
        generation: 1,
        expires_at: soon,
        message: 'https://api.example.com answered 503. Rotavox will retry.',
        attempts: 3,
        next_try_at: soon,
      },
      {
        title: 'An old token of “nightly” still works at https://api.example.com',
        text: /^It was replaced, but could not be deleted there in 3 attempts: .* Next attempt: .* it works until /,
        steps: [
          'go /credentials/nightly: Open credential',
          'go https://api.example.com: Open https://api.example.com',
        ],
      },
    ],
    [
      {
        kind: 'delivery',
        name: 'nightly',
        target_id: 'tgt_a',
        target: { kind: 'file', path: '/srv/token' },
        message: 'The folder is not there.',
        next_try_at: null,
      },
      {
        title: 'Delivery of “nightly” to /srv/token failed',
        text: /^The folder is not there\.$/,
        steps: ['deliver nightly', 'go /credentials/nightly: Open credential'],
      },
    ],
    [
      {
        kind: 'reuse',
        ...family,
        at: earlier,
        address: '10.1.2.3',
        user_agent: 'old-app/1.0',
        uses: [{ ...usedBy('old-app/1.0'), count: 3 }],
        credential: null,
      },
      {
        title: /still used/,
        text: /^10\.1\.2\.3 \(old-app\/1\.0\) used it 3 times, first .+, last .+, and was refused\. /,
        endsAt: null,
        steps: ['go /tokens/family/fam_a: Open token', 'dismiss_use fam_a'],
      },
    ],
    [
      {
        kind: 'reuse',
        ...family,
        at: earlier,
        address: '10.1.2.3',
        user_agent: 'old-app/1.0',
        uses: [usedBy('old-app/1.0'), usedBy('older-app/1.0')],
        credential: null,
      },
      {
        title: /still used/,
        text: /^2 programs used tokens that were replaced and were refused\. /,
        details: [/^10\.1\.2\.3 \(old-app\/1\.0\): 1 use, /, /^10\.1\.2\.3 \(older-app\/1\.0\): 1 use, /],
        endsAt: null,
        steps: ['go /tokens/family/fam_a: Open token', 'dismiss_use fam_a'],
      },
    ],
    [
      {
        kind: 'wide_rules',
        name: 'crm',
        rules: [
          {
            id: 'rule_1' as ProxyRuleId,
            method: '*',
            path: '/api/v4/**',
            becomes: [{ method: 'GET', path: '/api/v4/**' }],
          },
          { id: 'rule_2' as ProxyRuleId, method: 'GET', path: '/**', becomes: [] },
        ],
      },
      {
        title: /^2 rules of the proxy for “crm” are too wide$/,
        details: [/replace it with GET \/api\/v4\/\*\*$/, /add rules for what apps need/],
        endsAt: null,
        steps: ['go /credentials/crm: Open credential'],
      },
    ],
    [
      { kind: 'ends_unkept', ...family, validity_days: 7, rotations: 0 },
      {
        title: /is not rotated automatically$/,
        text: /^It was issued for 7 days and has not been rotated\. /,
        endsAt: soon,
        steps: ['go /add-credential: Add credential…', 'go /tokens/family/fam_a: Open token'],
      },
    ],
    [
      { kind: 'ends_unkept', ...family, validity_days: 1, rotations: 4 },
      { text: /^It was issued for 1 day and has been rotated 4 times\./ },
    ],
    [
      { kind: 'suspended_ends', ...family, reason: null },
      { title: /suspended/, endsAt: soon },
    ],
  ])('%j', (item, expected) => {
    const words = said(item);
    if (expected.title !== undefined) expect(words.title).toMatch(expected.title);
    if (expected.text !== undefined) expect(words.text).toMatch(expected.text);
    if (expected.endsAt !== undefined) expect(words.endsAt).toBe(expected.endsAt);
    expect(words.details).toEqual(
      (expected.details ?? []).map((one) => expect.stringMatching(one) as string),
    );
    if (expected.steps !== undefined) expect(words.steps).toEqual(expected.steps);
  });
});

it('names a rotation among several by its credential', () => {
  expect(remedyLabel({ kind: 'rotate', name: 'a', isOneOf: true })).toBe('Rotate “a” now');
  expect(remedyLabel({ kind: 'rotate', name: 'a' })).toBe('Rotate now');
});
