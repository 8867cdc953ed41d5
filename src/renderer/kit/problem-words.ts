import { problemText } from '../../text/connection.ts';
import { commandLineNow } from './command-line.tsx';
import type { PortalProblem } from './portal-reply.ts';
import { plainSentence } from './service-sentence.ts';

/** Why something was not done, with commands as they are called on this machine. `change` completes "whether …". */
export function problemWords(problem: PortalProblem, change?: string): string {
  return plainSentence(problemText(problem, change), commandLineNow());
}
