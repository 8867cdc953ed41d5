import { describe, expect, it } from 'vitest';
import type { TrayTeam } from '../../../src/main/tray/tray-view.ts';
import {
  dayMs,
  hourMs,
  makeOutline,
  noonMs,
  actionsOf,
  readMenu,
  type Given,
  goodStore,
  statusOf,
  viewOf,
} from './view-of.ts';
import { trayView } from '../../../src/main/tray/tray-view.ts';

const answeredAt = new Date(noonMs - hourMs).toISOString();

function viewWith(
  team: Partial<TrayTeam>,
  { given = {}, nowMs = noonMs }: { given?: Given; nowMs?: number } = {},
) {
  const status = {
    ...statusOf(given),
    team: { name: 'team.example.com', snapshot: null, answeredAt, problem: null, ...team },
  };
  return trayView(status, nowMs);
}

function snapshotOf(given: Given) {
  return statusOf(given).snapshot;
}

describe('the tray with a host for a team', () => {
  it('has a section with a name for each, and the most urgent of both in the icon', () => {
    const own = makeOutline({ name: 'own', leftMs: 6 * dayMs });
    const shared = makeOutline({ name: 'shared', leftMs: 2 * dayMs });
    const view = viewWith(
      { snapshot: snapshotOf({ credentials: [shared] }) },
      { given: { credentials: [own] } },
    );
    const menu = readMenu(view.menu).filter((line) => !line.startsWith(' '));
    expect(menu.slice(0, 6)).toEqual([
      'team.example.com',
      'shared · 2 d',
      'Pages of team.example.com',
      '---',
      'This computer',
      'own · 6 d',
    ]);
    expect(view.title).toBe('shared · 2 d');
    expect(view.icon.state).toBe('fine');
  });

  it('does there what is chosen in its section, and here what is chosen in that of this computer', () => {
    const view = viewWith(
      { snapshot: snapshotOf({ credentials: [makeOutline({ name: 'shared' })] }) },
      { given: { credentials: [makeOutline({ name: 'own' })] } },
    );
    const copies = actionsOf(view.menu).filter((one) => JSON.stringify(one).includes('"copy"'));
    expect(copies).toEqual([
      { kind: 'team', action: { kind: 'copy', name: 'shared' } },
      { kind: 'copy', name: 'own' },
    ]);
  });

  it('says since when the host cannot be reached, keeps its countdown going and is not fine', () => {
    const snapshot = snapshotOf({ credentials: [makeOutline({ name: 'shared', leftMs: 2 * dayMs })] });
    const problem = { kind: 'unreachable', detail: 'ECONNREFUSED' } as const;
    const away = viewWith({ snapshot, problem });
    expect(readMenu(away.menu).slice(0, 3)).toEqual([
      'team.example.com',
      `> Cannot be reached since <${answeredAt}>. Times are as last known.`,
      'shared · 2 d',
    ]);
    expect(away.icon.state).toBe('failing');
    const later = viewWith({ snapshot, problem }, { nowMs: noonMs + 24 * hourMs });
    expect(later.title).toBe('shared · 1 d');
    expect(away.lastsMs).not.toBeNull();
  });

  it('leads to the entry of a key where one is missing or not accepted', () => {
    for (const kind of ['no_key', 'key_refused'] as const) {
      const { menu, icon } = viewWith({ problem: { kind } });
      expect(actionsOf(menu)[0]).toEqual({ kind: 'team-key' });
      expect(icon.state).toBe('failing');
    }
  });

  it('is connecting before the first answer, and says what its store and vault report', () => {
    expect(readMenu(viewWith({}).menu)[1]).toBe('Connecting…');
    const store = {
      status: 'refusing',
      last_seq: goodStore.last_seq,
      code: 'ENOSPC',
      reason: 'The disk is full.',
      since: answeredAt,
    } as const;
    const refusing = viewWith({ snapshot: snapshotOf({ store }) });
    expect(readMenu(refusing.menu)[1]).toBe('> Changes cannot be saved: The disk is full.');
    expect(refusing.icon.state).toBe('failing');
  });

  it('shows no second section without one', () => {
    expect(readMenu(viewOf().menu)).not.toContain('This computer');
  });
});
