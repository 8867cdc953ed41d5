import { describe, expect, it } from 'vitest';
import type { CredentialOutline } from '../../../src/contract/credential/credential-view.ts';
import {
  decideNotices,
  type NoticeDecision,
  type NoticeState,
} from '../../../src/main/notices/decide-notices.ts';
import type { NoticeInput } from '../../../src/main/notices/notice-memory.ts';
import {
  credential,
  dayMs,
  failing,
  fullStore,
  snapshotOf,
  hourMs,
  iso,
  lockedVault,
  noonMs,
  nothing,
  inputOf,
  target,
  triedAgain,
  upToPerson,
} from './notice-input.ts';

function ids({ show }: NoticeDecision): string[] {
  return show.map(({ id }) => id);
}

/** Decides repeatedly, each time with the result of the previous decision. */
function looks(...inputs: NoticeInput[]): NoticeDecision[] {
  const decisions: NoticeDecision[] = [];
  let state: NoticeState = nothing;
  for (const input of inputs) {
    const decision = decideNotices(state, input);
    decisions.push(decision);
    state = decision;
  }
  return decisions;
}

const quietHours = { from: '11:00', to: '13:00' };

describe('data that may also be in use elsewhere', () => {
  const movedFrom = { reason: 'other_machine', name: 'old-laptop', folder: '/data' } as const;
  /** A token of ten days that is due; `leftMs` before its end. */
  const waiting = (leftMs: number) =>
    snapshotOf(
      [
        credential('pbx', {
          state: 'due',
          next_rotation_at: iso(noonMs - hourMs),
          obtained_at: iso(noonMs - 10 * dayMs + leftMs),
          expires_at: iso(noonMs + leftMs),
        }),
      ],
      { movedFrom },
    );

  it('are reported once, again when a waiting token has 10 and 2 percent left, and not after the yes', () => {
    const decisions = looks(
      inputOf(snapshotOf([], { movedFrom })),
      inputOf(waiting(3 * dayMs)),
      inputOf(waiting(dayMs)),
      inputOf(waiting(dayMs - hourMs)),
      inputOf(waiting(4 * hourMs)),
      inputOf(snapshotOf([])),
    );
    expect(decisions.map(ids)).toEqual([['moved'], [], ['moved'], [], ['moved'], []]);
    expect(decisions.flatMap(({ show }) => show.map(({ urgency }) => urgency))).toEqual([
      'normal',
      'critical',
      'critical',
    ]);
    expect(decisions[0]?.show[0]?.body).toContain('old-laptop');
    expect(decisions[2]?.show[0]?.body).toContain('“pbx” should be rotated now.');
    expect(decisions.at(-1)?.withdraw).toEqual(['moved']);
    // Nothing else would wake it: no attempt fails meanwhile.
    expect(decisions[1]?.nextMs).toBe(noonMs + dayMs);
  });
});

describe('a token that is not rotated', () => {
  const reminder = (leftMs: number, warning: CredentialOutline['warning']) =>
    snapshotOf([
      credential('pbx', {
        state: 'reminder',
        can_rotate: false,
        next_rotation_at: null,
        obtained_at: iso(noonMs - 10 * dayMs + leftMs),
        expires_at: iso(noonMs + leftMs),
        warning,
      }),
    ]);

  it('is reported once at 20, at 10 and at 2 percent, by time alone, with the next decision planned in time', () => {
    const decisions = looks(
      ...[
        reminder(6 * dayMs, null),
        reminder(2 * dayMs, 20),
        reminder(2 * dayMs, 20),
        reminder(dayMs, 10),
        reminder(dayMs / 5, 2),
      ].map((snapshot) => inputOf(snapshot, { failedIds: new Set() })),
    );
    expect(decisions.map(({ show }) => show.length)).toEqual([0, 1, 0, 1, 1]);
    expect(decisions[0]?.nextMs).toBe(noonMs + 4 * dayMs);
    expect(decisions[1]?.show).toMatchObject([
      {
        title: '“pbx” expires soon',
        body: 'It expires in 2 d. Rotavox cannot rotate it. Issue a new token at api.example.com and enter it.',
        action: null,
      },
    ]);
  });
});

