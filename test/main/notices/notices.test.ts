import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/client/create-client.ts';
import type { HistoryEvent } from '../../../src/contract/history/audit-event.ts';
import type { UnansweredTool } from '../../../src/contract/credential/tool-connection.ts';
import type { CredentialOutline } from '../../../src/contract/credential/credential-view.ts';
import type { ShellSnapshot } from '../../../src/host/host-port.ts';
import { startHost } from '../../../src/host/start-host.ts';
import type { Notice, NoticeAnswers, NoticeDisplay, Opening } from '../../../src/main/notices/notice.ts';
import { Notices } from '../../../src/main/notices/notices.ts';
import type { NoticeMemory } from '../../../src/main/notices/notice-memory.ts';
import { ManualTimer } from '../../fakes/manual-timer.ts';
import { cheapScrypt } from '../../fixtures/cheap-scrypt.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { runtimeFileOf } from '../../host/runtime-file-of.ts';
import {
  credential,
  dayMs,
  failing,
  fullStore,
  snapshotOf,
  hourMs,
  lockedVault,
  noonMs,
} from './notice-input.ts';

class Screen implements NoticeDisplay {
  readonly titles: string[] = [];
  readonly shown = new Map<string, { notice: Notice; answers: NoticeAnswers }>();

  show(notice: Notice, answers: NoticeAnswers): void {
    this.titles.push(notice.title);
    this.shown.set(notice.id, { notice, answers });
  }

  withdraw(id: string): void {
    this.shown.delete(id);
  }
}

/** Notices on a port that the test controls. */
function watch(first: ShellSnapshot, remembered: unknown = null) {
  const timer = new ManualTimer(noonMs);
  const screen = new Screen();
  const opened: Opening[] = [];
  const dismissed: string[] = [];
  const kept: NoticeMemory[] = [];
  const listeners = new Set<(event: HistoryEvent | null) => void>();
  const askers = new Set<(asked: UnansweredTool) => void>();
  let snapshot = first;
  let looks = 0;
  const naps: number[] = [];
  const notices = new Notices({
    port: {
      snapshot: () => {
        looks += 1;
        return snapshot;
      },
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      onUnansweredTool(listener) {
        askers.add(listener);
        return () => askers.delete(listener);
      },
      dismissReuse: async (id) => {
        dismissed.push(id);
        return { ok: true, value: null };
      },
    },
    display: screen,
    onOpen: (opening) => opened.push(opening),
    familyName: () => null,
    remembered,
    onRemember: (memory) => kept.push(memory),
    clock: timer.clock,
    timer: {
      start: (ms, act) => {
        naps.push(ms);
        return timer.start(ms, act);
      },
    },
    zone: () => 0,
  });
  return {
    notices,
    timer,
    screen,
    opened,
    dismissed,
    kept,
    listeners,
    askers,
    naps,
    looks: () => looks,
    /** Something happens, and from then on the credentials have this state. */
    change(
      kind: string | null,
      credentials: readonly CredentialOutline[],
      others: Parameters<typeof snapshotOf>[1] = {},
    ) {
      snapshot = snapshotOf(credentials, others);
      for (const listener of listeners) {
        if (kind === null) listener(null);
        else for (const { id } of credentials) listener(eventOf(kind, id));
      }
    },
  };
}

function eventOf(kind: string, subject: string): HistoryEvent {
  const actor =
    kind === 'token.reused'
      ? ({ kind: 'bearer', token_id: 'tok_a_1', address: '10.0.0.7', user_agent: 'curl/8' } as const)
      : ({ kind: 'system' } as const);
  return { seq: 1, at: new Date(noonMs).toISOString(), kind, subject, actor, data: {} } as HistoryEvent;
}

