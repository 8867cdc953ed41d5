import type { DeliveryTargetOf } from '../../contract/credential.ts';
import { delivered, type DeliveryOutcome, undelivered, wasThere } from './delivery-outcome.ts';
import { FileTrouble } from './file-trouble.ts';
import { replacePrivateFile } from './replace-private-file.ts';

/** Makes a file hold the value and a newline, nothing else. */
export async function deliverToFile(
  { path }: DeliveryTargetOf<'file'>,
  value: string,
): Promise<DeliveryOutcome> {
  try {
    const end = await replacePrivateFile(path, () => Buffer.from(`${value}\n`));
    return delivered(end === 'unchanged' ? wasThere : null);
  } catch (error) {
    if (error instanceof FileTrouble) return undelivered(error.message);
    throw error;
  }
}
