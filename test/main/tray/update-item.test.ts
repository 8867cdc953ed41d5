import { describe, expect, it } from 'vitest';
import { type UpdateAction, updateItem } from '../../../src/main/tray/tray-item.ts';
import { menuText } from '../../../src/text/time.ts';
import type { UpdateState } from '../../../src/contract/service/update.ts';

describe('the menu item about updates', () => {
  const rows: [UpdateState, string, UpdateAction | null][] = [
    [{ kind: 'off' }, 'Updates are off', 'settings'],
    [{ kind: 'cannot', why: { code: 'checkout' } }, 'This copy does not update itself…', 'explain'],
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
      { kind: 'failed', step: 'check', problem: { code: 'disk_full' }, asked: false },
      'Update check failed: try again',
      'check',
    ],
    [
      { kind: 'failed', step: 'download', problem: { code: 'disk_full' }, asked: true },
      'Update failed: try again',
      'check',
    ],
    [
      { kind: 'failed', step: 'install', problem: { code: 'disk_full' }, asked: true },
      'Update failed: try again',
      'check',
    ],
  ];
  it.each(rows)('of %j', (state, label, action) => {
    expect(updateItem(state)).toEqual(
      action === null
        ? { kind: 'text', label }
        : { kind: 'action', label, action: { kind: 'update', step: action } },
    );
  });
});