describe('notices', () => {
  it('are decided when a token is suspended, and withdrawn when it is resumed', async () => {
    const { timer, screen, change } = watch(snapshotOf([credential('a')]));
    await timer.advance(5_000);
    const suspended = failing('a', 'suspended', { state: 'refused', service: 'embedded' });
    change('token.suspended', [{ ...suspended, trouble: { ...suspended.trouble!, next_try_at: null } }]);
    await timer.advance(2_000);
    expect(screen.titles).toEqual(['“a” is suspended']);
    expect(screen.shown.size).toBe(1);
    change('token.resumed', [credential('a')]);
    await timer.advance(2_000);
    expect(screen.shown.size).toBe(0);
  });

  it('gather changes that come together, and cost nothing afterwards', async () => {
    const { timer, screen, change } = watch(snapshotOf([]));
    await timer.advance(5_000);
    expect(timer.waiting).toBe(0);
    change('credential.rotation_failed', [failing('a', 'invalid')]);
    await timer.advance(1_000);
    change('credential.rotation_failed', [failing('a', 'invalid'), failing('b', 'invalid')]);
    expect(screen.titles).toEqual([]);
    await timer.advance(1_000);
    expect(screen.titles).toEqual(['2 tokens of api.example.com need a new token']);
    expect(timer.waiting).toBe(0);
  });

  it('are decided at the start, for what happened while the program did not run', async () => {
    const { timer, screen } = watch(snapshotOf([credential('pbx', { state: 'expired' })]));
    await timer.advance(2_000);
    expect(screen.titles).toEqual(['“pbx” has expired']);
  });

  it('are decided again after sleep', async () => {
    const { timer, screen, notices, change } = watch(snapshotOf([credential('pbx')]));
    await timer.advance(2_000);
    change('ivr.updated', [credential('pbx', { state: 'expired' })]);
    timer.jump(9 * hourMs);
    notices.wake();
    await timer.advance(2_000);
    expect(screen.titles).toEqual(['“pbx” has expired']);
  });

  it('include failed attempts, so that a warning comes with one', async () => {
    const late = [failing('pbx', 'unreachable', { leftMs: 1.5 * dayMs })];
    const { timer, screen, change } = watch(snapshotOf(late));
    await timer.advance(2_000);
    expect(screen.titles).toEqual([]);
    change('credential.rotation_failed', late);
    await timer.advance(2_000);
    expect(screen.titles).toEqual(['“pbx” could not be rotated']);
    change('credential.policy_changed', [failing('pbx', 'unreachable', { leftMs: hourMs })]);
    await timer.advance(2_000);
    expect(screen.titles).toHaveLength(1);
  });

  it('wait months for a paused credential to expire, in naps that a timer can take', async () => {
    const expires_at = new Date(noonMs + 60 * dayMs).toISOString();
    const paused = credential('pbx', { expires_at, paused: { until: null } });
    const { timer, screen, naps, change } = watch(snapshotOf([paused]));
    await timer.advance(59 * dayMs);
    change('ivr.updated', [{ ...paused, state: 'expired' }]);
    await timer.advance(dayMs);
    expect(screen.titles).toEqual(['“pbx” has expired']);
    expect(Math.max(...naps)).toBeLessThan(2 ** 31);
  });

  it('are not decided while a busy service does its work', async () => {
    const { timer, looks, change } = watch(snapshotOf([credential('pbx')]));
    await timer.advance(2_000);
    const before = looks();
    for (const kind of [
      'token.issued',
      'token.rotated',
      'token.refreshed',
      'token.first_used',
      'ivr.created',
    ]) {
      change(kind, [credential('pbx')]);
    }
    expect(timer.waiting).toBe(0);
    expect(looks()).toBe(before);
  });

  it('report that the store refuses, and withdraw it with the next saved change', async () => {
    const { timer, screen, change } = watch(snapshotOf([]));
    await timer.advance(2_000);
    change(null, [], { store: fullStore });
    await timer.advance(2_000);
    expect([...screen.shown.keys()]).toEqual(['store']);
    change('ivr.created', [credential('any')]);
    await timer.advance(2_000);
    expect([...screen.shown.keys()]).toEqual([]);
  });

  it('tell who used a Superseded token', async () => {
    const { timer, screen, change, dismissed } = watch(snapshotOf([]));
    await timer.advance(2_000);
    change('token.reused', [credential('a')]);
    await timer.advance(2_000);
    expect(screen.titles).toEqual(['Superseded token of “cred_a” was used']);
    for (const { answers } of screen.shown.values()) answers.onAction();
    expect(dismissed).toEqual(['cred_a']);
  });

  it('wait for the end of quiet hours, with one timer', async () => {
    const settings = { quiet_hours: { from: '11:00', to: '13:00' } };
    const { timer, screen } = watch(snapshotOf([failing('pbx', 'invalid')], { settings }));
    await timer.advance(2_000);
    expect([screen.titles.length, timer.waiting]).toEqual([0, 1]);
    await timer.advance(hourMs);
    expect([screen.titles.length, timer.waiting]).toEqual([1, 0]);
  });

  it('remember across a restart, from plain JSON', async () => {
    const snapshot = snapshotOf([failing('pbx', 'invalid')]);
    const first = watch(snapshot);
    await first.timer.advance(2_000);
    expect(first.kept).toHaveLength(1);
    const second = watch(snapshot, JSON.parse(JSON.stringify(first.kept[0])));
    await second.timer.advance(2_000);
    expect([second.screen.titles, second.kept]).toEqual([[], []]);
  });

  it.each([null, 'nonsense', [], { credentials: { cred_pbx: 7 }, vault: 'yes', reuses: {} }])(
    'begin anew when what was remembered cannot be read: %j',
    async (remembered) => {
      const { timer, screen } = watch(snapshotOf([failing('pbx', 'invalid')]), remembered);
      await timer.advance(2_000);
      expect(screen.titles).toHaveLength(1);
    },
  );

  it('lead to what they are about', async () => {
    const { timer, screen, opened } = watch(snapshotOf([failing('pbx', 'invalid')]));
    await timer.advance(2_000);
    [...screen.shown.values()][0]!.answers.onOpen();
    expect(opened).toEqual([{ kind: 'credential', name: 'pbx' }]);
  });

  it('lead to the question whether to rotate when their button is pressed', async () => {
    const late = [failing('pbx', 'unreachable', { leftMs: hourMs })];
    const { timer, screen, change, opened } = watch(snapshotOf([]));
    change('credential.rotation_failed', late);
    await timer.advance(2_000);
    screen.shown.get('unreachable https://api.example.com')!.answers.onAction();
    expect(opened).toEqual([{ kind: 'rotate', name: 'pbx' }]);
  });

  it('are over when they are closed, and leave the screen as it is', async () => {
    const { timer, screen, notices, listeners, askers, change } = watch(
      snapshotOf([failing('pbx', 'invalid')]),
    );
    await timer.advance(2_000);
    change('credential.rotated', [credential('pbx', { generation: 2 })]);
    notices.close();
    notices.wake();
    notices.reportFailedAction({ kind: 'copy', name: 'pbx', reason: 'No.' });
    await timer.advance(9 * hourMs);
    expect([screen.shown.size, listeners.size, askers.size, timer.waiting]).toEqual([1, 0, 0, 0]);
  });
});

