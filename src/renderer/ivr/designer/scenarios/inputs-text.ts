import { draftBounds, ScenarioInput } from '../../../../contract/menu/ivr-draft.ts';
import { done, refused, type Result } from '../../../../core/result.ts';
import type { InputsRefusal } from '../../../../text/menu/test-call.ts';

/** Inputs of a scenario as they are typed: `9, -, 1`. */
export function writeInputs(inputs: readonly ScenarioInput[]): string {
  return inputs.join(', ');
}

/** Reads what a caller does: keys, and `-` for a timeout, with or without commas and spaces between them. */
export function readInputs(text: string): Result<readonly ScenarioInput[], InputsRefusal> {
  const signs = Array.from(text)
    .filter((sign) => !/[\s,;]/.test(sign))
    .map((sign) => (/[–—−]/.test(sign) ? '-' : sign));
  const wrong = signs.find((sign) => !ScenarioInput.safeParse(sign).success);
  if (wrong !== undefined) return refused({ code: 'not_an_input', sign: wrong });
  if (signs.length > draftBounds.inputs)
    return refused({ code: 'too_many', count: signs.length, most: draftBounds.inputs });
  return done(signs);
}
