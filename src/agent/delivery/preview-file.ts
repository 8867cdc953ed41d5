import type { DeliveryTargetOf } from '../../contract/credential.ts';
import { type DeliveryPreview, maskedValue } from '../../contract/credential-checks.ts';
import { fileContentOf } from './deliver-to-file.ts';
import type { OwnPlaces } from './own-places.ts';
import {
  fileRemarks,
  type PossibleReplacement,
  previewReplacement,
  previewTrouble,
} from './preview-replacement.ts';
import { countLineBreaks } from './read-assignments.ts';

/** What `deliverToFile` would do. */
export async function previewFile(
  { path }: DeliveryTargetOf<'file'>,
  value: string,
  ownPlaces: OwnPlaces,
): Promise<DeliveryPreview> {
  try {
    const planned = await previewReplacement(path, () => fileContentOf(value), ownPlaces);
    const { place, old, content } = planned;
    const isSame = old?.equals(content) === true;
    return {
      possible: true,
      message: [whatHappens(planned, isSame), ...fileRemarks(path, planned)].join(' '),
      place,
      exists: old !== null,
      lines: isSame ? [] : [{ number: null, before: old === null ? null : maskedValue, after: maskedValue }],
    };
  } catch (error) {
    return previewTrouble(error, path);
  }
}

function whatHappens({ place, old }: PossibleReplacement, isSame: boolean): string {
  if (isSame) return `${place} has the present value already: nothing would change.`;
  if (old === null) {
    return `${place} is not there yet: it is made for its owner only (mode 600), with the value and a line break in it.`;
  }
  return `Everything in ${place} (${sizeWords(old)}) is replaced by the value and a line break.`;
}

/** Enough to see whether this is a file that somebody wants to keep. */
function sizeWords(old: Buffer): string {
  if (old.length === 0) return 'it is empty now';
  const text = old.toString('latin1');
  const lines = countLineBreaks(text) + (/[\r\n]$/.test(text) ? 0 : 1);
  return lines === 1 ? 'one line now' : `${lines} lines now`;
}
