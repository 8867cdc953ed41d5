import { callsCsvPath } from '../../contract/address.ts';
import { CallFilters, type CallRecord, type LiveCall } from '../../contract/calls/call.ts';
import {
  callDoing,
  callEndSentence,
  callEndText,
  callerText,
  callMomentText,
  callSpanText,
  forgottenText,
  pressedKeys,
} from '../../text/calls/calls-text.ts';
import { callsHelp, callsText } from '../../text/cli/cli-calls.ts';
import { localTime } from '../../text/time.ts';
import { type CommandGroup, customCommand, routeCommand } from '../command-table.ts';
import { download, tableLimitBytes } from '../download.ts';
import { formatTable } from '../format-table.ts';
import { wholeNumber } from '../option-values.ts';
import { openPortal, type Portal } from '../open-portal.ts';
import { print, printDocument, printJson, say } from '../terminal.ts';

interface Filters {
  readonly since?: string;
  readonly ivr?: string;
  readonly search?: string;
}

const usualLimit = 50;
const { since, search } = CallFilters.shape;
const filters = {
  '--since <instant>': { help: callsHelp.since, schema: since },
  '--ivr <id>': callsHelp.ivr,
  '--search <text>': { help: callsHelp.search, schema: search },
} as const;

export const callCommands: CommandGroup = {
  help: callsHelp,
  commands: {
    list: customCommand({
      help: callsHelp.list,
      isDefault: true,
      options: {
        ...filters,
        '--live': callsHelp.live,
        '--limit <n>': { help: callsHelp.limit(usualLimit), read: wholeNumber(1, 1_000) },
        '--after <n>': { help: callsHelp.after, read: wholeNumber(1, 999_999_999_999_999) },
      },
      json: callsHelp.json,
      run: (input) => (input.live ? listLive : listRecords)(openPortal(input), input),
    }),
    show: routeCommand({
      help: callsHelp.show,
      arguments: { '<id>': callsHelp.id },
      async call(portal, { id, json }) {
        const call = await portal.ask('readCall', { params: { id } });
        return { call, recordings: json ? [] : (await portal.ask('listRecordings')).recordings };
      },
      asJson: ({ call }) => call,
      lines({ call, recordings }) {
        const { moments, menu_names: names, end } = call;
        const head = [localTime(call.started_at), callerText(call.caller), call.pbx].join('  ');
        const tookMs = Date.parse(call.ended_at) - Date.parse(call.started_at);
        const rows = moments.map((moment) => [
          callSpanText(moment.at_ms),
          callMomentText(moment, names, recordings),
        ]);
        return [head, ...formatTable([...rows, [callSpanText(tookMs), callEndSentence(end, names)]])];
      },
    }),
    export: customCommand({
      help: callsHelp.export,
      options: filters,
      json: false,
      async run(input) {
        const query = new URLSearchParams(filtersOf(input));
        printDocument(await download(input, `${callsCsvPath}?${query.toString()}`, tableLimitBytes));
      },
    }),
    forget: routeCommand({
      help: callsHelp.forget,
      arguments: { '<number>': callsHelp.number },
      call: (portal, { number: caller }) => portal.ask('forgetCaller', { body: { caller } }),
      lines: ({ deleted }) => [forgottenText(deleted)],
    }),
  },
};

function filtersOf({ since: from, ivr, search: text }: Filters): Record<string, string> {
  return {
    ...(from === undefined ? {} : { since: from }),
    ...(ivr === undefined ? {} : { ivr }),
    ...(text === undefined ? {} : { search: text }),
  };
}

interface ListOptions extends Filters {
  readonly limit?: number;
  readonly after?: number;
  readonly json: boolean;
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
