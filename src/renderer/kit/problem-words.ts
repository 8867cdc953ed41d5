import type { PortalProblem } from './portal-reply.ts';
import { plainSentence } from './service-sentence.ts';
import { commandLineNow } from './command-line.tsx';

/**
 * Why a change was not made, in words, with what to do; commands as they are called on this machine.
 *
 * `wanted` completes "whether …" and is what is unknown after an answer that never came (`a token was issued`); nothing is
 * unknown after a question that changes nothing.
 */
export function problemWords(problem: PortalProblem, wanted?: string): string {
  return plainSentence(saidOf(problem, wanted), commandLineNow());
}

function saidOf(problem: PortalProblem, wanted: string | undefined): string {
  switch (problem.kind) {
    case 'refused':
      return problem.reason;
    case 'signed-out':
      return 'This window is not signed in any more. Make a new sign-in link with `rotavox open`.';
    case 'unreachable': {
      const unknown = wanted === undefined ? '' : ` Whether ${wanted} is not known; the history will tell.`;
      return `The service does not answer: ${problem.reason}.${unknown}`;
    }
  }
}
