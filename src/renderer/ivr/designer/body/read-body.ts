import type { IvrBody, IvrWarning } from '../../../../contract/ivr.ts';
import type { FieldError } from '../../../../contract/problems.ts';
import { parseIvrBody } from '../../../../core/ivr/body/parse-ivr-body.ts';
import { refused, type Result } from '../../../../core/result.ts';

/**
 * Reads a body that a person has written, with the judge that the service has.
 *
 * SMS templates are kept whatever the setting is: the drawing holds them, and the checks say what becomes of them.
 */
export function readBody(
  text: string,
): Result<{ readonly body: IvrBody; readonly warnings: readonly IvrWarning[] }, readonly FieldError[]> {
  let written: unknown;
  try {
    written = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return refused([{ field: '', message: `This is not JSON yet: ${why}.` }]);
  }
  return parseIvrBody(written, { smsTemplatesEnabled: true });
}

/** Where a field stands in the text of a body, from its name to the end of its line; null when it is not there. */
export function placeOfField(text: string, field: string): { start: number; end: number } | null {
  const [name = ''] = field.split(/[.[]/);
  const start = name === '' ? -1 : text.indexOf(`"${name}"`);
  if (start < 0) return null;
  const lineEnd = text.indexOf('\n', start);
  return { start, end: lineEnd < 0 ? text.length : lineEnd };
}
