import { resolve } from 'node:path';
import { AddCredentialFields } from '../../contract/credential/credential.ts';
import type { ProviderView } from '../../contract/credential/provider-view.ts';
import {
  type ImportItem,
  isUnknownService,
  planImport,
  type TokenUse,
} from '../../core/credential/plan-import.ts';
import { changeLines, fileChange } from '../../text/cli/cli-connect.ts';
import { deliveryProblemText } from '../../text/credential/delivery.ts';
import { fileRefusalText, importHelp, importText } from '../../text/cli/cli-import.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import { customCommand } from '../command-table.ts';
import { placeAt, portalHere } from '../connect/connect-tool.ts';
import { formatTable } from '../format-table.ts';
import { endInToken } from '../import/end-in-token.ts';
import { isKnownToken, knownTokens, serviceName } from '../import/known-tokens.ts';
import { openTokenFile } from '../import/open-token-file.ts';
import { type LeftValue, readTokenFile, tokenFileFormats } from '../import/read-token-file.ts';
import { plannedFor, type Step, TakingIn } from '../import/take-in.ts';
import { tokenOptions, validityFields } from '../option-values.ts';
import type { Portal } from '../open-portal.ts';
import { askToAgree } from '../read-token.ts';
import { print, printJson, say } from '../terminal.ts';

const { name: nameSchema, base_url: baseUrlSchema } = AddCredentialFields.shape;

export const credentialImportCommand = customCommand({
  help: importHelp,
  arguments: { '<file>': importHelp.file },
  options: {
    '--only <key>': {
      help: importHelp.only,
      read: (key: string, before: readonly string[] = []) => [...before, key],
    },
    '--name <name>': { help: importHelp.name, schema: nameSchema },
    '--base-url <url>': { help: importHelp.baseUrl, schema: baseUrlSchema },
    '--format <format>': { help: importHelp.format, choices: tokenFileFormats },
    '--validity <days>': tokenOptions['--validity <days>'],
    '--expires-at <when>': tokenOptions['--expires-at <when>'],
    '--remind-only': importHelp.remindOnly,
    '--dry-run': importHelp.dryRun,
    '--yes': importHelp.yes,
  },
  async run({ file: written, only = [], name, baseUrl, format, remindOnly, dryRun, yes, json, ...options }) {
    if ((name !== undefined || baseUrl !== undefined) && only.length !== 1)
      throw wrongUsage(importText.onlyOne);
    const file = resolve(written);
    const opened = await openTokenFile(file);
    if (!opened.ok) throw wrongUsage(fileRefusalText(file, opened.refusal));
    const portal = portalHere(options);
    const { providers: views } = await portal.ask('listProviders');
    const reading = { format, only, isKnown: isKnownToken(views) };
    const read = await readTokenFile(file, opened.content, reading);
    if (!read.ok) throw wrongUsage(deliveryProblemText(read.problem));
    const { found, left, origins } = read.file;
    const missing = only.find((key) => ![...found, ...left].some((one) => one.key === key));
    if (missing !== undefined) throw wrongUsage(importText.noSuchKey(file, missing));
    const { known, names, unread } = await knownTokens(portal);
    const body = {
      ...validityFields(options),
      ...(remindOnly ? { remind_only: true } : {}),
    };
    const items = planImport(found, {
      views,
      known,
      names,
      origins,
      connectedTo: await connectionsOf(portal),
      saysEnd: (token) => endInToken(token) !== null,
      given: {
        name,
        baseUrl: baseUrl ?? undefined,
        hasValidity: body.validity_days !== undefined || body.expires_at !== undefined,
      },
    });
    const { steps, refused } = await stepsOf(portal, items, { isDryRun: dryRun === true, options });
    if (!json) {
      show({ file, items, left, steps, refused, views });
      if (unread > 0) say(importText.unread(unread));
    }
    if (dryRun || steps.length === 0) {
      if (json) printJson({ file, items: items.map((item) => asJson(item, refused.get(item))) });
      else if (items.length + left.length > 0) say(dryRun ? importText.dryRun : importText.nothing);
      if (!dryRun && refused.size > 0)
        throw new CommandFailure(exitCodes.failed, importText.failed(refused.size));
      return;
    }
    if (!yes) await askToAgree(importText);
    const taking = new TakingIn(portal, { file, content: opened.content, body, options });
    const results = new Map<ImportItem, { readonly ok: boolean; readonly lines: readonly string[] }>();
    for (const step of steps) {
      const result = await taking.take(step);
      results.set(step.item, result);
      const { key } = step.item.found;
      if (!json) for (const line of result.lines) print(importText.result(key, line));
    }
    if (json)
      printJson({ file, items: items.map((item) => asJson(item, refused.get(item), results.get(item))) });
    const failed = [...results.values()].filter(({ ok }) => !ok).length + refused.size;
    if (failed > 0) throw new CommandFailure(exitCodes.failed, importText.failed(failed));
  },
});

