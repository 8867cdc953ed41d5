import type { DeliveryTargetOf } from '../../contract/credential.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { delivered, type DeliveryOutcome } from './delivery-outcome.ts';
import { FileTrouble } from './file-trouble.ts';
import { replacePrivateFile } from './replace-private-file.ts';

/** Makes a file hold the value and a newline, nothing else. */
export async function deliverToFile(
  { path }: DeliveryTargetOf<'file'>,
  value: string,
  { ownPlaces }: Pick<DeliveryContext, 'ownPlaces'>,
): Promise<DeliveryOutcome> {
  try {
    await replacePrivateFile(path, () => fileContentOf(value), ownPlaces);
    return delivered();
  } catch (error) {
    if (error instanceof FileTrouble) return error.outcome;
    throw error;
  }
}

/** All that a file of one value holds. */
export function fileContentOf(value: string): Buffer {
  return Buffer.from(`${value}\n`);
}
