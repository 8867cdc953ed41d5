import { describe, expect, it } from 'vitest';
import {
  type CredentialOutline,
  type CredentialState,
  credentialStates,
  type VaultStatus,
} from '../../../src/contract/credential/credential-view.ts';
import type { ScheduleId } from '../../../src/contract/menu/schedule.ts';
import type { StoreHealth } from '../../../src/contract/service/portal.ts';
import { type TrayState, trayIconName } from '../../../src/main/tray/tray-icon-name.ts';
import { trayView } from '../../../src/main/tray/tray-view.ts';
import {
  dayMs,
  hourMs,
  iso,
  makeOutline,
  minuteMs,
  noonMs,
  actionsOf,
  readMenu,
  rowsOf,
  statusOf,
  viewOf,
} from './view-of.ts';

/** The submenu of a credential. */
function menuOf(one: CredentialOutline, nowMs = noonMs): string[] {
  const [item] = viewOf({ credentials: [one] }, nowMs).menu;
  return item?.kind === 'submenu' ? readMenu(item.items) : [];
}

const foot = [
  '---',
  '> Issue a token…',
  '> Phone menus',
  '> Overview',
  '> Tokens',
  '> Settings',
  '---',
  '[ ] Open at login',
  '> Updates are off',
  '---',
  '> Quit Rotavox',
];

describe('the tray while the service starts', () => {
  const view = trayView({ ...statusOf(), snapshot: null }, noonMs);

  it('says so, offers only to quit, and has no time limit', () => {
    expect(readMenu(view.menu)).toEqual(['Starting…', '---', '> Quit Rotavox']);
    expect(actionsOf(view.menu)).toEqual([{ kind: 'quit' }]);
    expect(view).toMatchObject({ title: 'Rotavox is starting', icon: { state: 'idle' }, lastsMs: null });
  });
});

describe('the tray without a credential', () => {
  it('says so, offers the next step, and has no time limit', () => {
    const view = viewOf();
    expect(readMenu(view.menu)).toEqual(['No credentials yet', ...foot]);
    expect(view).toMatchObject({ title: 'Rotavox', icon: { state: 'idle' }, lastsMs: null });
  });

  it('shows by its icon that the disk refuses', () => {
    const store: StoreHealth = {
      status: 'refusing',
      last_seq: 1,
      code: 'ENOSPC',
      reason: 'Full.',
      since: iso(0),
    };
    const view = viewOf({ store });
    expect(view.icon.state).toBe('failing');
    expect(readMenu(view.menu)[0]).toBe('> Changes cannot be saved: Full.');
  });
});