/** The credential that a tool asks for at an address. */
async function connectionsOf(
  portal: Portal,
): Promise<(use: Extract<TokenUse, { kind: 'connection' }>) => string | null> {
  const { connections } = await portal.ask('listConnections');
  return ({ tool, url }) => {
    const at = placeAt(url);
    const found = connections.find(
      (one) => one.tool === tool && one.origin === at?.origin && one.path_prefix === at.path_prefix,
    );
    return found?.credential ?? null;
  };
}

type Refusals = ReadonlyMap<ImportItem, readonly string[]>;

/** What can be done, and why the rest cannot: a tool may be missing, or its configuration have another form. */
async function stepsOf(
  portal: Portal,
  items: readonly ImportItem[],
  how: Parameters<typeof plannedFor>[2],
): Promise<{ readonly steps: readonly Step[]; readonly refused: Refusals }> {
  const steps: Step[] = [];
  const refused = new Map<ImportItem, readonly string[]>();
  for (const item of items.filter(({ status }) => status === 'ready'))
    try {
      steps.push({ item, planned: await plannedFor(portal, item, how) });
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      refused.set(item, error.lines);
    }
  return { steps, refused };
}

function show({
  file,
  items,
  left,
  steps,
  refused,
  views,
}: {
  readonly file: string;
  readonly items: readonly ImportItem[];
  readonly left: readonly LeftValue[];
  readonly steps: readonly Step[];
  readonly refused: Refusals;
  readonly views: readonly ProviderView[];
}): void {
  if (items.length + left.length === 0) {
    say(importText.none(file));
    return;
  }
  const rows = [
    ...items.map((item) => importText.row(item, serviceOf(item, views))),
    ...left.map(importText.leftRow),
  ];
  for (const line of formatTable(
    rows.toSorted((one, other) => Number(one[0]) - Number(other[0])),
    importText.columns,
  ))
    print(line);
  for (const { item, planned } of steps) {
    if (item.found.use.kind === 'target') continue;
    for (const line of planned === null ? [] : changeLines(fileChange(planned.setting))) print(line);
    print(importText.removes(file, item.found.line));
    say(...importText.asksNoMore(item.found.use.tool, planned?.others ?? []));
  }
  for (const [{ found }, lines] of refused) say(...lines.map((line) => importText.result(found.key, line)));
  for (const item of items) if (item.status === 'needs') say(...importText.missing(file, item));
}

function serviceOf({ provider, baseUrl, needs, isNew }: ImportItem, views: readonly ProviderView[]): string {
  const name = serviceName(provider, views);
  const isHere = baseUrl === null && !needs.includes('address') && isNew && !isUnknownService(provider);
  return importText.service(name, baseUrl, isHere);
}

function asJson(
  { found, status, credential, isNew, provider, baseUrl, needs, reason }: ImportItem,
  refused: readonly string[] | undefined,
  result?: { readonly ok: boolean; readonly lines: readonly string[] },
) {
  const { key, line, use } = found;
  const said = result?.lines ?? refused;
  return {
    key,
    line,
    status: refused === undefined ? status : 'left',
    credential,
    is_new: isNew,
    provider: provider.id,
    base_url: baseUrl,
    use:
      use.kind === 'target' ? use : { kind: use.kind, tool: use.tool, url: use.url, username: use.username },
    needs,
    reason: reason?.code ?? null,
    ...(result === undefined ? {} : { taken_in: result.ok }),
    ...(said === undefined ? {} : { message: said.join(' ') }),
  };
}
