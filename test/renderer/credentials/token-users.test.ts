import { describe, expect, it } from 'vitest';
import type { Actor } from '../../../src/contract/history/audit-event.ts';
import { ownUserAgent } from '../../../src/contract/service/own-call.ts';
import type { TokenId } from '../../../src/contract/token/token.ts';
import { usersIn } from '../../../src/renderer/credentials/use/users.tsx';

function use(token: string, userAgent: string | null, at: string, address = '127.0.0.1') {
  const actor: Actor = { kind: 'bearer', token_id: token as TokenId, address, user_agent: userAgent };
  return { at, actor };
}

describe('the programs that use a token', () => {
  it('are those that showed it, each once with its latest use', () => {
    const events = [
      use('tok_a_2', 'curl/8', '2026-01-03'),
      use('tok_a_2', 'curl/8', '2026-01-02'),
      use('tok_a_2', null, '2026-01-01', '10.0.0.7'),
    ];
    expect(usersIn(events, 'tok_a_2')).toEqual([
      { address: '127.0.0.1', user_agent: 'curl/8', at: '2026-01-03' },
      { address: '10.0.0.7', user_agent: null, at: '2026-01-01' },
    ]);
  });

  it('are not those of another token, nor Rotavox itself', () => {
    const events = [
      use('tok_a_1', 'curl/8', '2026-01-01'),
      use('tok_a_2', ownUserAgent, '2026-01-02'),
      { at: '2026-01-03', actor: { kind: 'owner' } as const },
    ];
    expect(usersIn(events, 'tok_a_2')).toEqual([]);
  });

  it('include one from another machine that calls itself Rotavox', () => {
    const events = [use('tok_a_2', ownUserAgent, '2026-01-02', '10.0.0.7')];
    expect(usersIn(events, 'tok_a_2')).toHaveLength(1);
  });
});