describe('the tray with a credential', () => {
  it('shows its countdown, and in its menu its expiry, the next step and all actions', () => {
    const view = viewOf({ credentials: [makeOutline()] });
    expect(readMenu(view.menu)).toEqual([
      'smartflo-prod · 2 d 4 h',
      '  Expires <2026-03-03T16:00:00.000Z>',
      '  Next rotation <2026-03-01T13:00:00.000Z>',
      '  > Open',
      '  ---',
      '  > Rotate now…',
      '  > Copy token',
      '  Pause rotation',
      '    > For 1 hour',
      '    > Until tomorrow',
      '    > Until I resume it',
      ...foot,
    ]);
    expect(view.title).toBe('smartflo-prod · 2 d 4 h');
  });

  it('asks for exactly what each item says', () => {
    const name = 'smartflo-prod';
    expect(actionsOf(viewOf({ credentials: [makeOutline()] }).menu)).toEqual([
      { kind: 'show', place: { window: 'overview', path: '/credentials/smartflo-prod' } },
      { kind: 'show', place: { window: 'overview', path: '/credentials/smartflo-prod?rotate=1' } },
      { kind: 'copy', name },
      { kind: 'pause', name, span: 'hour' },
      { kind: 'pause', name, span: 'tomorrow' },
      { kind: 'pause', name, span: 'resumed' },
      { kind: 'show', place: { window: 'overview', path: '/tokens/issue' } },
      { kind: 'show', place: { window: 'designer', path: '/ivr' } },
      { kind: 'show', place: { window: 'overview', path: '/' } },
      { kind: 'show', place: { window: 'overview', path: '/tokens' } },
      { kind: 'show', place: { window: 'overview', path: '/settings' } },
      { kind: 'open-at-login', isOn: true },
      { kind: 'update', step: 'settings' },
      { kind: 'quit' },
    ]);
  });

  const table: Record<CredentialState, [icon: TrayState, label: string]> = {
    reply_lost: ['failing', '2 d 4 h · Needs a new token'],
    value_missing: ['failing', '2 d 4 h · Needs a new token'],
    expired: ['failing', 'Expired'],
    refused: ['failing', '2 d 4 h · Refused'],
    vault_unavailable: ['failing', '2 d 4 h · Vault not available'],
    failing: ['failing', '2 d 4 h · Rotation failed'],
    rotating: ['due', '2 d 4 h · Rotating'],
    due: ['due', '2 d 4 h · Due now'],
    delivery_failing: ['failing', '2 d 4 h · Delivery failed'],
    paused: ['paused', '2 d 4 h · Paused'],
    reminder: ['fine', '2 d 4 h · Reminder only'],
    fine: ['fine', '2 d 4 h'],
  };
  it.each(credentialStates)('that is %s is described in words and by the shape of the icon', (state) => {
    const [icon, label] = table[state];
    const view = viewOf({ credentials: [makeOutline({ state })] });
    expect(view.icon.state).toBe(icon);
    expect(view.title).toBe(`smartflo-prod · ${label}`);
    expect(rowsOf(view)).toEqual([view.title]);
  });

  it.each(credentialStates.filter((state) => state !== 'expired'))(
    'that is %s and ended a moment ago says both',
    (state) => {
      const words = table[state][1].replace('2 d 4 h', 'Expired');
      expect(viewOf({ credentials: [makeOutline({ state, leftMs: 0 })] }).title).toBe(
        `smartflo-prod · ${words}`,
      );
    },
  );

  it.each([
    ['blacklisted', 'Blacklisted'],
    ['invalid', 'Needs a new token'],
  ] as const)('that the service calls %s is dead, whatever its end was to be', (kind, words) => {
    const trouble = { kind, message: 'No.', since: iso(noonMs), attempts: 1, next_try_at: null };
    const one = makeOutline({ state: 'refused', trouble, next_rotation_at: null });
    const view = viewOf({ credentials: [one] });
    expect(view.title).toBe(`smartflo-prod · ${words}`);
    expect(view.icon).toEqual({ state: 'failing', fullness: 0 });
    expect(menuOf(one)[0]).toMatch(/^Ended before its expiry/);
  });

  it('offers no second rotation while one is under way', () => {
    const menu = menuOf(makeOutline({ state: 'rotating' }));
    expect(menu).toContain('Rotating…');
    expect(menu).not.toContain('> Rotate now…');
  });

  it('says that none is planned while it waits for a person', () => {
    expect(menuOf(makeOutline({ next_rotation_at: null }))).toContain('No rotation is planned');
  });

  it('that is paused can be resumed, and shows until when it is paused', () => {
    const paused = makeOutline({ state: 'paused', paused: { until: iso(noonMs + hourMs) } });
    const menu = menuOf(paused);
    expect(menu.slice(-2)).toEqual(['> Resume rotation', 'Paused until <2026-03-01T13:00:00.000Z>']);
    expect(menu).not.toContain('Pause rotation');
    expect(actionsOf(viewOf({ credentials: [paused] }).menu)).toContainEqual({
      kind: 'resume',
      name: 'smartflo-prod',
    });
  });

  it('that is paused until it is resumed shows no end of the pause', () => {
    expect(menuOf(makeOutline({ state: 'paused', paused: { until: null } })).at(-1)).toBe(
      '> Resume rotation',
    );
  });

  it('that has expired shows when, and its ring is empty', () => {
    const expired = makeOutline({ state: 'expired', leftMs: -hourMs });
    expect(menuOf(expired)[0]).toBe('Expired <2026-03-01T11:00:00.000Z>');
    expect(viewOf({ credentials: [expired] }).icon).toEqual({ state: 'failing', fullness: 0 });
  });

  it('that the service reports as expired is expired, whatever its expiry says', () => {
    const early = makeOutline({ state: 'expired', leftMs: dayMs });
    expect(menuOf(early)[0]).toBe('Ended before its expiry <2026-03-02T12:00:00.000Z>');
    expect(viewOf({ credentials: [early] })).toMatchObject({
      title: 'smartflo-prod · Expired',
      icon: { fullness: 0 },
    });
  });
});

