import type { Actor } from '../../../contract/audit-event.ts';

/** Who did something and from where, in full. */
export function actorPlace(actor: Actor): string {
  switch (actor.kind) {
    case 'owner':
      return 'the owner';
    case 'system':
      return 'the service itself';
    case 'bearer':
      return actor.user_agent === null ? actor.address : `${actor.address}, ${actor.user_agent}`;
  }
}
