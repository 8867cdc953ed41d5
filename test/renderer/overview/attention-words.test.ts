import { describe, expect, it } from 'vitest';
import type { Attention } from '../../../src/contract/attention.ts';
import { attentionWords } from '../../../src/renderer/overview/attention/attention-words.ts';
import { noonMs } from './rows.ts';

const soon = new Date(noonMs + 9 * 3_600_000).toISOString();
const earlier = new Date(noonMs - 3_600_000).toISOString();
const here = { service: 'embedded', origin: 'http://127.0.0.1:7682' } as const;
const away = { service: 'remote', origin: 'https://api.example.com' } as const;
const family = { family_id: 'fam_a', token_id: 'tok_a_1', name: 'billing', expires_at: soon };
const one = { name: 'nightly', expires_at: soon };

function said(item: object): { title: string; text: string; endsAt: string | null; steps: string[] } {
  const { title, text, endsAt, steps } = attentionWords(item as Attention, noonMs);
  return {
    title,
    text,
    endsAt,
    steps: steps.map((step) => `${step.kind} ${'to' in step ? `${step.to}: ${step.words}` : step.name}`),
  };
}

describe('what needs the owner, in words', () => {
  it.each<[object, { title?: RegExp | string; text?: RegExp; endsAt?: string | null; steps?: string[] }]>([
    [
      { kind: 'store_refusing', code: 'ENOSPC', message: 'The disk is full.', since: earlier },
      {
        title: /Changes are refused/,
        text: /^The disk is full\. Since .+ \(ENOSPC\)\./,
        endsAt: null,
        steps: [],
      },
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
        steps: ['resume-token nightly', 'go /credentials/nightly: Open'],
      },
    ],
    [
      {
        kind: 'credential',
        ...one,
        ...here,
        state: 'refused',
        trouble: 'blacklisted',
        message: 'Issue it.',
        next_try_at: null,
      },
      { title: /is blacklisted/, endsAt: null, steps: ['go /credentials/nightly: Issue it again…'] },
    ],
    [
      { kind: 'reminder', ...one, ...away, left_percent: 10 },
      {
        title: '“nightly” expires soon and is not rotated automatically',
        text: /Issue a new token at https:\/\/api\.example\.com/,
        endsAt: soon,
        steps: ['go /credentials/nightly: Paste a new value…'],
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
      { title: /could not be rotated/, steps: ['go /credentials/nightly: Open'] },
    ],
    [
      { kind: 'journal_repaired', message: 'A torn line was cut off.' },
      { title: /mended/, steps: ['go /history?verify=1: Verify the journal'] },
    ],
    [
      { kind: 'vault', vault: { kind: 'keychain', status: 'locked' }, message: 'Unlock it.', waiting: [one] },
      {
        title: 'The keychain is locked',
        text: /“nightly” waits for it\.$/,
        endsAt: soon,
        steps: ['rotate nightly', 'go /credentials/nightly: Open'],
      },
    ],
    [
      {
        kind: 'vault',
        vault: { kind: 'file', status: 'failed' },
        message: 'It cannot be read.',
        waiting: [],
      },
      { title: 'The vault does not work', text: /^It cannot be read\.$/, endsAt: null, steps: [] },
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
        title: '“nightly” needs a new value',
        endsAt: soon,
        steps: ['go /credentials/nightly: Paste a new value…'],
      },
    ],
    [
      {
        kind: 'credential',
        ...one,
        ...here,
        state: 'expired',
        trouble: 'expired',
        message: 'Over.',
        next_try_at: null,
      },
      { title: '“nightly” has expired', endsAt: null, steps: ['go /credentials/nightly: Issue it again…'] },
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
      { steps: ['go /credentials/nightly: Paste a new value…'] },
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
      { title: '“nightly” is refused for now', steps: ['rotate nightly', 'go /credentials/nightly: Open'] },
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
      { title: '“nightly” is blacklisted and needs a new value' },
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
        title: '“nightly” could not be rotated',
        text: /^Nothing answers\.$/,
        endsAt: soon,
        steps: ['rotate nightly', 'go /credentials/nightly: Open'],
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
        title: '5 credentials could not be rotated',
        text: /“a”, “b” and 3 more/,
        steps: ['rotate a', 'go /credentials: Open the credentials'],
      },
    ],
    [
      { kind: 'paused_ends', ...one, paused_until: null },
      {
        title: /paused/,
        text: /until it is resumed/,
        endsAt: soon,
        steps: ['resume nightly', 'go /credentials/nightly: Open'],
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
        title: '“nightly” is not delivered to /srv/token',
        text: /^The folder is not there\.$/,
        steps: ['deliver nightly', 'go /credentials/nightly: Open'],
      },
    ],
    [
      {
        kind: 'reuse',
        ...family,
        at: earlier,
        address: '10.1.2.3',
        user_agent: 'old-app/1.0',
        credential: null,
      },
      {
        title: /still used/,
        text: /^old-app\/1\.0 at 10\.1\.2\.3 used it /,
        endsAt: null,
        steps: ['go /tokens/family/fam_a: Open the family'],
      },
    ],
    [
      { kind: 'ends_unkept', ...family, validity_days: 7, rotations: 0 },
      {
        title: /nobody rotates it/,
        text: /^It was issued for 7 days\. /,
        endsAt: soon,
        steps: ['go /add-credential: Keep it fresh…', 'go /tokens/family/fam_a: Open'],
      },
    ],
    [
      { kind: 'ends_unkept', ...family, validity_days: 1, rotations: 4 },
      { text: /^It was issued for 1 day and was rotated 4 times so far, but not this time\./ },
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
    if (expected.steps !== undefined) expect(words.steps).toEqual(expected.steps);
  });
});
