import type { z } from 'zod';
import type { FieldError } from '../contract/problems.ts';

/** What a schema found wrong with an input, as one sentence a field: the path (`option[2]`) and what is allowed. */
export function fieldErrorsOf(error: z.ZodError, input: unknown): FieldError[] {
  return error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({
          field: pathOf([...issue.path, key]),
          message: 'is not a field of this request',
        }))
      : [
          {
            field: pathOf(issue.path),
            message: isMissing(input, issue.path) ? `is required; it ${issue.message}` : wordsOf(issue),
          },
        ],
  );
}

/** The schema's own words; of a body that has none for itself, zod's would name its types. */
function wordsOf({ code, path, message }: z.core.$ZodIssue): string {
  const isOfZod = code === 'invalid_type' && path.length === 0 && message.startsWith('Invalid input');
  return isOfZod ? 'must be a JSON object' : message;
}

function isMissing(input: unknown, path: readonly PropertyKey[]): boolean {
  if (path.length === 0) return false;
  let value = input;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return false;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value === undefined;
}

function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((part, place) =>
      typeof part === 'number' ? `[${part}]` : `${place === 0 ? '' : '.'}${shortName(String(part))}`,
    )
    .join('');
}

/** How much of a name is quoted that somebody gave a field. */
const quotedLength = 100;

/** A field's name in a message: it comes from whoever sent it, and may be as long as the whole body. */
export function shortName(name: string): string {
  return name.length > quotedLength ? `${name.slice(0, quotedLength)}…` : name;
}

/** How many errors one answer names. */
const namedErrors = 50;

/** As many errors as an answer names, and how many more there are: a body can be wrong in a million places. */
export function nameErrors(errors: readonly FieldError[]): readonly FieldError[] {
  const more = errors.length - namedErrors;
  if (more <= 0) return errors;
  const message = more === 1 ? 'has 1 more error' : `has ${more} more errors`;
  return [...errors.slice(0, namedErrors), { field: '', message }];
}

/** All of them in one line, for a message. */
export function joinFieldErrors(errors: readonly FieldError[]): string {
  return errors
    .map(({ field, message }) => (field === '' ? `The body ${message}` : `${field} ${message}`))
    .join('; ');
}
