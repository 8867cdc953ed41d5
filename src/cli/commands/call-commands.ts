import type { Command } from 'commander';
import { CallFilters, type CallRecord, type LiveCall } from '../../contract/call.ts';
import { callsCsvPath } from '../../contract/address.ts';
import {
  callDoing,
  callEndSentence,
  callEndText,
  callerText,
  callMomentText,
  callSpanText,
  forgottenText,
  pressedKeys,
} from '../../text/calls-text.ts';
import { callsHelp, callsText } from '../../text/cli-calls.ts';
import { localTime } from '../../text/time.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { download, tableLimitBytes } from '../download.ts';
import { formatTable } from '../format-table.ts';
import { valueOf, wholeNumber } from '../option-values.ts';
import { openPortal, type Portal } from '../open-portal.ts';
import { plainText, print, printDocument, printJson, say } from '../terminal.ts';

interface FilterOptions extends GlobalOptions {
  readonly since?: string;
  readonly ivr?: string;
  readonly search?: string;
}

interface ListOptions extends FilterOptions {
  readonly live?: true;
  readonly limit?: number;
  readonly after?: number;
  readonly json?: true;
}

const usualLimit = 50;
const { since, search } = CallFilters.shape;

export function callsListCommand(calls: Command): void {
  withFilters(addCommand(calls, 'list', callsHelp.list, { isDefault: true }))
    .option('--live', callsHelp.live)
    .option('--limit <n>', callsHelp.limit(usualLimit), wholeNumber(1, 1_000))
    .option('--after <n>', callsHelp.after, wholeNumber(1, 999_999_999_999_999))
    .option('--json', callsHelp.json)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>();
      const portal = openPortal(options);
      await (options.live ? listLive(portal, options) : listRecords(portal, options));
    });
}

export function callsShowCommand(calls: Command): void {
  addCommand(calls, 'show', callsHelp.show)
    .argument('<id>', callsHelp.id)
    .option(...jsonOption)
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const portal = openPortal(options);
      const call = await portal.ask('readCall', { params: { id } });
      if (options.json) {
        printJson(call);
        return;
      }
      const { moments, menu_names: names, end } = call;
      const head = [localTime(call.started_at), callerText(call.caller), call.pbx].join('  ');
      const tookMs = Date.parse(call.ended_at) - Date.parse(call.started_at);
      const { recordings } = await portal.ask('listRecordings');
      const lines = moments.map((moment) => [
        callSpanText(moment.at_ms),
        callMomentText(moment, names, recordings),
      ]);
      print(plainText(head));
      for (const line of formatTable([...lines, [callSpanText(tookMs), callEndSentence(end, names)]]))
        print(line);
    });
}

export function callsForgetCommand(calls: Command): void {
  addCommand(calls, 'forget', callsHelp.forget)
    .argument('<number>', callsHelp.number)
    .option(...jsonOption)
    .action(async (caller: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const forgotten = await openPortal(options).ask('forgetCaller', { body: { caller } });
      if (options.json) printJson(forgotten);
      else print(forgottenText(forgotten.deleted));
    });
}

export function callsExportCommand(calls: Command): void {
  withFilters(addCommand(calls, 'export', callsHelp.export)).action(async (_options, command: Command) => {
    const options = command.optsWithGlobals<FilterOptions>();
    const query = new URLSearchParams(filtersOf(options));
    printDocument(await download(options, `${callsCsvPath}?${query.toString()}`, tableLimitBytes));
  });
}

function withFilters(command: Command): Command {
  return command
    .option('--since <instant>', callsHelp.since, valueOf(since.unwrap()))
    .option('--ivr <id>', callsHelp.ivr)
    .option('--search <text>', callsHelp.search, valueOf(search.unwrap()));
}

function filtersOf({ since: from, ivr, search: text }: FilterOptions): Record<string, string> {
  return {
    ...(from === undefined ? {} : { since: from }),
    ...(ivr === undefined ? {} : { ivr }),
    ...(text === undefined ? {} : { search: text }),
  };
}

async function listRecords(portal: Portal, options: ListOptions): Promise<void> {
  const { limit = usualLimit, after, json } = options;
  const query = {
    ...filtersOf(options),
    limit: String(limit),
    ...(after === undefined ? {} : { after: String(after) }),
  };
  const { calls, total, next } = await portal.ask('listCalls', { query });
  if (json) for (const call of calls) printJson(call);
  else if (calls.length === 0) say(callsText.none);
  else await printTable(portal, calls);
  if (next !== null) say(callsText.more(total, next));
}

async function printTable(portal: Portal, calls: readonly CallRecord[]): Promise<void> {
  const { nameOf, known } = await readNames(portal);
  const rows = calls.map((call) => [
    localTime(call.started_at),
    callSpanText(Date.parse(call.ended_at) - Date.parse(call.started_at)),
    callerText(call.caller),
    nameOf(call.ivr) ?? call.ivr,
    pressedKeys(call.keys),
    callEndText(call.end, known, nameOf),
    call.id,
  ]);
  for (const line of formatTable(rows, callsText.columns)) print(line);
}

async function listLive(portal: Portal, { json, ivr }: ListOptions): Promise<void> {
  const { calls: all } = await portal.ask('liveCalls');
  const calls = ivr === undefined ? all : all.filter((call) => call.ivr === ivr);
  if (json) {
    for (const call of calls) printJson(call);
    return;
  }
  if (calls.length === 0) {
    say(callsText.noneLive);
    return;
  }
  const { nameOf } = await readNames(portal);
  const nowMs = Date.now();
  const rows = calls.map((call: LiveCall) => [
    localTime(call.started_at),
    callSpanText(nowMs - Date.parse(call.started_at)),
    callerText(call.caller),
    nameOf(call.menu) ?? call.menu,
    pressedKeys(call.keys),
    callDoing[call.doing],
    call.id,
  ]);
  for (const line of formatTable(rows, callsText.liveColumns)) print(line);
}

/** What menus and extensions are called now. */
async function readNames(portal: Portal) {
  const [{ ivrs }, { extensions }] = await Promise.all([
    portal.ask('portalListIvrs'),
    portal.ask('listExtensions'),
  ]);
  const names = new Map(ivrs.map(({ id, name }) => [id as string, name]));
  return { nameOf: (id: string) => names.get(id), known: { extensions, menus: ivrs } };
}
