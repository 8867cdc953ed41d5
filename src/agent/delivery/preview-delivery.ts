import type { DeliveryTarget } from '../../contract/credential.ts';
import type { DeliveryPreview } from '../../contract/credential-checks.ts';
import { unreachable } from '../../core/unreachable.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { previewDotenv } from './preview-dotenv.ts';
import { previewFile } from './preview-file.ts';
import { previewHook } from './preview-hook.ts';
import { previewKeychain } from './preview-keychain.ts';

/**
 * What `deliver` would do with a target and a value, found by the same code; writes and runs nothing.
 *
 * No value is in it, neither this one nor one that lies in the place. Like `deliver` it rejects for bugs only.
 */
export async function previewDelivery(
  target: DeliveryTarget,
  value: string,
  { vault, ownPlaces }: Pick<DeliveryContext, 'vault' | 'ownPlaces'>,
): Promise<DeliveryPreview> {
  switch (target.kind) {
    case 'keychain':
      return previewKeychain(target, value, vault);
    case 'file':
      return previewFile(target, value, ownPlaces);
    case 'dotenv':
      return previewDotenv(target, value, ownPlaces);
    case 'hook':
      return previewHook(target);
    default:
      return unreachable(target);
  }
}
