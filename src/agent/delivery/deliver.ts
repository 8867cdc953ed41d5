/**
 * Delivery: how a new value comes to the places that must have it. One file a kind of target, and this one to choose.
 * Nothing here remembers anything or tries again; the loop that calls `deliver` does. No message, note, argument or
 * file name may hold a value. `preview-delivery.ts` says beforehand what would happen, by the same code up to where it
 * writes. Start reading here, then `replace-private-file.ts`, `set-variable.ts`, `run-hook.ts`.
 */
import type { DeliveryTarget } from '../../contract/credential.ts';
import { unreachable } from '../../core/unreachable.ts';
import { deliverToDotenv } from './deliver-to-dotenv.ts';
import { deliverToFile } from './deliver-to-file.ts';
import { deliverToHook } from './deliver-to-hook.ts';
import { deliverToKeychain } from './deliver-to-keychain.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { type DeliveryOutcome, undelivered } from './delivery-outcome.ts';

export type { DeliveryContext } from './delivery-context.ts';
export type { DeliveryOutcome } from './delivery-outcome.ts';

/**
 * Brings a value to one target and proves that it arrived.
 *
 * May be repeated: a target that has the value already keeps it. Never rejects for what the world can do (a missing
 * folder, a full disk, a hook that fails, a locked keychain): that is an outcome. A rejection is a bug.
 */
export async function deliver(
  target: DeliveryTarget,
  value: string,
  context: DeliveryContext,
): Promise<DeliveryOutcome> {
  if (context.signal?.aborted === true) {
    return undelivered('Rotavox was stopped before this delivery began. It is made after the next start.');
  }
  switch (target.kind) {
    case 'keychain':
      return deliverToKeychain(target, value, context.vault);
    case 'file':
      return deliverToFile(target, value, context);
    case 'dotenv':
      return deliverToDotenv(target, value, context);
    case 'hook':
      return deliverToHook(target, value, context);
    default:
      return unreachable(target);
  }
}
