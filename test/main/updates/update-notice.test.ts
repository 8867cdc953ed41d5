import { describe, expect, it } from 'vitest';
import { updateNotice } from '../../../src/main/updates/update-notice.ts';
import type { UpdateState } from '../../../src/main/updates/update-state.ts';

describe('the notice about updates', () => {
  const told: [UpdateState, string, string][] = [
    [
      { kind: 'current', checkedAt: '2026-11-21T12:30:00.000Z', asked: true },
      'is up to date',
      'nothing newer',
    ],
    [{ kind: 'available', version: '0.2.0', asked: true }, '0.2.0 is available', 'Download it'],
    [{ kind: 'ready', version: '0.2.0' }, '0.2.0 is downloaded', 'Restart'],
    [{ kind: 'failed', step: 'check', problem: 'No network.', asked: true }, 'not check', 'No network.'],
    [{ kind: 'failed', step: 'download', problem: 'No room.', asked: true }, 'not download', 'No room.'],
    [{ kind: 'failed', step: 'install', problem: 'No right.', asked: true }, 'not install', 'No right.'],
  ];
  it.each(told)('tells of %j', (state, title, body) => {
    expect(updateNotice(state)).toEqual({
      title: expect.stringContaining(title) as unknown,
      body: expect.stringContaining(body) as unknown,
    });
  });

  const untold: UpdateState[] = [
    { kind: 'off' },
    { kind: 'cannot', why: 'a checkout' },
    { kind: 'idle' },
    { kind: 'checking', asked: true },
    { kind: 'current', checkedAt: '2026-11-21T12:30:00.000Z', asked: false },
    { kind: 'available', version: '0.2.0', asked: false },
    { kind: 'downloading', version: '0.2.0', percent: 3 },
    { kind: 'installing', version: '0.2.0' },
    { kind: 'failed', step: 'check', problem: 'No network.', asked: false },
  ];
  it.each(untold)('is none for %j', (state) => {
    expect(updateNotice(state)).toBeNull();
  });
});
