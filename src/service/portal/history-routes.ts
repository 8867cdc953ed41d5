import type { FastifyInstance, FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import type { Actor, HistoryEvent } from '../../contract/history/audit-event.ts';
import { type ExportFormat, HistoryExportQuery } from '../../contract/history/history.ts';
import { historyExport } from '../../contract/downloads.ts';
import { fieldProblemsOf } from '../../contract/field-problem.ts';
import { type HistorySelection, resultOfEvent, selectionOf } from '../../core/history/choose-events.ts';
import { namesOfSubjects, subjectNames } from '../../core/history/name-of-subject.ts';
import { groupSaves } from '../../core/history/save-groups.ts';
import { countOfRuns, seqsOf, writeRuns } from '../../core/history/seq-runs.ts';
import { isoInstant } from '../../core/iso-instant.ts';
import type { HistorySearch, Ledger } from '../../core/ledger.ts';
import { eventTitle } from '../../text/window/events.ts';
import { writtenCheck } from '../../text/service/store-text.ts';
import { addRoute } from '../http/add-route.ts';
import { refuse } from '../http/refuse.ts';
import type { ServiceContext } from '../service-context.ts';
import { csvOfRows } from './csv-text.ts';
import type { HistoryPage } from '../../contract/service/portal.ts';

/** How many events are in memory at once. */
const eventsAtOnce = 250;

const contentTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
};

/**
 * The history as a file, newest first, as far back as it goes.
 *
 * It is read as fast as the caller receives it, and reading stops when the caller disconnects. If the file cannot be
 * completed, the connection is broken, so that an incomplete file is not mistaken for a complete one. So it is when its owner is
 * revoked or the session ends.
 */
