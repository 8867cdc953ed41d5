import type { RotationPolicy } from '../../contract/credential.ts';
import type { Settings } from '../../contract/settings.ts';

/** The policy that a credential gets where nothing else is said when it is added. */
export function defaultPolicyOf({ rotation_fraction, rotation_preferred_hours }: Settings): RotationPolicy {
  return { fraction: rotation_fraction, preferred_hours: rotation_preferred_hours };
}
