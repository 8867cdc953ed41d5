import type { DeliveryTargetOf } from '../../contract/credential.ts';
import type { DeliveryPreview } from '../../contract/credential-checks.ts';
import { shellWord } from '../../core/shell-word.ts';
import { explainNoStart } from './deliver-to-hook.ts';
import { findProgram } from './find-program.ts';

/** What `deliverToHook` would start. It is not started: what a command does, nobody can take back. */
export async function previewHook({
  command,
  pass,
  variable,
  time_limit_seconds: timeLimitSeconds,
}: DeliveryTargetOf<'hook'>): Promise<DeliveryPreview> {
  const [program = '', ...args] = command;
  const found = await findProgram(program);
  if (!found.ok) {
    return {
      possible: false,
      message: `${explainNoStart(found.code, program)} Nothing was run.`,
      place: command.map(shellWord).join(' '),
      exists: found.code === 'EACCES',
      lines: [],
    };
  }
  const way = pass === 'stdin' ? 'on its stdin' : `in the variable ${variable} of its environment`;
  const given =
    args.length === 0 ? 'no arguments' : args.length === 1 ? 'one argument' : `${args.length} arguments`;
  return {
    possible: true,
    message:
      `${found.path} is run with ${given}, without a shell, and has ${timeLimitSeconds} s. ` +
      `The value comes ${way}, never among its arguments. It was found and may be run; it was not run now.`,
    place: [found.path, ...args].map(shellWord).join(' '),
    exists: true,
    lines: [],
  };
}