describe('the ring', () => {
  it.each([
    [7 * dayMs, 'fine-12-light.png'],
    [7 * dayMs - 1, 'fine-12-light.png'],
    [3.5 * dayMs, 'fine-06-light.png'],
    [3.5 * dayMs + 1, 'fine-07-light.png'],
    [1, 'fine-01-light.png'],
    [0, 'fine-00-light.png'],
    [-dayMs, 'fine-00-light.png'],
    // A clock that was set back: more is left than the whole lifetime.
    [8 * dayMs, 'fine-12-light.png'],
  ])('of a week with %i ms left is %s', (leftMs, picture) => {
    const lived = makeOutline({ obtained_at: iso(noonMs + leftMs - 7 * dayMs), leftMs });
    expect(trayIconName(viewOf({ credentials: [lived] }).icon, 'light')).toBe(picture);
  });

  it('is empty, not broken, for a token that expired as soon as it was issued', () => {
    const stillborn = makeOutline({ leftMs: 0, lifeMs: 0 });
    expect(viewOf({ credentials: [stillborn] }).icon.fullness).toBe(0);
  });

  it('is that of the first in the menu, and a refusing disk changes only its shape', () => {
    const store: StoreHealth = {
      status: 'refusing',
      last_seq: 1,
      code: 'EROFS',
      reason: 'Read-only.',
      since: iso(0),
    };
    const credentials = [makeOutline({ leftMs: dayMs, lifeMs: 2 * dayMs }), makeOutline({ name: 'other' })];
    expect(viewOf({ credentials, store }).icon).toEqual({ state: 'failing', fullness: 0.5 });
  });
});

describe('the order', () => {
  const resting = (name: string, leftMs: number): CredentialOutline =>
    makeOutline({ name, leftMs, state: 'paused', paused: { until: null } });

  it('is the one it was given: the most pressing first', () => {
    const credentials = ['b', 'a', 'c'].map((name) => makeOutline({ name }));
    expect(rowsOf(viewOf({ credentials }))).toEqual(['b · 2 d 4 h', 'a · 2 d 4 h', 'c · 2 d 4 h']);
  });

  it('puts a paused one with enough time last, and leaves its countdown out of the title', () => {
    const credentials = [resting('resting', 2 * dayMs), makeOutline({ name: 'awake', leftMs: 3 * dayMs })];
    const view = viewOf({ credentials });
    expect(rowsOf(view)).toEqual(['awake · 3 d', 'resting · 2 d · Paused']);
    expect(view).toMatchObject({ title: 'awake · 3 d', icon: { state: 'fine' } });
  });

  it('leaves a pause in front once a fifth of the lifetime or less is left', () => {
    const fifthMs = (7 * dayMs) / 5;
    const awake = makeOutline({ name: 'awake' });
    const urgent = viewOf({ credentials: [resting('resting', fifthMs), awake] });
    expect(rowsOf(urgent)[0]).toBe('resting · 1 d 9 h · Paused');
    expect(urgent.icon.state).toBe('paused');
    const calm = viewOf({ credentials: [resting('resting', fifthMs + 1), awake] });
    expect(rowsOf(calm)[0]).toBe('awake · 2 d 4 h');
  });

  it('shows a calm pause by the icon when there is nothing else', () => {
    expect(viewOf({ credentials: [resting('resting', 5 * dayMs)] }).icon.state).toBe('paused');
  });
});

describe('more than a menu holds', () => {
  const many = (count: number): CredentialOutline[] =>
    Array.from({ length: count }, (_, place) => makeOutline({ name: `token-${place}` }));

  it.each([
    [10, 10, undefined],
    [11, 10, '> … and 1 more'],
    [1_000, 10, '> … and 990 more'],
  ])('of %i credentials shows %i and says how many there are besides', (count, rows, more) => {
    const view = viewOf({ credentials: many(count) });
    expect(rowsOf(view)).toHaveLength(rows);
    expect(readMenu(view.menu).find((line) => line.includes('more'))).toBe(more);
    expect(readMenu(view.menu).slice(-foot.length)).toEqual(foot);
  });

  it('leads to the page of them all', () => {
    const more = viewOf({ credentials: many(12) }).menu.find((item) => item.kind === 'action');
    expect(more).toEqual({
      kind: 'action',
      label: '… and 2 more',
      action: { kind: 'show', place: { window: 'overview', path: '/credentials' } },
    });
  });

  it('adds one without a row as soon as it is urgent, not when the menu happens to change', () => {
    const awake = many(10).map((one) => ({ ...one, expires_at: iso(noonMs + 50 * dayMs + 30 * minuteMs) }));
    const resting = makeOutline({
      name: 'resting',
      state: 'paused',
      leftMs: 2 * dayMs,
      lifeMs: 10 * dayMs - 50_000,
    });
    const urgentInMs = 2 * dayMs - (10 * dayMs - 50_000) / 5;
    const status = { credentials: [resting, ...awake] };
    expect(viewOf(status).lastsMs).toBe(urgentInMs);
    expect(rowsOf(viewOf(status, noonMs + urgentInMs - 1))[0]).toMatch(/^token-0 /);
    expect(rowsOf(viewOf(status, noonMs + urgentInMs))[0]).toMatch(/^resting /);
  });
});

