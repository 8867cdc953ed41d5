import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ImportDirectory } from '../../contract/directory.ts';
import type { FieldFinding, FieldProblem } from '../../contract/field-problem.ts';
import { extensionsExport, smsTemplatesExport } from '../../contract/routes/downloads.ts';
import type { Route } from '../../contract/routes/route.ts';
import {
  changeDirectory,
  type DirectoryChange,
  type DirectoryKind,
  entriesOfRows,
  extensionKind,
  inOrder,
  smsTemplateKind,
} from '../../core/directory.ts';
import { done, refused, type Result } from '../../core/result.ts';
import { addRoute } from '../add-route.ts';
import { refuse } from '../refuse.ts';
import type { ServiceContext } from '../service-context.ts';
import { csvOfRows, exactCell } from './csv-text.ts';

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
    return ledger.transact((state) => ({ events: [], value: inOrder(kind.tableOf(state).values()) }));
  }

  async function change<Entry extends { readonly id: string }>(
    kind: DirectoryKind<Entry>,
    wanted: { readonly set: readonly Entry[]; readonly remove: readonly string[] },
    reply: FastifyReply,
  ): Promise<boolean> {
    return told(await ledger.transact((state) => changeDirectory(state, kind, wanted)), reply) !== null;
  }

  async function bring<Entry extends { readonly id: string }>(
    kind: DirectoryKind<Entry>,
    { csv, dry_run: isDryRun }: Required<ImportDirectory>,
    reply: FastifyReply,
  ) {
    const read = entriesOfRows(kind, rowsOfCsv(csv));
    if (!read.ok) return badEntries(reply, read.refusal);
    const changed = told(
      await ledger.transact((state) => {
        const decision = changeDirectory(state, kind, { set: read.value, remove: [] });
        return isDryRun ? { ...decision, events: [] } : decision;
      }),
      reply,
    );
    if (changed === null) return null;
    const { added, changed: differing, unchanged } = changed;
    return { added: [...added], changed: [...differing], unchanged };
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

function told(
  outcome: Result<DirectoryChange, readonly FieldProblem[]>,
  reply: FastifyReply,
): DirectoryChange | null {
  return outcome.ok ? outcome.value : badEntries(reply, outcome.refusal);
}

function badEntries(reply: FastifyReply, errors: readonly FieldProblem[]): null {
  refuse(reply, 'bad_request', { errors });
  return null;
}

/** How many rows are read, empty ones included: several for each entry that a directory may have. */
const mostRows = 50_000;
/** How many cells a row may have; a directory has three columns. */
const mostCells = 100;

/**
 * Reads the rows of a CSV text one by one, with cells exactly as written. If the text cannot be read further, the last
 * result is a refusal that says what is wrong with that row.
 *
 * The separator is a comma, or a semicolon if the heading row has semicolons: spreadsheets write those where a comma is the
 * decimal separator. The line break after the first line separates all rows, so a cell may hold a different line break.
 *
 * It runs on the service's main thread, so its cost is bounded: rows and cells are counted while reading, and each
 * character is read a fixed number of times. A CSV library would read all of it before reporting an error.
 */
export function* rowsOfCsv(csv: string): Generator<Result<readonly string[], FieldFinding>, void> {
  const [lineEnd = '\n'] = /\r\n|\n|\r/.exec(csv) ?? [];
  const [headings = ''] = csv.split(lineEnd, 1);
  const delimiter = headings.includes(';') && !headings.includes(',') ? ';' : ',';
  const endOfCell = new RegExp(`[${delimiter}"]|${lineEnd}|$`, 'g');

  let at = csv.startsWith('\ufeff') ? 1 : 0;
  let isGood = true;
  for (let row = 1; at < csv.length && isGood; row += 1) {
    const read =
      row > mostRows ? refused({ code: 'too_many_rows', params: { most: mostRows } } as const) : readRow();
    isGood = read.ok;
    yield read;
  }

  function readRow(): Result<string[], FieldFinding> {
    const cells: string[] = [];
    for (;;) {
      if (cells.length === mostCells) return refused({ code: 'too_many_cells', params: { most: mostCells } });
      const isQuoted = csv[at] === '"';
      const start = isQuoted ? at + 1 : at;
      const end = isQuoted ? closingQuote(csv, start) : indexOfMatch(endOfCell, csv, start);
      if (end === null) return refused({ code: 'quote_not_closed', params: null });
      const cell = csv.slice(start, end);
      cells.push(exactCell(isQuoted ? cell.replaceAll('""', '"') : cell));

      at = isQuoted ? end + 1 : end;
      if (csv[at] !== delimiter) break;
      at += 1;
    }
    if (csv.startsWith(lineEnd, at)) at += lineEnd.length;
    else if (at < csv.length) {
      return refused({ code: csv[at] === '"' ? 'quote_in_cell' : 'text_after_quote', params: null });
    }
    return done(cells);
  }
}

/** The position of the quotation mark that ends a cell: the first that is not doubled. */
function closingQuote(csv: string, start: number): number | null {
  let at = csv.indexOf('"', start);
  while (at !== -1 && csv[at + 1] === '"') at = csv.indexOf('"', at + 2);
  return at === -1 ? null : at;
}

function indexOfMatch(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.exec(text)?.index ?? text.length;
}
