import { describe, expect, it } from 'vitest';
import { callerWays } from '../../../src/renderer/ivr/caller-ways.ts';
import { menuWith } from './menu.ts';

describe('the ways out of a menu', () => {
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
      silence: [
        { kind: 'play', recording: 'recording||13' },
        { kind: 'again', times: 2 },
        { kind: 'play', recording: 'recording||14' },
        { kind: 'go', destination: 'hangup' },
      ],
    });
  });

  it('lead straight on without one, and no recording is named that never plays', () => {
    const { wrongKey, silence } = callerWays(menuWith({ incorrect_count: 0, timeout_tries: 0 }));
    expect(wrongKey.map(({ kind }) => kind)).toEqual(['play', 'go']);
    expect(silence).toEqual([
      { kind: 'play', recording: 'recording||14' },
      { kind: 'go', destination: 'hangup' },
    ]);
  });
});