describe('an action of the menu that failed', () => {
  it.each([
    ['pause', '“pbx” could not be paused'],
    ['resume', '“pbx” could not be resumed'],
    ['copy', '“pbx” could not be copied'],
  ] as const)('is reported at once, also in quiet hours: %s', (kind, title) => {
    const quiet = { settings: { quiet_hours: { from: '00:00', to: '00:00' } } };
    const { notices, screen, opened } = watch(snapshotOf([credential('pbx')], quiet));
    notices.reportFailedAction({ kind, name: 'pbx', reason: 'There is no credential “pbx”.' });
    const { notice, answers } = screen.shown.get('wanted pbx')!;
    expect(notice).toMatchObject({ title, body: 'There is no credential “pbx”.', action: null });
    answers.onOpen();
    expect(opened).toEqual([{ kind: 'credential', name: 'pbx' }]);
  });

  it('is not reported while notices are off', () => {
    const { notices, screen } = watch(snapshotOf([], { settings: { notifications_enabled: false } }));
    notices.reportFailedAction({ kind: 'copy', name: 'pbx', reason: 'No.' });
    expect(screen.titles).toEqual([]);
  });
});

describe('a tool that got no token', () => {
  const locked = { vault: lockedVault };
  const ask = (askers: Iterable<(asked: UnansweredTool) => void>) => {
    for (const tell of askers) tell({ tool: 'git', credential: 'nightly' });
  };

  it('is reported at once, and ten minutes later again', async () => {
    const { askers, screen, opened, timer } = watch(snapshotOf([], locked));
    ask(askers);
    ask(askers);
    const { notice, answers } = screen.shown.get('unanswered tool')!;
    const body = 'git needs the token of “nightly”. Unlock it, then try again.';
    expect(notice).toMatchObject({ title: 'The keychain is locked', body, action: null });
    answers.onOpen();
    expect(opened).toEqual([{ kind: 'credential', name: 'nightly' }]);
    await timer.advance(9 * 60_000);
    ask(askers);
    expect(screen.titles).toHaveLength(1);
    await timer.advance(60_000);
    ask(askers);
    expect(screen.titles).toHaveLength(2);
  });

  it.each([
    ['while notices are off', { ...locked, settings: { notifications_enabled: false } }],
    ['in quiet hours', { ...locked, settings: { quiet_hours: { from: '00:00', to: '00:00' } } }],
    ['where the keychain asks a person itself', {}],
  ])('is not reported %s', (_when, how) => {
    const { askers, screen } = watch(snapshotOf([], how));
    ask(askers);
    expect(screen.titles).toEqual([]);
  });
});

