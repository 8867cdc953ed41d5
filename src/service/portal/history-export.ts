import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type ExportFormat, HistoryExportQuery } from '../../contract/history.ts';
import { historyExport } from '../../contract/routes/downloads.ts';
import type { HistoryEvent } from '../../contract/audit-event.ts';
import { fieldErrorsOf } from '../../core/field-errors.ts';
import { type HistorySelection, selectionOf } from '../../core/history/history-selection.ts';
import { isoInstant } from '../../core/iso-instant.ts';
import type { Ledger } from '../../core/ledger.ts';
import { refuse } from '../refuse.ts';
import type { ServiceContext } from '../service-context.ts';
import { csvHeader, csvLine } from './history-csv.ts';
import { whileWaitedFor } from './while-waited-for.ts';

/** How many events are in memory at once. */
const eventsAtOnce = 250;

const contentTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
};

/**
 * The history as a file, newest first, as far back as it goes.
 *
 * It is read as fast as the caller takes it, and no further when the caller has gone. A file that could not be finished
 * ends in a broken connection, so that nobody takes it for a whole one.
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
        return refuse(reply, 'bad_request', { errors: fieldErrorsOf(query.error, request.query) });
      const { format, ...filters } = query.data;
      const nowMs = clock();
      const today = isoInstant(nowMs + zone(nowMs) * 60_000).slice(0, 10);
      void reply
        .type(contentTypes[format])
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="rotavox-history-${today}.${format}"`);
      if (request.method === 'HEAD') return reply.send();
      const pages = pagesOf(ledger, selectionOf(filters), whileWaitedFor(reply));
      return reply.send(Readable.from(format === 'csv' ? csvOf(pages) : jsonOf(pages)));
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

async function* csvOf(pages: AsyncIterable<HistoryEvent[]>): AsyncGenerator<string> {
  yield csvHeader;
  for await (const events of pages) yield events.map(csvLine).join('');
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
