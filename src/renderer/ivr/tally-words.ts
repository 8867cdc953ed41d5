import type { Tally } from '../../core/ivr/tally.ts';
import { countWords } from '../../text/count.ts';

/** “2 errors, 1 warning”. */
export function tallyWords({ errors, warnings }: Tally): string {
  const parts = [
    ...(errors === 0 ? [] : [countWords(errors, 'error')]),
    ...(warnings === 0 ? [] : [countWords(warnings, 'warning')]),
  ];
  return parts.length === 0 ? 'No problems' : parts.join(', ');
}
