import type { ChangePolicy, RotationPolicy } from '../../contract/credential.ts';

/** A policy with what is wished changed, and the rest as it was. */
export function changedPolicy(before: RotationPolicy, wish: ChangePolicy | undefined): RotationPolicy {
  return {
    fraction: wish?.fraction ?? before.fraction,
    preferred_hours: wish?.preferred_hours === undefined ? before.preferred_hours : wish.preferred_hours,
  };
}