describe('a credential that was resumed', () => {
  it('is reported again when its token is blacklisted after that', () => {
    const [, , again] = looks(
      ...[failing('pbx', 'blacklisted'), credential('pbx'), failing('pbx', 'blacklisted')].map((one) =>
        inputOf(snapshotOf([one])),
      ),
    );
    expect(again?.show).toHaveLength(1);
  });
});

describe('a credential that only a person can help', () => {
  it.each(upToPerson)('is reported once: %s', (kind) => {
    const snapshot = snapshotOf([failing('pbx', kind), credential('other')]);
    const [first, second] = looks(inputOf(snapshot), inputOf(snapshot, { nowMs: noonMs + 10 * dayMs }));
    expect(first?.show).toMatchObject([
      { action: null, open: { kind: 'credential', name: 'pbx' }, urgency: 'critical' },
    ]);
    expect(first?.show[0]?.title).toContain('pbx');
    expect(second?.show).toEqual([]);
  });

  it('is reported after a restart if it was not before, and not if it was', () => {
    const snapshot = snapshotOf([failing('pbx', 'blacklisted')]);
    const atStart = inputOf(snapshot, { failedIds: new Set() });
    const [first] = looks(atStart);
    expect(first?.show).toHaveLength(1);
    const restarted = { memory: first!.memory, shown: new Map() };
    expect(decideNotices(restarted, atStart).show).toEqual([]);
  });

  it('is reported again when its next token has the same trouble', () => {
    const [first, second] = looks(
      inputOf(snapshotOf([failing('pbx', 'invalid')])),
      inputOf(snapshotOf([failing('pbx', 'invalid', { generation: 2 })])),
    );
    expect([first?.show.length, second?.show.length]).toEqual([1, 1]);
  });

  it('is not reported again when it expires as well', () => {
    const [, second] = looks(
      inputOf(snapshotOf([failing('pbx', 'blacklisted')])),
      inputOf(snapshotOf([failing('pbx', 'blacklisted', { leftMs: -1 })])),
    );
    expect(second?.show).toEqual([]);
  });
});

describe('a credential that expired while the program did not run', () => {
  it('is reported at the next decision, together with the others', () => {
    const expired = { state: 'expired', expires_at: iso(noonMs - hourMs) } as const;
    const snapshot = snapshotOf([
      credential('pbx', expired),
      credential('crm', { ...expired, base_url: 'https://crm.example.org' }),
      credential('own', { ...expired, service: 'embedded' }),
      credential('well'),
    ]);
    const [first] = looks(inputOf(snapshot, { failedIds: new Set() }));
    expect(first?.show).toMatchObject([
      { id: 'expired', title: '3 tokens have expired', open: { kind: 'home' } },
    ]);
  });

  it('is checked at its expiry when it is paused, because no attempt can fail before', () => {
    const expires_at = iso(noonMs + 3 * hourMs);
    const [first] = looks(
      inputOf(
        snapshotOf([
          credential('well', { expires_at: iso(noonMs + hourMs) }),
          credential('resumes', { expires_at: iso(noonMs + hourMs), paused: { until: iso(noonMs + 1) } }),
          credential('pbx', { expires_at, paused: { until: null } }),
        ]),
      ),
    );
    expect(first).toMatchObject({ show: [], nextMs: noonMs + 3 * hourMs });
  });
});

