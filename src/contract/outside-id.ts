import { z } from 'zod';

/**
 * The one rule for an id that somebody else gives: of a recording, an extension, an SMS template, a menu of another service.
 *
 * It is asked where an id comes in: of an upload, an import, a reply of another service. An id stands in references
 * (`ivr||<id>`) and in addresses, where `.` and `..` are steps and half a pair of surrogates cannot be written. What was
 * kept before there was a rule is read as it is, so replies and events name an id as a plain text.
 */
export function outsideId(longest: number, { hasSlash = true }: { readonly hasSlash?: boolean } = {}) {
  const not = `|\\p{Cc}\\p{Cs}${hasSlash ? '' : '/\\\\'}`;
  const without = hasSlash ? '| and control characters' : '|, / and control characters';
  return z
    .string()
    .regex(
      new RegExp(`^(?!\\.{1,2}$)[^\\s${not}][^${not}]{0,${longest - 1}}$`, 'u'),
      `must be 1 to ${longest} characters without ${without}, begin with no space, and not be . or ..`,
    );
}