describe('what concerns everything', () => {
  const locked: VaultStatus = {
    kind: 'keychain',
    description: 'the keychain',
    status: 'locked',
    message: 'The keychain is locked. Unlock it.',
  };

  it('are above the credentials and lead to the window', () => {
    const store: StoreHealth = {
      status: 'refusing',
      last_seq: 1,
      code: 'ENOSPC',
      reason: 'Full.',
      since: iso(0),
    };
    const { menu } = viewOf({ credentials: [makeOutline()], store, vault: locked });
    expect(readMenu(menu).slice(0, 3)).toEqual([
      '> Changes cannot be saved: Full.',
      '> The keychain is locked. Unlock it.',
      'smartflo-prod · 2 d 4 h',
    ]);
    expect(actionsOf(menu).slice(0, 2)).toEqual(
      Array.from({ length: 2 }, () => ({ kind: 'show', place: { window: 'overview', path: '/' } })),
    );
  });

  it.each([
    ['locked', 'is locked'],
    ['absent', 'is missing'],
    ['failed', 'does not work'],
  ] as const)('says that the vault is %s if it gives no reason', (status, text) => {
    const [first] = readMenu(viewOf({ vault: { ...locked, status, message: null } }).menu);
    expect(first).toBe(`> The keychain ${text}`);
  });
});

describe('long messages', () => {
  const messageOf = (message: string): string =>
    menuOf(makeOutline({ state: 'failing', message }))[2]?.replace('> ', '') ?? '';

  it('are whole up to ninety characters, and cut with a sign beyond', () => {
    expect(messageOf('x'.repeat(90))).toBe('x'.repeat(90));
    expect(messageOf('x'.repeat(91))).toBe(`${'x'.repeat(89)}…`);
    expect(messageOf(`${'x'.repeat(88)} and more`)).toBe(`${'x'.repeat(88)}…`);
  });

  it('are never cut in the middle of a character', () => {
    expect(messageOf('🔑'.repeat(91))).toBe(`${'🔑'.repeat(89)}…`);
  });

  it('are on one line, without invisible characters, whatever a hook has printed', () => {
    expect(messageOf('It printed: one\r\n\ttwo\u0000\u202Ethree\n')).toBe('It printed: one two three');
  });

  it('lead to the page where they are whole', () => {
    const one = makeOutline({ state: 'failing', message: 'Nothing answers.' });
    const [item] = viewOf({ credentials: [one] }).menu;
    expect(item?.kind === 'submenu' ? item.items[2] : undefined).toEqual({
      kind: 'action',
      label: 'Nothing answers.',
      action: { kind: 'show', place: { window: 'overview', path: '/credentials/smartflo-prod' } },
    });
  });
});

describe('opening at login', () => {
  it.each([
    [true, '[x] Open at login', false],
    [false, '[ ] Open at login', true],
  ])('when it is %s shows it, and a click turns it round', (opensAtLogin, line, isOn) => {
    const { menu } = viewOf({ opensAtLogin });
    expect(readMenu(menu)).toContain(line);
    expect(actionsOf(menu)).toContainEqual({ kind: 'open-at-login', isOn });
  });

  it('is not offered where the system cannot do it', () => {
    expect(readMenu(viewOf({ opensAtLogin: null }).menu).join()).not.toContain('Open at login');
  });
});

describe('the update item', () => {
  it('cannot be clicked during a download, and starts the next step otherwise', () => {
    const version = '1.2.0';
    expect(viewOf({ update: { kind: 'downloading', version, percent: 7 } }).menu).toContainEqual({
      kind: 'text',
      label: 'Downloading 1.2.0 · 7 %',
    });
    expect(viewOf({ update: { kind: 'ready', version } }).menu).toContainEqual({
      kind: 'action',
      label: 'Restart to install 1.2.0',
      action: { kind: 'update', step: 'install' },
    });
  });
});

