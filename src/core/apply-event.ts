import type { AuditEvent } from '../contract/audit-event.ts';
import type { TokenId } from '../contract/token.ts';
import type { State } from './state.ts';
import { dayMs, type Token, tokenIdOf } from './token/token.ts';
import { invariant, unreachable } from './unreachable.ts';

/** How long an expired access token is still known as expired before it is forgotten. */
const expiredAccessKeptMs = dayMs;

/**
 * Makes what an event says true in memory: the only way in which the state changes, live and on replay alike.
 *
 * It decides nothing and reads no clock; an event that does not fit the state is a bug or a damaged journal, and throws.
 */
export function applyEvent(state: State, event: AuditEvent): void {
  const atMs = Date.parse(event.at);
  switch (event.kind) {
    case 'token.issued': {
      const { data } = event;
      state.families.set(data.family_id, {
        id: data.family_id,
        configuration: data.configuration,
        generations: 1,
      });
      addActiveToken(state, { id: data.token_id, familyId: data.family_id, generation: 1 }, event);
      return;
    }
    case 'token.rotated': {
      const { data, sealed } = event;
      const source = tokenOf(state, data.source_id);
      const family = state.families.get(source.familyId);
      invariant(family !== undefined, `token ${source.id} has a family`);
      const generation = source.generation + 1;
      invariant(family.generations === source.generation, `${source.id} is the newest of its family`);
      invariant(
        tokenIdOf(family.id, generation) === data.successor_id,
        `${data.successor_id} follows ${source.id}`,
      );
      const { replay } = sealed;
      state.replaceToken(source, {
        ...source,
        status: 'Superseded',
        endedAtMs: atMs,
        firstUsedAtMs: source.firstUsedAtMs ?? atMs,
        replay:
          replay === undefined
            ? null
            : {
                keyDigest: replay.key_digest,
                sealedReply: replay.reply,
                keyEpoch: replay.key_epoch,
                untilMs: Date.parse(replay.until),
              },
      });
      state.families.set(family.id, { ...family, generations: generation });
      addActiveToken(state, { id: data.successor_id, familyId: family.id, generation }, event);
      return;
    }
    case 'token.refreshed': {
      const { data, sealed } = event;
      // Oldest first, and nearly in the order of their ends: what is forgotten here is forgotten on replay too.
      for (const access of state.accessTokens.values()) {
        if (access.expiresAtMs > atMs - expiredAccessKeptMs) break;
        state.accessTokens.delete(access.digest);
      }
      state.accessTokens.set(sealed.digest, {
        digest: sealed.digest,
        parentId: data.token_id,
        createdAtMs: atMs,
        expiresAtMs: Date.parse(data.expires_at),
      });
      return;
    }
    case 'token.first_used':
      changeToken(state, event.data.token_id, () => ({ firstUsedAtMs: atMs }));
      return;
    case 'token.suspended': {
      const { reason } = event.data;
      changeToken(state, event.data.token_id, () => ({ status: 'Suspended', reason }));
      return;
    }
    case 'token.resumed': {
      const { reason } = event.data;
      changeToken(state, event.data.token_id, () => ({ status: 'Active', reason }));
      return;
    }
    case 'token.blacklisted': {
      const { reason } = event.data;
      changeToken(state, event.data.token_id, () => ({ status: 'Blacklisted', reason, endedAtMs: atMs }));
      return;
    }
    case 'token.expired': {
      const endedAtMs = Date.parse(event.data.expired_at);
      changeToken(state, event.data.token_id, () => ({ status: 'Expired', endedAtMs }));
      return;
    }
    case 'ivr.created':
    case 'ivr.updated':
      state.ivrs.set(event.data.ivr.id, event.data.ivr);
      return;
    case 'ivr.deleted':
      state.ivrs.delete(event.data.ivr_id);
      return;
    case 'settings.changed': {
      const { settings } = event.data;
      state.setSettings({
        ...state.settings,
        ...(settings.sms_templates_enabled === undefined
          ? {}
          : { sms_templates_enabled: settings.sms_templates_enabled }),
      });
      return;
    }
    case 'token.reused':
    case 'journal.repaired':
      return; // facts for the history; they change nothing
    default:
      unreachable(event);
  }
}

/** A token as it begins, whether it was issued or is a successor. */
function addActiveToken(
  state: State,
  identity: Pick<Token, 'id' | 'familyId' | 'generation'>,
  { at, data, sealed }: AuditEvent<'token.issued' | 'token.rotated'>,
): void {
  state.addToken({
    ...identity,
    digest: sealed.digest,
    status: 'Active',
    createdAtMs: Date.parse(at),
    expiresAtMs: Date.parse(data.expires_at),
    firstUsedAtMs: null,
    endedAtMs: null,
    reason: null,
    replay: null,
    ordinal: state.nextOrdinal,
  });
}

function tokenOf(state: State, id: TokenId): Token {
  const token = state.tokens.get(id);
  invariant(token !== undefined, `token ${id} is known`);
  return token;
}

function changeToken(state: State, id: TokenId, change: (token: Token) => Partial<Token>): void {
  const token = tokenOf(state, id);
  state.replaceToken(token, { ...token, ...change(token) });
}