describe('a credential that is tried again', () => {
  it.each(triedAgain.filter((kind) => kind !== 'vault'))(
    'is not reported with much of its lifetime left: %s',
    (kind) => {
      expect(looks(inputOf(snapshotOf([failing('pbx', kind)])))[0]?.show).toEqual([]);
    },
  );

  const at = (
    percent: number,
    differences: Partial<CredentialOutline> & { attempts?: number } = {},
  ): CredentialOutline =>
    failing('pbx', 'unreachable', { leftMs: (10 * dayMs * percent) / 100, ...differences });

  it('is reported once at 20, at 10 and at 2 percent and when it has expired, each with a failed attempt', () => {
    const decisions = looks(
      ...[50, 20, 15, 10, 9, 2, 1, 0, -5].map((percent) => inputOf(snapshotOf([at(percent)]))),
    );
    expect(decisions.map(({ show }) => show.length)).toEqual([0, 1, 0, 1, 0, 1, 0, 1, 0]);
    expect(decisions[1]?.show[0]).toMatchObject({
      action: { kind: 'rotate', name: 'pbx' },
      urgency: 'normal',
    });
    expect(decisions[5]?.show[0]).toMatchObject({
      action: { kind: 'rotate', name: 'pbx' },
      urgency: 'critical',
    });
    expect(decisions[7]?.show[0]).toMatchObject({ id: 'expired', action: null });
  });

  it('is not reported by time alone, without a failed attempt', () => {
    const [, second, third] = looks(
      inputOf(snapshotOf([at(50)])),
      inputOf(snapshotOf([at(5)]), { failedIds: new Set() }),
      inputOf(snapshotOf([at(5)])),
    );
    expect([second?.show.length, third?.show.length]).toEqual([0, 1]);
  });

  it('is not reported at the first failed attempt, unless time is nearly over', () => {
    const [late, later, latest] = [20, 10, 2].map(
      (percent) => looks(inputOf(snapshotOf([at(percent, { attempts: 1 })])))[0]?.show.length,
    );
    expect([late, later, latest]).toEqual([0, 0, 1]);
  });

  it('is reported with all that have the same trouble, with the name of the first to expire', () => {
    const members = [3, 1, 2].map((hours) =>
      failing(`pbx-${hours}`, 'unreachable', { leftMs: hours * hourMs }),
    );
    const [first] = looks(
      inputOf(snapshotOf([...members, failing('early', 'unreachable'), credential('well')])),
    );
    expect(first?.show).toHaveLength(1);
    const { title, body } = first!.show[0]!;
    expect(title).toBe('4 tokens of api.example.com could not be rotated');
    expect(body).toContain('api.example.com does not answer. “pbx-1” expires first, in 1 h.');
  });

  it('is reported apart from those of another service, and of another reason', () => {
    const leftMs = hourMs;
    const [first] = looks(
      inputOf(
        snapshotOf([
          failing('a', 'unreachable', { leftMs }),
          failing('b', 'unreachable', { leftMs, base_url: 'https://b.example.com' }),
          failing('c', 'service_failed', { leftMs }),
        ]),
      ),
    );
    expect(ids(first!)).toEqual([
      'unreachable https://api.example.com',
      'unreachable https://b.example.com',
      'service_failed https://api.example.com',
    ]);
  });

  it('is reported in one notice with all others when there are too many reasons to read', () => {
    const many = Array.from({ length: 9 }, (_, place) =>
      failing(`pbx-${place}`, 'unreachable', { leftMs: hourMs, base_url: `https://${place}.example.com` }),
    );
    const [first, second] = looks(inputOf(snapshotOf(many)), inputOf(snapshotOf([credential('pbx-0')])));
    expect(first?.show).toMatchObject([{ title: '9 tokens need attention', open: { kind: 'home' } }]);
    expect(second?.withdraw).toEqual(['many reasons']);
  });
});

describe('a notice that is no longer true', () => {
  it('is withdrawn when its credential works again, and only once', () => {
    const [first, second, third] = looks(
      inputOf(snapshotOf([failing('pbx', 'invalid')])),
      inputOf(snapshotOf([credential('pbx', { generation: 2 })])),
      inputOf(snapshotOf([credential('pbx', { generation: 2 })])),
    );
    expect(second?.withdraw).toEqual(ids(first!));
    expect(third?.withdraw).toEqual([]);
  });

  it('is withdrawn when its credential is gone', () => {
    const [first, second] = looks(inputOf(snapshotOf([failing('pbx', 'invalid')])), inputOf(snapshotOf([])));
    expect(second?.withdraw).toEqual(ids(first!));
    expect(second?.memory.concerns).toEqual({});
  });

  it('stays while one of many that it names is still in trouble', () => {
    const [, second, third] = looks(
      inputOf(snapshotOf([failing('a', 'invalid'), failing('b', 'invalid')])),
      inputOf(snapshotOf([credential('a', { generation: 2 }), failing('b', 'invalid')])),
      inputOf(snapshotOf([credential('a', { generation: 2 }), credential('b', { generation: 2 })])),
    );
    expect([second?.withdraw, third?.withdraw]).toEqual([[], ['invalid https://api.example.com']]);
  });
});

