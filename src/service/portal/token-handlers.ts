import type { FastifyInstance, FastifyReply } from 'fastify';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { eventKinds, type HistoryEvent } from '../../contract/history/audit-event.ts';
import type { IssueRecord, TokenConditions, TokenQuery } from '../../contract/token/token-list.ts';
import { type FamilyId, type TokenId, TokenStatus } from '../../contract/token/token.ts';
import { type Ledger, readState } from '../../core/ledger.ts';
import type { TokenFilter } from '../../core/token/filtered-tokens.ts';
import { issueToken } from '../../core/token/issue-token.ts';
import { moveToken, type TokenMove } from '../../core/token/move-token.ts';
import { type TokenPageQuery, TokenCatalogue } from '../../core/token/token-catalogue.ts';
import { dismissReuse } from '../../core/token/reuse.ts';
import { viewFamily, viewToken } from '../../core/token/view-token.ts';
import { invariant } from '../../core/unreachable.ts';
import { refusalText } from '../../text/service/service-text.ts';
import { addRoute } from '../http/add-route.ts';
import { answerRefusal } from '../http/refuse.ts';
import { mintId, mintToken } from '../secrets/token-value.ts';
import type { ServiceContext } from '../service-context.ts';
import { pageOf } from './history-routes.ts';

/** Enough for a million tokens. A list is never finished in steps if tokens expire faster than it is computed. */
const maxSteps = 5000;

/** `/portal/tokens*`: the owner issues tokens, moves them between states and reads their history. */
export function addTokenRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger, clock } = context;
  const catalogue = new TokenCatalogue(ledger.state);

  addRoute(app, context, 'issueToken', async ({ body, reply }) => {
    const { expires_at: expiresAt, ...configuration } = body;
    const { value, digest } = mintToken('api');
    const familyId = mintId('fam_') as FamilyId;
    const expiresAtMs = expiresAt === undefined ? null : Date.parse(expiresAt);
    const outcome = await ledger.transact((_state, nowMs) =>
      issueToken({ familyId, digest, configuration, expiresAtMs }, nowMs),
    );
    if (!outcome.ok) return answerRefusal(reply, 'bad_request', { errors: [outcome.refusal] });
    void reply.header('cache-control', 'no-store');
    return { ...(await viewOf(outcome.value)), access_token: value, token_type: 'bearer' as const };
  });

  addRoute(app, context, 'listTokens', async ({ query, reply }) => {
    const wanted = pageQueryOf(query);
    await workAhead(wanted);
    const page = await readState(ledger, (_state, nowMs) => catalogue.page(wanted, nowMs));
    if (page.ok) return page.value;
    return answerRefusal(reply, 'bad_request', {
      errors: [{ field: 'after', code: 'not_a_token_id', params: null }],
    });
  });

  addRoute(app, context, 'tokenFacets', async ({ query }) => {
    const filter = filterOf(query);
    await workAhead({ filter, sort: 'created' });
    return readState(ledger, (_state, nowMs) => catalogue.facets(filter, nowMs));
  });

  addRoute(app, context, 'readToken', async ({ params, reply }) => {
    const view = await readState(ledger, (state, nowMs) => {
      const token = state.tokens.get(params.id as TokenId);
      return token === undefined ? null : viewToken(state, token, nowMs);
    });
    return view ?? noSuchToken(reply);
  });

  addRoute(app, context, 'tokenHistory', async ({ params, query, reply }) => {
    const token = ledger.state.tokens.get(params.id as TokenId);
    if (token === undefined) return noSuchToken(reply);
    return pageOf(query, (filter) =>
      ledger.history({ ...filter, subject: token.familyId, matches: (event) => namesToken(event, token.id) }),
    );
  });

  for (const [name, move] of [
    ['suspendToken', 'suspend'],
    ['resumeToken', 'resume'],
    ['blacklistToken', 'blacklist'],
  ] as const) {
    addRoute(app, context, name, async ({ params, body, reply }) =>
      moveAndShow({ tokenId: params.id, move, reason: body?.reason ?? null }, reply),
    );
  }

  /** Answers other requests between the steps of a long list. After the maximum of steps the rest is done at once. */
  async function workAhead(wanted: Pick<TokenPageQuery, 'filter' | 'sort'>): Promise<void> {
    for (let steps = 0; steps < maxSteps && !catalogue.step(wanted, clock()); steps += 1)
      await setImmediate();
  }

  async function moveAndShow(
    command: { tokenId: string; move: TokenMove; reason: string | null },
    reply: FastifyReply,
  ) {
    const outcome = await ledger.transact((state, nowMs) => moveToken(state, command, nowMs));
    if (outcome.ok) return viewOf(outcome.value);
    if (outcome.refusal.problem === 'not_found') return noSuchToken(reply);
    const { status, allowed } = outcome.refusal;
    return answerRefusal(reply, 'conflict', {
      message: refusalText.cannotMove(status, allowed, command.move),
    });
  }

  /** Goes through the ledger like every answer, so that everything it shows is on disk. */
  function viewOf(id: TokenId) {
    return readState(ledger, (state, nowMs) => {
      const token = state.tokens.get(id);
      invariant(token !== undefined, `token ${id} was just written`);
      return viewToken(state, token, nowMs);
    });
  }
}

