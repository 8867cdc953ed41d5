import { draftBounds, ScenarioInput } from '../../../../contract/ivr-draft.ts';
import { done, refused, type Result } from '../../../../core/result.ts';

/** Inputs of a scenario as they are typed: `9, -, 1`. */
export function writeInputs(inputs: readonly ScenarioInput[]): string {
  return inputs.join(', ');
}

/**
 * Reads what a caller does: keys, and `-` for a timeout, with or without commas and spaces between them.
 *
 * The refusal says what cannot be read.
 */
export function readInputs(text: string): Result<readonly ScenarioInput[], string> {
  const signs = Array.from(text)
    .filter((sign) => !/[\s,;]/.test(sign))
    .map((sign) => (/[–—−]/.test(sign) ? '-' : sign));
  const wrong = signs.find((sign) => !ScenarioInput.safeParse(sign).success);
  if (wrong !== undefined)
    return refused(`“${wrong}” is not valid. Enter keys (0-9, * or #), and - for a timeout.`);
  if (signs.length > draftBounds.inputs)
    return refused(`A scenario can have at most ${draftBounds.inputs} inputs, not ${signs.length}.`);
  return done(signs);
}
