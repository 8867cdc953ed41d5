import { describe, expect, it } from 'vitest';
import { updateMenuItem } from '../../../src/main/updates/update-menu-item.ts';
import type { UpdateAction } from '../../../src/main/updates/update-menu-item.ts';
import { menuText } from '../../../src/text/time.ts';
import type { UpdateState } from '../../../src/main/updates/update-state.ts';

describe('the menu line about updates', () => {
  const rows: [UpdateState, string, UpdateAction | null][] = [
    [{ kind: 'off' }, 'Updates are off', 'settings'],
    [{ kind: 'cannot', why: 'a checkout' }, 'This copy does not update itself…', 'explain'],
    [{ kind: 'idle' }, 'Check for updates…', 'check'],
    [{ kind: 'checking', asked: false }, 'Checking for updates…', null],
    [
      { kind: 'current', checkedAt: '2026-11-21T12:30:59.000Z', asked: true },
      `Up to date · checked ${menuText('2026-11-21T12:30:59.000Z')}`,
      'check',
    ],
    [
      { kind: 'available', version: '0.2.0', asked: false },
      'Rotavox 0.2.0 is available: download',
      'download',
    ],
    [{ kind: 'downloading', version: '0.2.0', percent: null }, 'Downloading 0.2.0…', null],
    [{ kind: 'downloading', version: '0.2.0', percent: 43 }, 'Downloading 0.2.0 · 43 %', null],
    [{ kind: 'ready', version: '0.2.0' }, 'Restart to install 0.2.0', 'install'],
    [{ kind: 'installing', version: '0.2.0' }, 'Installing 0.2.0…', null],
    [
      { kind: 'failed', step: 'check', problem: 'no network', asked: false },
      'Update check failed: try again',
      'check',
    ],
    [
      { kind: 'failed', step: 'download', problem: 'no room', asked: true },
      'Update failed: try again',
      'check',
    ],
    [
      { kind: 'failed', step: 'install', problem: 'no right', asked: true },
      'Update failed: try again',
      'check',
    ],
  ];
  it.each(rows)('of %j', (state, label, action) => {
    expect(updateMenuItem(state)).toEqual({ label, action, enabled: action !== null });
  });
});
