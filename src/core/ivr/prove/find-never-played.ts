import type { IvrProblem } from '../../../contract/ivr-problem.ts';
import type { FlowMenu } from '../flow.ts';
import { menuProblem } from '../menu-problem.ts';
import { quoted } from '../quoted.ts';
import { hasWrongKey } from './wrong-key.ts';

/** Prompts of a menu that no caller can ever hear: warnings, for they harm nobody and were probably meant otherwise. */
export function findNeverPlayed({ id, name, keys, silence }: FlowMenu): IvrProblem[] {
  const problems: IvrProblem[] = [];
  if (!hasWrongKey((key) => keys.has(key))) {
    const field = 'invalid_recording';
    const message = `What ${quoted(name)} plays after a wrong key is never heard: it uses every key that a telephone has. Nothing is to be done if that is meant.`;
    problems.push(menuProblem(id, { code: 'never_played', at: field, field, message }, 'warning'));
  }
  if (silence.retries === 0) {
    const field = 'timeout_retry_recording';
    const message = `What ${quoted(name)} plays before it begins again is never heard: after silence it does not begin again. Raise timeout_tries if it should.`;
    problems.push(menuProblem(id, { code: 'never_played', at: field, field, message }, 'warning'));
  }
  return problems;
}
