import type { FastifyInstance, FastifyReply } from 'fastify';
import type { z } from 'zod';
import type { ImportDirectory } from '../../contract/menu/directory.ts';
import { writeReference } from '../../contract/menu/ivr-reference.ts';
import type { FieldProblem } from '../../contract/field-problem.ts';
import { extensionsExport, smsTemplatesExport } from '../../contract/downloads.ts';
import type { Route } from '../../contract/route.ts';
import { readState } from '../../core/ledger.ts';
import {
  changeDirectory,
  type DirectoryChange,
  type DirectoryKind,
  extensionKind,
  inOrder,
  smsTemplateKind,
} from '../../core/change-directory.ts';
import { rowsOfCsv } from '../../core/directory-file/read-csv.ts';
import { whyUnreachable } from '../../core/ivr/destination-route.ts';
import { readEntries } from '../../core/directory-file/read-entries.ts';
import { type ZerosLost, zerosLost } from '../../core/directory-file/zeros-lost.ts';
import type { Result } from '../../core/result.ts';
import { addRoute } from '../http/add-route.ts';
import { answerRefusal } from '../http/refuse.ts';
import type { ServiceContext } from '../service-context.ts';
import { csvOfRows } from './csv-text.ts';

/** `/portal/extensions*` and `/portal/sms-templates*`: what the references of a menu are checked against. */
export function addDirectoryRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger, sessions } = context;

  addRoute(app, context, 'listExtensions', async () => ({ extensions: await list(extensionKind) }));
  addRoute(app, context, 'changeExtensions', async ({ body, reply }) =>
    (await change(extensionKind, body, reply)) ? { extensions: await list(extensionKind) } : null,
  );
  addRoute(app, context, 'importExtensions', ({ body, reply }) => bring(extensionKind, body, reply));
  addExport(extensionsExport, extensionKind, 'rotavox-extensions.csv');

  addRoute(app, context, 'listSmsTemplates', async () => ({ sms_templates: await list(smsTemplateKind) }));
  addRoute(app, context, 'changeSmsTemplates', async ({ body, reply }) =>
    (await change(smsTemplateKind, body, reply)) ? { sms_templates: await list(smsTemplateKind) } : null,
  );
  addRoute(app, context, 'importSmsTemplates', ({ body, reply }) => bring(smsTemplateKind, body, reply));
  addExport(smsTemplatesExport, smsTemplateKind, 'rotavox-sms-templates.csv');

  function list<Entry extends { readonly id: string }>(kind: DirectoryKind<Entry>): Promise<Entry[]> {
    return readState(ledger, (state) => inOrder(kind.tableOf(state).values()));
  }

  async function change<Entry extends { readonly id: string }>(
    kind: DirectoryKind<Entry>,
    wanted: { readonly set: readonly Entry[]; readonly remove: readonly string[] },
    reply: FastifyReply,
  ): Promise<boolean> {
    return told(await ledger.transact((state) => changeDirectory(state, kind, wanted)), reply) !== null;
  }

  async function bring<Entry extends { readonly id: string; readonly name: string }>(
    kind: DirectoryKind<Entry>,
    { csv, columns: wanted, dry_run: isDryRun }: z.output<typeof ImportDirectory>,
    reply: FastifyReply,
  ) {
    const read = readEntries(kind, rowsOfCsv(csv), wanted);
    if (!read.ok) return badEntries(reply, read.refusal);
    const { entries, columns, leftOut, repeated, unnamed } = read.value;
    let zeros: readonly ZerosLost[] = [];
    const changed = told(
      await ledger.transact((state) => {
        const known = kind.tableOf(state);
        const set = entries.map((entry) =>
          unnamed.has(entry.id) ? { ...entry, name: known.get(entry.id)?.name ?? entry.name } : entry,
        );
        zeros = zerosLost(
          entries.map(({ id }) => id),
          known,
        );
        const decision = changeDirectory(state, kind, { set, remove: [] });
        return isDryRun ? { ...decision, events: [] } : decision;
      }),
      reply,
    );
    if (changed === null) return null;
    const { added, changed: differing, unchanged } = changed;
    const left_out = [...leftOut];
    const unreachable = kind.name === 'extensions' ? unreachableOf(entries) : [];
    return {
      added: [...added],
      changed: [...differing],
      unchanged,
      repeated,
      unnamed: unnamed.size,
      columns,
      left_out,
      zeros_lost: zeros.slice(0, namedIds),
      unreachable,
    };
  }

  function addExport<Entry extends { readonly id: string }>(
    { path, family }: Omit<Route, 'reply'>,
    kind: DirectoryKind<Entry>,
    fileName: string,
  ): void {
    app.route({
      method: ['GET', 'HEAD'],
      url: path,
      config: { family },
      onRequest: sessions.guard,
      handler: async (_request, reply) => {
        const entries = await list(kind);
        const rows = entries.map((entry) => kind.columns.map((column) => String(entry[column])));
        return reply
          .type('text/csv; charset=utf-8; header=present')
          .header('cache-control', 'no-store')
          .header('content-disposition', `attachment; filename="${fileName}"`)
          .send(csvOfRows([kind.columns, ...rows]));
      },
    });
  }
}

/** How many ids of a kind a reply names. */
const namedIds = 20;

function unreachableOf(entries: readonly { readonly id: string }[]) {
  return entries
    .flatMap(({ id }) => {
      const why = whyUnreachable(writeReference({ type: 'extension', id }), null)?.why;
      return why === undefined ? [] : [{ id, suggested: why.code === 'character' ? why.suggested : null }];
    })
    .slice(0, namedIds);
}

function told(
  outcome: Result<DirectoryChange, readonly FieldProblem[]>,
  reply: FastifyReply,
): DirectoryChange | null {
  return outcome.ok ? outcome.value : badEntries(reply, outcome.refusal);
}

function badEntries(reply: FastifyReply, errors: readonly FieldProblem[]): null {
  return answerRefusal(reply, 'bad_request', { errors });
}
