import { problems } from '../contract/problems.ts';
import { bodyLimitBytes } from '../contract/routes/route.ts';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** What to say of a body that is larger than its route takes. */
export function tooLargeWords(limitBytes: number): string {
  if (limitBytes === bodyLimitBytes) return problems.body_too_large.message;
  const limit = limitBytes >= mebibyte ? `${limitBytes / mebibyte} MiB` : `${limitBytes / kibibyte} KiB`;
  return `The body is too large. The limit is ${limit}.`;
}
