import { describe, expect, it } from 'vitest';
import type { CredentialOutline } from '../../../src/contract/credential/credential-view.ts';
import { concernLevel } from '../../../src/core/attention/list-concerns.ts';
import { decideNotices } from '../../../src/main/notices/decide-notices.ts';
import {
  bodyOf,
  externalText,
  type NoticeText,
  shortNames,
  titleAbout,
  troubleNoticeText,
} from '../../../src/text/window/notices-text.ts';
import type { ServiceTrouble } from '../../../src/text/credential/trouble-text.ts';
import {
  credential,
  dayMs,
  failing,
  snapshotOf,
  hourMs,
  lockedVault,
  noonMs,
  nothing,
  inputOf,
  target,
} from './notice-input.ts';

/** The text about one trouble of credentials that still work. */
function textOf(kind: ServiceTrouble, members: readonly CredentialOutline[], nowMs: number): NoticeText {
  const expiring = members.filter((one) => concernLevel(one) < 4);
  return troubleNoticeText(kind, members, expiring, nowMs);
}

describe('the text of a notice', () => {
  const one: [ServiceTrouble, string, string][] = [
    [
      'unreachable',
      '“pbx” could not be rotated',
      'api.example.com does not answer. It expires in 5 h 30 min. Rotavox keeps trying. Check the network and the service.',
    ],
    [
      'service_failed',
      '“pbx” could not be rotated',
      'api.example.com answers with an error. It expires in 5 h 30 min. Rotavox keeps trying. Open it to read the answer.',
    ],
    [
      'unsafe',
      '“pbx” could not be rotated',
      'api.example.com could not be trusted, so the token was not sent. It expires in 5 h 30 min. Check its address and its certificate.',
    ],
    [
      'refused',
      '“pbx” could not be rotated',
      'api.example.com refuses it at the moment. It expires in 5 h 30 min. Rotavox keeps trying. Check whether it is suspended, or this address is not allowed.',
    ],
    [
      'invalid',
      '“pbx” needs a new token',
      'api.example.com does not know the token. Issue a new token at api.example.com and enter it.',
    ],
    [
      'blacklisted',
      '“pbx” needs a new token',
      'api.example.com has blacklisted the token. Issue a new token at api.example.com and enter it.',
    ],
    [
      'expired',
      '“pbx” has expired',
      'It could not be replaced in time, and apps that use it are refused. Issue a new token at api.example.com and enter it.',
    ],
    [
      'reply_lost',
      '“pbx” needs a new token',
      'api.example.com has most likely replaced it, but the new token never arrived. Issue a new token at api.example.com and enter it.',
    ],
    [
      'value_missing',
      '“pbx” needs a new token',
      'Its token is missing from the vault. Enter the current token.',
    ],
  ];
  it.each(one)('say what happened, what it means and the next step: %s', (kind, title, body) => {
    const members = [failing('pbx', kind, { leftMs: 5.5 * hourMs })];
    expect(textOf(kind, members, noonMs)).toEqual({ title, body });
  });

  const many: [ServiceTrouble, string, string][] = [
    [
      'unreachable',
      '2 tokens of api.example.com could not be rotated',
      'api.example.com does not answer. “b” expires first, in 5 h 30 min.',
    ],
    [
      'service_failed',
      '2 tokens of api.example.com could not be rotated',
      'answers with errors. “b” expires first',
    ],
    [
      'unsafe',
      '2 tokens of api.example.com could not be rotated',
      'so the tokens were not sent. “b” expires first',
    ],
    [
      'refused',
      '2 tokens of api.example.com could not be rotated',
      'refuses them at the moment. “b” expires first',
    ],
    ['invalid', '2 tokens of api.example.com need a new token', 'does not know “a” and “b”. Open Rotavox'],
    [
      'blacklisted',
      '2 tokens of api.example.com need a new token',
      'has blacklisted “a” and “b”. Open Rotavox',
    ],
    ['expired', '2 tokens of api.example.com have expired', '“a” and “b” could not be replaced in time'],
    [
      'reply_lost',
      '2 tokens of api.example.com need a new token',
      'replaced “a” and “b”, but the new tokens never',
    ],
    [
      'value_missing',
      '2 tokens of api.example.com need a new token',
      'The tokens of “a” and “b” are missing from the vault. Enter',
    ],
  ];
  it.each(many)('are plural for several: %s', (kind, title, body) => {
    const members = [failing('a', kind, { leftMs: dayMs }), failing('b', kind, { leftMs: 5.5 * hourMs })];
    const said = textOf(kind, members, noonMs);
    expect(said.title).toBe(title);
    expect(said.body).toContain(body);
  });

  it('show the host of an address and nothing else of it', () => {
    const base_url = 'https://user:secret@api.example.com/secret/path?key=secret';
    const { title, body } = textOf('blacklisted', [failing('pbx', 'blacklisted', { base_url })], noonMs);
    expect(`${title} ${body}`).not.toContain('secret');
  });

  it('speak of this program’s own service as that', () => {
    const { body } = textOf('blacklisted', [failing('pbx', 'blacklisted', { service: 'embedded' })], noonMs);
    expect(body).toBe(
      'The service on this machine has blacklisted the token. Issue a new token with the same settings.',
    );
  });

  it('leave the service out of a title where it has no room', () => {
    const base_url = 'https://a-very-long-name-of-a-service.example.com';
    const members = ['a', 'b'].map((name) => failing(name, 'unreachable', { base_url }));
    expect(textOf('unreachable', members, noonMs).title).toBe('2 tokens could not be rotated');
  });

  it('fit, however long a name is', () => {
    const name = 'n'.repeat(63);
    for (const [kind] of one) {
      for (const members of [[failing(name, kind)], [failing(name, kind), failing(`${name}2`, kind)]]) {
        const { title, body } = textOf(kind, members, noonMs);
        expect(title.length).toBeLessThanOrEqual(50);
        expect(body.length).toBeLessThanOrEqual(240);
      }
    }
    expect(titleAbout(name, 'was used', 'Superseded token of')).toHaveLength(50);
  });

  it('say how to make a locked keychain work again, or what the vault itself says', () => {
    const wordsOf = (vault: typeof lockedVault) => {
      const snapshot = snapshotOf([failing('pbx', 'vault')], { vault });
      const [found] = decideNotices(nothing, inputOf(snapshot)).show;
      return { title: found?.title, body: found?.body };
    };
    expect(wordsOf(lockedVault)).toEqual({
      title: 'The keychain is locked',
      body: '“pbx” cannot be rotated until it works. It expires in 6 d. Unlock it; Rotavox then continues automatically.',
    });
    expect(wordsOf({ ...lockedVault, status: 'absent', message: 'Install one.' })).toEqual({
      title: 'The keychain is missing',
      body: '“pbx” cannot be rotated until it works. It expires in 6 d. Install one.',
    });
    expect(wordsOf({ ...lockedVault, kind: 'file', status: 'failed', message: 'Look.' }).title).toBe(
      'The encrypted file does not work',
    );
  });

  const places: [Parameters<typeof target>[1], string][] = [
    [{ target: { kind: 'file', path: '/srv/app/token' } }, 'token did not get the new token:'],
    [{ target: { kind: 'dotenv', path: 'C:\\app\\.env', variable: 'T' } }, '.env did not get'],
    [
      { target: { kind: 'keychain', service: 'app', account: 'me' } },
      'The keychain entry of app did not get',
    ],
    [
      {
        target: {
          kind: 'hook',
          command: ['/usr/bin/deploy', '--key', 'secret'],
          pass: 'stdin',
          variable: 'T',
          time_limit_seconds: 30,
        },
      },
      'The command deploy did not get',
    ],
  ];
  it.each(places)(
    'name a place as its owner knows it, and no argument of a command',
    (differences, words) => {
      const snapshot = snapshotOf([credential('pbx', { targets: [target('app', differences)] })]);
      const [found] = decideNotices(nothing, inputOf(snapshot)).show;
      const body = found?.body;
      expect(body).toContain(words);
      expect(body).toContain('The folder does not exist. Apps that read it there still use the old one.');
      expect(body).not.toContain('secret');
    },
  );
});

describe('phrases', () => {
  it.each([
    [[], ''],
    [['a'], '“a”'],
    [['a', 'b'], '“a” and “b”'],
    [['a', 'b', 'c'], '“a”, “b” and “c”'],
    [['a', 'b', 'c', 'd'], '“a”, “b” and 2 more'],
  ])('name %j', (names, words) => {
    expect(shortNames(names)).toBe(words);
  });

  it('leave out unknown details, and shorten what is too long', () => {
    expect(bodyOf('a', null, 'b')).toBe('a b');
    expect(bodyOf('x'.repeat(500))).toHaveLength(240);
  });

  it('show of a stranger’s words only what can be seen, and never half a sign', () => {
    expect(externalText('a\u202eb\n\n c\u0000')).toBe('a b c');
    expect(externalText('😀'.repeat(40), 10).isWellFormed()).toBe(true);
  });
});
