import { describe, expect, it } from 'vitest';
import { telephoneKeys } from '../../../src/core/ivr/edit/edit-keys.ts';
import { callerWays } from '../../../src/renderer/ivr/menu-view.tsx';
import { menuWith } from './menu.ts';

describe('the exits of a menu', () => {
  it('lead over the menu again while there are attempts', () => {
    expect(callerWays(menuWith())).toEqual({
      first: [
        { kind: 'play', recording: 'recording||11' },
        { kind: 'wait', seconds: 5 },
      ],
      wrongKey: [
        { kind: 'play', recording: 'recording||12' },
        { kind: 'again', times: 3 },
        { kind: 'go', destination: 'extension||100' },
      ],
      timeout: [
        { kind: 'play', recording: 'recording||13' },
        { kind: 'again', times: 2 },
        { kind: 'play', recording: 'recording||14' },
        { kind: 'go', destination: 'hangup' },
      ],
    });
  });

  it('lead straight on without one, and no recording is named that never plays', () => {
    const { wrongKey, timeout } = callerWays(menuWith({ incorrect_count: 0, timeout_tries: 0 }));
    expect(wrongKey?.map(({ kind }) => kind)).toEqual(['play', 'go']);
    expect(timeout).toEqual([
      { kind: 'play', recording: 'recording||14' },
      { kind: 'go', destination: 'hangup' },
    ]);
  });

  it('have none for a wrong key where every key that a telephone has is used', () => {
    const option = telephoneKeys.toReversed();
    const { wrongKey, timeout } = callerWays(menuWith({ option, destination: option.map(() => 'hangup') }));
    expect(wrongKey).toBeNull();
    expect(timeout).toHaveLength(4);
    const eleven = option.slice(1);
    const ways = callerWays(menuWith({ option: eleven, destination: eleven.map(() => 'hangup') }));
    expect(ways.wrongKey).toHaveLength(3);
  });

  it('are told to their end also with as many attempts as a menu may have', () => {
    const most = { incorrect_count: 20, timeout_tries: 20, invalid_destination: 'ivr||ivr_1' };
    const { wrongKey, timeout } = callerWays(menuWith(most));
    expect(wrongKey?.slice(1)).toEqual([
      { kind: 'again', times: 20 },
      { kind: 'go', destination: 'ivr||ivr_1' },
    ]);
    expect(timeout.at(-1)).toEqual({ kind: 'go', destination: 'hangup' });
  });
});