describe('a vault that does not work', () => {
  const waiting = (differences: Parameters<typeof failing>[2] = {}) => [
    failing('a', 'vault', differences),
    failing('b', 'vault'),
  ];

  it('is reported once, whatever number of credentials wait for it, until it has worked again', () => {
    const locked = snapshotOf(waiting(), { vault: lockedVault });
    const [first, second, third, fourth] = looks(
      inputOf(locked),
      inputOf(locked),
      inputOf(snapshotOf([credential('a', { generation: 2 }), credential('b', { generation: 2 })])),
      inputOf(locked),
    );
    expect(first?.show).toMatchObject([{ id: 'vault', title: 'The keychain is locked', action: null }]);
    expect(second?.show).toEqual([]);
    expect(third).toMatchObject({ show: [], withdraw: ['vault'] });
    expect(ids(fourth!)).toEqual(['vault']);
  });

  it('is reported again when one of them has little time left', () => {
    const [, second, third] = looks(
      inputOf(snapshotOf(waiting(), { vault: lockedVault })),
      inputOf(snapshotOf(waiting({ leftMs: hourMs }), { vault: lockedVault })),
      inputOf(snapshotOf(waiting({ leftMs: hourMs }), { vault: lockedVault })),
    );
    expect(second?.show).toMatchObject([{ id: 'vault', urgency: 'critical' }]);
    expect(second?.show[0]?.body).toContain('“a” expires first, in 1 h');
    expect(third?.show).toEqual([]);
  });

  it('is not reported again when one of them expires: the expiry is reported instead', () => {
    const [, second] = looks(
      inputOf(snapshotOf(waiting(), { vault: lockedVault })),
      inputOf(snapshotOf(waiting({ leftMs: -1 }), { vault: lockedVault })),
    );
    expect(ids(second!)).toEqual(['expired']);
  });

  it('is not reported while it is not needed', () => {
    expect(looks(inputOf(snapshotOf([credential('a')], { vault: lockedVault })))[0]?.show).toEqual([]);
  });

  it('is the only report about deliveries that fail meanwhile', () => {
    const snapshot = snapshotOf([credential('a', { targets: [target('app')] })], { vault: lockedVault });
    expect(ids(looks(inputOf(snapshot))[0]!)).toEqual(['vault']);
  });
});

describe('a store that refuses', () => {
  it('is reported once until it works again', () => {
    const full = snapshotOf([], { store: fullStore });
    const [first, second, third, fourth] = looks(
      inputOf(full),
      inputOf(full),
      inputOf(snapshotOf([])),
      inputOf(full),
    );
    expect(first?.show).toMatchObject([{ id: 'store', urgency: 'critical' }]);
    expect(first?.show[0]?.body).toContain('The disk is full. Make room on it.');
    expect([second?.show.length, third?.show.length, fourth?.show.length]).toEqual([0, 0, 1]);
    expect(third?.withdraw).toEqual(['store']);
  });
});

describe('a token that is not delivered', () => {
  const kept = (...targets: CredentialOutline['targets']) =>
    snapshotOf([credential('pbx', { state: 'delivery_failing', targets })]);

  it('is reported once when another attempt cannot help, and withdrawn when it was delivered', () => {
    const [first, second, third] = looks(
      inputOf(kept(target('app'))),
      inputOf(kept(target('app'))),
      inputOf(kept(target('app', { status: 'delivered', message: null, attempts: 0 }))),
    );
    expect(first?.show).toMatchObject([
      { id: 'delivery', title: '“pbx” was not delivered', open: { kind: 'credential', name: 'pbx' } },
    ]);
    expect(second?.show).toEqual([]);
    expect(third?.withdraw).toEqual(['delivery']);
  });

  it('is reported when a few attempts have failed, not at the first', () => {
    const tried = (attempts: number) => kept(target('app', { attempts, next_try_at: iso(noonMs + hourMs) }));
    const [first, second] = looks(inputOf(tried(1)), inputOf(tried(3)));
    expect([first?.show.length, second?.show.length]).toEqual([0, 1]);
  });

  it('is reported again for the next token, and for another place', () => {
    const [, other, next] = looks(
      inputOf(kept(target('app'))),
      inputOf(kept(target('app'), target('other'))),
      inputOf(snapshotOf([credential('pbx', { generation: 2, targets: [target('app'), target('other')] })])),
    );
    expect(other?.show[0]?.body).toContain('2 targets did not get the new tokens of “pbx”');
    expect(next?.show).toHaveLength(1);
  });
});