export function addHistoryExport(
  app: FastifyInstance,
  { ledger, clock, zone, sessions }: ServiceContext,
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: historyExport.path,
    config: { family: historyExport.family },
    onRequest: sessions.guard,
    handler: async (request, reply) => {
      const query = HistoryExportQuery.safeParse(request.query);
      if (!query.success)
        return refuse(reply, 'bad_request', { errors: fieldProblemsOf(query.error, request.query) });
      const { format, ...filters } = query.data;
      const nowMs = clock();
      const today = isoInstant(nowMs + zone(nowMs) * 60_000).slice(0, 10);
      void reply
        .type(contentTypes[format])
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="rotavox-history-${today}.${format}"`);
      if (request.method === 'HEAD') return reply.send();
      reply.raw.once(
        'close',
        sessions.endStreamWithSession(request, () => reply.raw.destroy()),
      );
      const nameOfId = subjectNames(ledger.state);
      const pages = pagesOf(ledger, selectionOf(filters), whileWaitedFor(reply));
      return reply.send(Readable.from(format === 'csv' ? csvOf(pages, nameOfId) : jsonOf(pages)));
    },
  });
}

async function* pagesOf(
  ledger: Ledger,
  selection: HistorySelection,
  signal: AbortSignal,
): AsyncGenerator<HistoryEvent[]> {
  let before: number | undefined;
  for (;;) {
    const events = await ledger.history({ ...selection, before, limit: eventsAtOnce, signal });
    if (signal.aborted) return;
    yield events;
    if (events.length < eventsAtOnce) return;
    before = events.at(-1)?.seq;
  }
}

async function* csvOf(
  pages: AsyncIterable<HistoryEvent[]>,
  namesOf: (id: string) => string | undefined,
): AsyncGenerator<string> {
  yield csvHeader;
  for await (const events of pages) yield events.map((event) => csvLine(event, namesOf)).join('');
}

async function* jsonOf(pages: AsyncIterable<HistoryEvent[]>): AsyncGenerator<string> {
  let opening = '[\n';
  for await (const events of pages) {
    if (events.length === 0) continue;
    yield opening + events.map((event) => JSON.stringify(event)).join(',\n');
    opening = ',\n';
  }
  yield opening === '[\n' ? '[]\n' : '\n]\n';
}

const columns = [
  'seq',
  'at',
  'kind',
  'subject',
  'actor',
  'address',
  'result',
  'details',
  'event',
  'subject_name',
  'actor_name',
] as const;

/** The first line of a history in CSV (RFC 4180). */
export const csvHeader = csvOfRows([columns]);

/** An event as a line of CSV. `details` are the event's own fields, as JSON. `namesOf` gives what an id is called now. */
export function csvLine(
  { seq, at, kind, subject, actor, data }: HistoryEvent,
  namesOf: (id: string) => string | undefined,
): string {
  const result = resultOfEvent(kind);
  return csvOfRows([
    [
      String(seq),
      at,
      kind,
      subject,
      nameOf(actor),
      addressOf(actor),
      result,
      JSON.stringify(data),
      eventTitle(kind),
      namesOf(subject) ?? '',
      actorName(actor, namesOf) ?? '',
    ],
  ]);
}

function nameOf(actor: Actor): string {
  return actor.kind === 'bearer' ? actor.token_id : actor.kind;
}

function actorName(actor: Actor, namesOf: (id: string) => string | undefined): string | undefined {
  switch (actor.kind) {
    case 'bearer':
      return namesOf(actor.token_id);
    case 'owner':
      return actor.name;
    case 'system':
      return undefined;
  }
}

function addressOf(actor: Actor): string {
  return actor.kind === 'bearer' ? actor.address : '';
}

/** `/portal/history*`: reading it page by page, searching it, checking it. */
export function addHistoryRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger } = context;

  addRoute(app, context, 'readHistory', async ({ query, reply }) => {
    const signal = whileWaitedFor(reply);
    const page = await pageOf(query, (place) => ledger.history({ ...selectionOf(query), ...place, signal }));
    return { ...page, names: namesOfSubjects(ledger.state, page.events) };
  });

  addRoute(app, context, 'historyMatches', async ({ query, reply }) => {
    const { last_seq: lastSeq } = ledger.health();
    const search = { ...selectionOf(query), before: lastSeq + 1, signal: whileWaitedFor(reply) };
    const runs = await ledger.findEvents(search);
    const saves = await savesOfDrafts(search);
    return {
      last_seq: lastSeq,
      count: countOfRuns(runs),
      runs: writeRuns(lastSeq, runs),
      saves: groupSaves(runs, saves),
    };
  });

  /** Only of drafts that there are: those of a deleted one are listed one by one. */
  async function savesOfDrafts(search: HistorySearch): Promise<Map<string, Iterable<number>>> {
    const saves = new Map<string, Iterable<number>>();
    if (search.kinds?.some((kind) => kind === 'draft.saved' || kind === 'draft.') === false) return saves;
    for (const { id } of ledger.state.drafts.values()) {
      if (search.subject !== undefined && search.subject !== id) continue;
      const runs = await ledger.findEvents({ ...search, subject: id, kinds: ['draft.saved'] });
      if (runs.length > 0) saves.set(id, seqsOf(runs));
    }
    return saves;
  }

  addRoute(app, context, 'verifyHistory', async () => writtenCheck(await ledger.verify()));
}

/** A signal that is aborted when the answer is no longer needed: it was sent, or the caller has disconnected. */
function whileWaitedFor(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
}

const defaultLimit = 100;

/** A page of history, and where the next one begins: one event more is requested to know whether there is one. */
export async function pageOf(
  query: { before?: string | undefined; limit?: string | undefined },
  read: (filter: { before: number | undefined; limit: number }) => Promise<HistoryEvent[]>,
): Promise<HistoryPage> {
  const limit = query.limit === undefined ? defaultLimit : Number(query.limit);
  const found = await read({
    before: query.before === undefined ? undefined : Number(query.before),
    limit: limit + 1,
  });
  const events = found.slice(0, limit);
  return { events, next_before: found.length > limit ? (events.at(-1)?.seq ?? null) : null };
}
