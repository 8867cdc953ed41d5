import type { Actor } from '../../contract/history/audit-event.ts';
import type { CredentialView } from '../../contract/credential/credential-view.ts';
import { isOwnCall } from '../../contract/service/own-call.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { Resource } from '../kit/live/resource.ts';

/** A program that used a token. */
export interface TokenUser {
  readonly address: string;
  readonly user_agent: string | null;
  /** When that was recorded last. */
  readonly at: string;
}

/** The events in which a program shows its current token. */
const kinds = 'token.first_used,token.refreshed';
/** More events of one token than these name no further programs that a person would read. */
const read = '100';

/** The programs that are known to use the current token of a credential, the latest first; null where another service issued it. */
export function usersOfCurrent({
  family_id: family,
  token_id: token,
}: Pick<CredentialView, 'family_id' | 'token_id'>): Resource<readonly TokenUser[] | null> {
  return {
    key: ['credentials', 'users', token ?? ''],
    about: ['token.'],
    async read(signal) {
      if (family === null || token === null) return { kind: 'ok', value: null };
      const query = { subject: family, kind: kinds, limit: read };
      const reply = await askPortal('readHistory', { query, signal });
      return reply.kind === 'ok' ? { kind: 'ok', value: usersIn(reply.value.events, token) } : reply;
    },
  };
}

/** Who used a token in these events, each program once. Rotavox's own calls are no use by a program. */
export function usersIn(
  events: readonly { readonly at: string; readonly actor: Actor }[],
  token: string,
): readonly TokenUser[] {
  const users = new Map<string, TokenUser>();
  for (const { at, actor } of events) {
    if (actor.kind !== 'bearer' || actor.token_id !== token || isOwnCall(actor)) continue;
    const { address, user_agent } = actor;
    const key = JSON.stringify([address, user_agent]);
    if (!users.has(key)) users.set(key, { address, user_agent, at });
  }
  return [...users.values()];
}
