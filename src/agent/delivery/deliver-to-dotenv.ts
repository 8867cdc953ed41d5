import type { DeliveryTargetOf } from '../../contract/credential.ts';
import { unreachable } from '../../core/unreachable.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { delivered, type DeliveryOutcome, undeliverable, undelivered } from './delivery-outcome.ts';
import { FileTrouble } from './file-trouble.ts';
import type { ContentChange } from './plan-replacement.ts';
import { mostAssignments } from './read-assignments.ts';
import { replacePrivateFile } from './replace-private-file.ts';
import { setVariable } from './set-variable.ts';
import { VariableRefused } from './variable-refused.ts';

/** Gives one variable of a dotenv file the value; makes the file where there is none. */
export async function deliverToDotenv(
  { path, variable }: DeliveryTargetOf<'dotenv'>,
  value: string,
  { ownPlaces }: Pick<DeliveryContext, 'ownPlaces'>,
): Promise<DeliveryOutcome> {
  try {
    await replacePrivateFile(path, dotenvContentOf(variable, value), ownPlaces);
    return delivered();
  } catch (error) {
    if (error instanceof FileTrouble) return error.outcome;
    if (!(error instanceof VariableRefused)) throw error;
    const words = refusalWords(error, path, variable);
    return error.code === 'VALUE_UNQUOTABLE' ? undeliverable(words) : undelivered(words);
  }
}

/** What becomes of a dotenv file whose variable gets a value. Throws `VariableRefused`. */
export function dotenvContentOf(variable: string, value: string): ContentChange {
  return (content) => setVariable(content ?? Buffer.alloc(0), variable, value);
}

/** Why a variable cannot be set in a file, and what to do. */
export function refusalWords({ code }: VariableRefused, path: string, variable: string): string {
  switch (code) {
    case 'VALUE_UNQUOTABLE':
      return (
        `The value cannot stand in ${path}: with its line break, NUL, last backslash or mix of quotes, no way to write ` +
        `${variable}=… is read the same by all readers. Use a file target, or a hook.`
      );
    case 'NOT_TEXT':
      return `${path} is not a text that dotenv readers understand (it has NUL bytes, as UTF-16 has). Save it as UTF-8.`;
    case 'TOO_MANY':
      return `${path} sets more than ${mostAssignments} variables, so it was hardly made to hold a token. Change the path of the target.`;
    case 'QUOTES_ENTANGLED':
      return (
        `${variable} cannot be set in ${path} without changing how its other lines are read: a quote that is never ` +
        'closed is the likely reason. Close it.'
      );
    default:
      return unreachable(code);
  }
}
