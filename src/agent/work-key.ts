import type { CredentialId, TargetId } from '../contract/credential.ts';

/** Names a piece of the loop's work, of which one at most is under way. */
export function rotationKey(id: CredentialId): string {
  return `rotate ${id}`;
}

export function deliveryKey(id: CredentialId, targetId: TargetId): string {
  return `deliver ${id} ${targetId}`;
}
