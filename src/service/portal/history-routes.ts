import type { FastifyInstance } from 'fastify';
import { namesOfSubjects } from '../../core/history/name-of-subject.ts';
import { selectionOf } from '../../core/history/history-selection.ts';
import { countOfRuns, writeRuns } from '../../core/history/seq-runs.ts';
import { addRoute } from '../add-route.ts';
import type { ServiceContext } from '../service-context.ts';
import { pageOf } from './page-of.ts';
import { whileWaitedFor } from './while-waited-for.ts';

/** `/portal/history*`: reading it page by page, searching it, checking it. As a file it is in `history-export.ts`. */
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
    return { last_seq: lastSeq, count: countOfRuns(runs), runs: writeRuns(lastSeq, runs) };
  });

  addRoute(app, context, 'verifyHistory', async () => ledger.verify());
}