describe('how long a view lasts', () => {
  it.each([
    ['the countdown of days moves on', { leftMs: 2 * dayMs + 59_999, lifeMs: 90 * dayMs }, 60_000],
    ['the countdown of hours moves on', { leftMs: 3 * hourMs + 12_345, lifeMs: 90 * dayMs }, 12_346],
    ['the countdown of minutes moves on', { leftMs: 5 * minuteMs + 1, lifeMs: 90 * dayMs }, 2],
    ['it ends', { leftMs: 700, lifeMs: 90 * dayMs }, 700],
    ['the ring loses a part', { leftMs: 3 * dayMs + 5_000 + hourMs / 2, lifeMs: 6 * dayMs + hourMs }, 5_000],
    [
      'the pause ends',
      { leftMs: 50 * dayMs + hourMs / 2, state: 'paused' as const, paused: { until: iso(noonMs + 777) } },
      777,
    ],
    [
      'a minute is over, for a clock may be set',
      { leftMs: 50 * dayMs + hourMs / 2, lifeMs: 90 * dayMs },
      60_000,
    ],
    ['a minute is over, when it has ended', { leftMs: -1, state: 'expired' as const }, 60_000],
  ])('is until %s', (_name, differences, lastsMs) => {
    expect(viewOf({ credentials: [makeOutline(differences)] }).lastsMs).toBe(lastsMs);
  });

  it('is until the first of several changes', () => {
    const credentials = [makeOutline({ leftMs: 3 * dayMs + 50_000 }), makeOutline({ leftMs: hourMs + 300 })];
    expect(viewOf({ credentials }).lastsMs).toBe(301);
  });
});

it('data that may also be in use elsewhere come first in the menu, with the icon of a failure', () => {
  const movedFrom = { reason: 'other_machine', name: 'old-laptop', folder: '/data' } as const;
  const view = viewOf({ movedFrom, credentials: [makeOutline({ leftMs: 3 * dayMs })] });
  expect(readMenu(view.menu)[0]).toBe('> Nothing is rotated: these data come from another computer');
  expect(view.icon.state).toBe('failing');
});

describe('telephone systems in the tray', () => {
  const at = new Date(noonMs).toISOString();
  const connected = { status: 'connected', since: at, version: '22.1.0' } as const;
  const trouble = { code: 'not_reached', detail: 'ECONNREFUSED' } as const;
  const unreachable = { status: 'unreachable', since: at, trouble, next_try_at: null } as const;

  it('show how many calls are in menus, of all of them', () => {
    const two = [
      { name: 'office', state: connected, calls: 3 },
      { name: 'branch', state: connected, calls: 1 },
    ];
    expect(readMenu(viewOf({ pbxs: two }).menu)[0]).toBe('4 calls');
    expect(readMenu(viewOf().menu).join()).not.toContain('calls');
  });

  it('are named when they are unreachable', () => {
    const [first, second] = readMenu(
      viewOf({ pbxs: [{ name: 'office', state: unreachable, calls: 0 }] }).menu,
    );
    expect([first, second]).toEqual(['> Telephone system “office” is unreachable', 'No calls']);
  });
});

describe('opening hours', () => {
  const zone = { id: 'hrs_1' as ScheduleId, name: 'Office', time_zone: 'UTC' };
  const until = iso(noonMs + 2 * hourMs);

  it('that are open or closed by hand are named, with the way back to their schedule', () => {
    const { menu, lastsMs } = viewOf({
      hours: [
        { ...zone, to: 'closed', until },
        { ...zone, name: 'Support', to: 'open', until: null },
      ],
    });
    const [closed, back, page, open] = readMenu(menu);
    expect(closed).toMatch(/^Office: Closed by hand until .+/);
    expect([back, page]).toEqual(['  > Back to the schedule', '  > Opening hours']);
    expect(open).toBe('Support: Open by hand');
    expect(actionsOf(menu)[0]).toEqual({ kind: 'by-schedule', name: 'Office', id: 'hrs_1' });
    // Then it says so no more.
    expect(lastsMs).toBe(2 * hourMs);
    expect(
      readMenu(viewOf({ hours: [{ ...zone, to: 'closed', until }] }, noonMs + 2 * hourMs).menu).join(),
    ).not.toContain('Office');
  });

  it('are not named while all are by schedule', () => {
    expect(readMenu(viewOf().menu).join()).not.toContain('by hand');
  });
});

it('names the port that apps call where it is not the usual one', () => {
  const labels = (port: number | null) =>
    viewOf({ port }).menu.flatMap((item) => ('label' in item ? [item.label] : []));
  expect(labels(7683)).toContain('Apps call port 7683');
  for (const usual of [null, 7682]) expect(labels(usual).join()).not.toContain('port');
});
