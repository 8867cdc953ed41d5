import type { z } from 'zod';
import { IvrDocument } from '../../../contract/ivr-draft.ts';
import type { FieldError } from '../../../contract/problems.ts';
import { fieldErrorsOf } from '../../field-errors.ts';
import { done, refused, type Result } from '../../result.ts';

const mostErrors = 20;

/** A drawing as it stands in a file, or where it is none and what is expected there; `path` is where it stands. */
export function readDocument(value: unknown, path: string): Result<IvrDocument, readonly FieldError[]> {
  const parsed = IvrDocument.safeParse(value, { error: expectedWords });
  if (parsed.success) return done(parsed.data);
  const errors = fieldErrorsOf(parsed.error, value).slice(0, mostErrors);
  return refused(
    errors.map(({ field, message }) => ({
      field: [path, field].filter((part) => part !== '').join('.'),
      message,
    })),
  );
}

/** What is expected, in words, where the schema has none of its own. */
function expectedWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') return `must be ${kinds[issue.expected] ?? issue.expected}`;
  if (issue.code === 'invalid_value')
    return `must be ${issue.values.map((value) => `“${String(value)}”`).join(' or ')}`;
  if (issue.code === 'invalid_union') return 'must be one that a drawing has';
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${unitOf(issue)}`;
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}${unitOf(issue)}`;
  return undefined;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

function unitOf({ origin }: { readonly origin?: unknown }): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}