describe('notices of a real host', () => {
  it('report a blacklisted token and a reused one, but no successful rotation', async () => {
    const host = await startHost({
      dataDir: makeFolder(),
      port: 0,
      vault: { kind: 'file', passphrase: 'a passphrase for tests', cost: cheapScrypt },
    });
    onTestFinished(() => host.close());
    const timer = new ManualTimer(Date.now());
    const screen = new Screen();
    const notices = new Notices({
      port: host.shellPort,
      display: screen,
      onOpen: () => undefined,
      familyName: () => null,
      remembered: null,
      onRemember: () => undefined,
      clock: timer.clock,
      timer,
    });
    onTestFinished(() => {
      notices.close();
    });
    const { portal_key: key } = runtimeFileOf(host.dataDir);
    const portal = createClient({ baseUrl: host.baseUrl, authorization: `Bearer ${key}` });
    const issued = await portal.call('issueToken', { body: { name: 'smartflo', validity_days: 7 } });
    if (!issued.ok) throw new Error(issued.message);
    const value = issued.value.access_token;
    await portal.call('addCredential', { body: { name: 'pbx', value } });

    await portal.call('rotateCredential', { params: { name: 'pbx' } });
    await timer.advance(2_000);
    expect(screen.titles).toEqual([]);

    await fetch(`${host.baseUrl}/v1/auth/token`, {
      headers: { authorization: `Bearer ${value}`, 'user-agent': 'left-behind/1.0' },
    });
    await timer.advance(2_000);
    expect(screen.titles).toEqual(['Superseded token of “pbx” was used']);
    const [alarm] = screen.shown.values();
    expect(alarm?.notice.body).toContain('left-behind/1.0 at 127.0.0.1');

    const [kept] = host.shellPort.snapshot().credentials;
    const tokens = await portal.call('listTokens', { query: { family_id: kept!.family_id! } });
    if (!tokens.ok) throw new Error(tokens.message);
    const { id } = tokens.value.tokens[0]!;
    await portal.call('blacklistToken', { params: { id }, body: {} });
    await portal.call('rotateCredential', { params: { name: 'pbx' } });
    await timer.advance(2_000);
    expect(screen.titles.slice(1)).toEqual(['“pbx” needs a new token']);
  });
});