function noSuchToken(reply: FastifyReply): null {
  return answerRefusal(reply, 'not_found', { message: refusalText.noSuchToken });
}

/** `/portal/families*`: a token and everything rotated from it. */
export function addFamilyRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger } = context;

  addRoute(app, context, 'readFamily', ({ params, reply }) => viewOf(params.id, reply));

  addRoute(app, context, 'dismissReuse', async ({ params, reply }) => {
    const outcome = await ledger.transact((state) => dismissReuse(state, params.id));
    return outcome.ok ? viewOf(outcome.value, reply) : noSuchToken(reply);
  });

  async function viewOf(id: string, reply: FastifyReply) {
    const family = await readState(ledger, (state, nowMs) => viewFamily(state, id, nowMs));
    if (family === null) return noSuchToken(reply);
    return { ...family, issued: await readIssue(ledger, family.id) };
  }
}

/**
 * Reads what was recorded when a family began: its first event in the journal.
 *
 * Read from disk on purpose, because it is compared with the current state.
 */
async function readIssue(ledger: Ledger, familyId: string): Promise<IssueRecord> {
  const oldest = (await ledger.findEvents({ subject: familyId })).at(-1);
  invariant(oldest !== undefined, `the journal has the issue of ${familyId}`);
  const seq = oldest.from - oldest.count + 1;
  const [event] = await ledger.history({ subject: familyId, before: seq + 1, limit: 1 });
  invariant(event?.kind === 'token.issued', `the history of ${familyId} begins with its issue`);
  return issueRecordOf(event);
}

function issueRecordOf({ seq, at, data }: HistoryEvent): IssueRecord {
  const { configuration, expires_at } = eventKinds['token.issued'].data.parse(data);
  return { seq, at, configuration, expires_at };
}

/** Whether an event of a family is about one of its tokens; a rotation is about two. */
function namesToken({ data }: HistoryEvent, tokenId: string): boolean {
  return data.token_id === tokenId || data.source_id === tokenId || data.successor_id === tokenId;
}

const defaultLimit = 100;

/** The validated conditions of a query, as core takes them. */
function filterOf({ status, family_id, category, text, newest }: TokenConditions): TokenFilter {
  return {
    statuses: status === undefined ? null : z.array(TokenStatus).parse(status.split(',')),
    familyId: family_id ?? null,
    category: category ?? null,
    text: text ?? null,
    isNewestOnly: newest === 'true',
  };
}

function pageQueryOf(query: TokenQuery): TokenPageQuery {
  const { sort = 'created', order, after, offset = '0', limit = String(defaultLimit) } = query;
  return {
    filter: filterOf(query),
    sort,
    isDescending: (order ?? (sort === 'created' || sort === 'changed' ? 'desc' : 'asc')) === 'desc',
    after: after ?? null,
    offset: Number(offset),
    limit: Number(limit),
  };
}
