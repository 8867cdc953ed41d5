import { StoreError } from './store-error.ts';

/** The format that this program writes, of the state file and of journal segments alike. */
export const currentFormat = 1;

/**
 * Refuses what a newer program wrote, before anything is touched.
 *
 * When format 2 comes: raise `currentFormat`, teach the readers in `checkpoint-records.ts` and `journal-line.ts` to take
 * a format-1 record, and keep a folder of format 1 in the fixtures; the test that opens every fixture does the rest.
 */
export function assertReadable(format: number, file: string): void {
  if (format >= 1 && format <= currentFormat) return;
  throw new StoreError(
    'FORMAT_TOO_NEW',
    `${file} has format ${format}; this version of Rotavox reads formats 1 to ${currentFormat}. ` +
      'Nothing was changed. Install the newer version that wrote it.',
  );
}