describe('quiet hours', () => {
  const snapshot = snapshotOf([failing('pbx', 'invalid')], { settings: { quiet_hours: quietHours } });

  it('delay everything, and return when to decide again', () => {
    const [first] = looks(inputOf(snapshot));
    expect(first).toMatchObject({ show: [], nextMs: noonMs + hourMs });
  });

  it('are followed by what is still true, once', () => {
    const after = { nowMs: noonMs + hourMs, failedIds: new Set<string>() };
    const [, second, third] = looks(
      inputOf(snapshot),
      inputOf(
        snapshotOf([failing('pbx', 'invalid')], { settings: { quiet_hours: quietHours }, store: fullStore }),
        after,
      ),
      inputOf(snapshot, after),
    );
    expect(ids(second!)).toEqual(['store', 'invalid https://api.example.com']);
    expect(third?.show).toEqual([]);
  });

  it('are not followed by what has passed', () => {
    const [, second] = looks(
      inputOf(snapshot),
      inputOf(snapshotOf([credential('pbx', { generation: 2 })], { settings: { quiet_hours: quietHours } }), {
        nowMs: noonMs + hourMs,
      }),
    );
    expect(second?.show).toEqual([]);
  });

  it('remember a failed attempt that was not reported', () => {
    const late = snapshotOf([failing('pbx', 'unreachable', { leftMs: hourMs })], {
      settings: { quiet_hours: quietHours },
    });
    const [, second] = looks(inputOf(late), inputOf(late, { nowMs: noonMs + hourMs, failedIds: new Set() }));
    expect(second?.show).toHaveLength(1);
  });

  it('plan no decision while nothing is delayed', () => {
    const [first] = looks(
      inputOf(snapshotOf([credential('pbx')], { settings: { quiet_hours: quietHours } })),
    );
    expect(first).toMatchObject({ show: [], nextMs: null });
  });

  it('that are the whole day plan no decision either', () => {
    const [first] = looks(
      inputOf(
        snapshotOf([failing('pbx', 'invalid')], {
          settings: { quiet_hours: { from: '00:00', to: '00:00' } },
        }),
      ),
    );
    expect(first).toMatchObject({ show: [], nextMs: null });
  });

  it('still withdraw what is no longer true', () => {
    const [, second] = looks(
      inputOf(snapshotOf([failing('pbx', 'invalid')])),
      inputOf(snapshotOf([credential('pbx', { generation: 2 })], { settings: { quiet_hours: quietHours } })),
    );
    expect(second?.withdraw).toHaveLength(1);
  });
});

describe('notices that are switched off', () => {
  const off = { settings: { notifications_enabled: false } };

  it('are not shown, and those on the screen go', () => {
    const [first, second] = looks(
      inputOf(snapshotOf([failing('pbx', 'invalid')])),
      inputOf(snapshotOf([failing('pbx', 'invalid'), failing('b', 'blacklisted')], off)),
    );
    expect(second).toMatchObject({ show: [], withdraw: ids(first!) });
  });

  it('do not report old problems when they are switched on; new ones are reported', () => {
    const troubles = [failing('pbx', 'invalid'), credential('b', { targets: [target('app')] })];
    const [, second, third] = looks(
      inputOf(snapshotOf(troubles, { ...off, store: fullStore })),
      inputOf(snapshotOf(troubles, { store: fullStore })),
      inputOf(snapshotOf([...troubles, failing('c', 'blacklisted')], { store: fullStore })),
    );
    expect(second?.show).toEqual([]);
    expect(third?.show).toMatchObject([{ open: { kind: 'credential', name: 'c' } }]);
  });
});
