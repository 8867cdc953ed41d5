import type { TokenStatus } from '../../../contract/token.ts';

/** The owner's ways to move a token from one state to another. */
export type TokenMove = 'suspend' | 'resume' | 'blacklist';

interface MoveWords {
  readonly name: string;
  /** What the button says that does it. */
  readonly act: string;
  readonly call: 'suspendToken' | 'resumeToken' | 'blacklistToken';
  /** Completes "whether …" after an answer that never came. */
  readonly wanted: string;
  /** Completes "It is …". */
  readonly done: string;
  readonly isFinal: boolean;
  readonly from: readonly TokenStatus[];
}

export const moveWords: Record<TokenMove, MoveWords> = {
  suspend: {
    name: 'Suspend',
    act: 'Suspend token',
    call: 'suspendToken',
    wanted: 'it is suspended',
    done: 'suspended',
    isFinal: false,
    from: ['Active'],
  },
  resume: {
    name: 'Resume',
    act: 'Resume token',
    call: 'resumeToken',
    wanted: 'it is resumed',
    done: 'Active again',
    isFinal: false,
    from: ['Suspended'],
  },
  blacklist: {
    name: 'Blacklist',
    act: 'Blacklist for good',
    call: 'blacklistToken',
    wanted: 'it is blacklisted',
    done: 'blacklisted',
    isFinal: true,
    from: ['Active', 'Suspended'],
  },
};

const tokenMoves = ['suspend', 'resume', 'blacklist'] as const satisfies readonly TokenMove[];

/** The moves that a status allows; the service has the last word. */
export function movesFrom(status: TokenStatus): readonly TokenMove[] {
  return tokenMoves.filter((move) => moveWords[move].from.includes(status));
}
