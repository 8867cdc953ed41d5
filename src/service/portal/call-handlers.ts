import type { FastifyInstance } from 'fastify';
import { Readable } from 'node:stream';
import { CallFilters, type CallRecord } from '../../contract/calls/call.ts';
import { fieldProblemsOf } from '../../contract/field-problem.ts';
import { callsExport } from '../../contract/downloads.ts';
import { type CallRecords, endDetail } from '../../core/calls/telephony.ts';
import { isoInstant } from '../../core/iso-instant.ts';
import { refusalText } from '../../text/service/service-text.ts';
import { addRoute } from '../http/add-route.ts';
import { refuse } from '../http/refuse.ts';
import type { ServiceContext } from '../service-context.ts';
import { csvOfRows } from './csv-text.ts';

/** `/portal/calls*` and `/portal/traffic`: what was stored of calls that ended. */
export function addCallRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger, callRecords } = context;

  addRoute(app, context, 'listCalls', async ({ query }) => (await callRecords()).find(query));

  addRoute(app, context, 'readCall', async ({ params, reply }) => {
    const call = await (await callRecords()).read(params.id);
    if (call === null) refuse(reply, 'not_found', { message: refusalText.noSuchCall });
    return call;
  });

  addRoute(app, context, 'forgetCaller', async ({ body }) => {
    const deleted = await (await callRecords()).forgetCaller(body.caller);
    if (deleted === 0) return { deleted };
    return ledger.transact(() => ({
      events: [{ kind: 'calls.forgotten', subject: 'calls', actor: { kind: 'owner' }, data: { deleted } }],
      value: { deleted },
    }));
  });

  addRoute(app, context, 'readTraffic', async ({ query }) => (await callRecords()).traffic(query));

  addCallsExport(app, context);
}

/** The records as a file. They are read as fast as the caller receives them. */
function addCallsExport(app: FastifyInstance, { sessions, callRecords, clock, zone }: ServiceContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: callsExport.path,
    config: { family: callsExport.family },
    onRequest: sessions.guard,
    handler: async (request, reply) => {
      const filters = CallFilters.safeParse(request.query);
      if (!filters.success)
        return refuse(reply, 'bad_request', { errors: fieldProblemsOf(filters.error, request.query) });
      const nowMs = clock();
      const today = isoInstant(nowMs + zone(nowMs) * 60_000).slice(0, 10);
      void reply
        .type('text/csv; charset=utf-8; header=present')
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="rotavox-calls-${today}.csv"`);
      if (request.method === 'HEAD') return reply.send();
      return reply.send(Readable.from(csvOf(await callRecords(), filters.data)));
    },
  });
}

const columns = [
  'started_at',
  'ended_at',
  'caller',
  'pbx',
  'ivr',
  'ivr_name',
  'keys',
  'end',
  'end_detail',
  'draft',
  'id',
] as const;

async function* csvOf(records: CallRecords, filters: CallFilters): AsyncGenerator<string> {
  yield csvOfRows([columns]);
  const names = await records.menuNames();
  for await (const calls of records.all(filters)) {
    if (calls.length > 0) yield csvOfRows(calls.map((call) => cellsOf(call, names)));
  }
}

function cellsOf(call: CallRecord, names: ReadonlyMap<string, string>): string[] {
  const { started_at, ended_at, caller, pbx, ivr, keys, end, draft, id } = call;
  return [
    started_at,
    ended_at,
    caller ?? '',
    pbx,
    ivr,
    names.get(ivr) ?? '',
    keys.join(' '),
    end.kind,
    endDetail(end),
    draft ?? '',
    id,
  ];
}
