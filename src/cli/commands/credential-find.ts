import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type FoundToken, serviceOfToken } from '../../core/credential/plan-import.ts';
import { fileRefusalText, findHelp, findText } from '../../text/cli/cli-import.ts';
import { deliveryProblemText } from '../../text/credential/delivery.ts';
import { providerViews } from '../../text/credential/providers.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { isServiceRunning } from '../chosen-service.ts';
import { withFiles, homeFolder } from '../connect/tool-setting.ts';
import { customCommand } from '../command-table.ts';
import { formatTable } from '../format-table.ts';
import { endInToken } from '../import/end-in-token.ts';
import { isKnownToken, knownTokens, serviceName } from '../import/known-tokens.ts';
import { openTokenFile } from '../import/open-token-file.ts';
import { readTokenFile } from '../import/read-token-file.ts';
import { openPortal } from '../open-portal.ts';
import { print, printJson, say } from '../terminal.ts';

/** Below the home of the account. */
const usualFiles: readonly string[] = [
  '.git-credentials',
  '.config/git/credentials',
  '.docker/config.json',
  '.kube/config',
  '.npmrc',
  '.pypirc',
  '.netrc',
  '.config/gh/hosts.yml',
  '.config/glab-cli/config.yml',
  '.terraform.d/credentials.tfrc.json',
  '.cargo/credentials.toml',
];

interface Place extends Pick<FoundToken, 'key' | 'line'> {
  readonly file: string;
  readonly service: string | null;
  readonly ageMs: number;
  readonly expiresAt: string | null;
  readonly credential: string | null;
  /** Whether `credential import` takes it in. */
  readonly canImport: boolean;
}

export const credentialFindCommand = customCommand({
  help: findHelp,
  options: { '--folder <dir>': findHelp.folder },
  async run({ folder, json, ...options }) {
    const isRunning = await isServiceRunning(options);
    const around = await surroundings(isRunning, options);
    const files = [
      ...usualFiles.map((name) => join(homeFolder(), name)),
      ...(folder === undefined ? [] : dotenvFilesIn(resolve(folder))),
    ];
    const places: Place[] = [];
    const skipped: string[] = [];
    for (const file of files) {
      const found = await tokensOf(file, around);
      places.push(...found.places);
      skipped.push(...found.skipped);
    }
    if (json) {
      printJson({ found: places.map(asJson), skipped });
      return;
    }
    if (places.length === 0) say(findText.none);
    else
      for (const line of formatTable(
        places.map((one) => findText.row({ ...one, service: findText.service(one.service) })),
        findText.columns,
      ))
        print(line);
    say(...skipped);
    if (!isRunning && places.length > 0) say(findText.notRunning);
    const toImport = places.filter(({ credential, canImport }) => credential === null && canImport);
    for (const file of new Set(toImport.map((one) => one.file))) say(...findText.importLine(file));
  },
});

/** What is known of services and credentials; without a service of ours that runs, of the built-in services alone. */
async function surroundings(isRunning: boolean, options: GlobalOptions) {
  if (!isRunning) return { views: providerViews(), known: [] };
  const portal = openPortal(options);
  const { providers: views } = await portal.ask('listProviders');
  const { known } = await knownTokens(portal);
  return { views, known };
}

/** Not those that are examples. */
function dotenvFilesIn(folder: string): string[] {
  const names = withFiles(() => readdirSync(folder), folder);
  return names
    .filter((name) => /^\.env(?:\.|$)|\.env$/.test(name) && !/(?:example|sample|template|dist)/.test(name))
    .map((name) => join(folder, name));
}

async function tokensOf(
  file: string,
  { views, known }: Awaited<ReturnType<typeof surroundings>>,
): Promise<{ readonly places: readonly Place[]; readonly skipped: readonly string[] }> {
  const opened = await openTokenFile(file);
  if (!opened.ok) {
    const isThere = opened.refusal.kind !== 'missing';
    return { places: [], skipped: isThere ? [fileRefusalText(file, opened.refusal)] : [] };
  }
  const read = await readTokenFile(file, opened.content, { isKnown: isKnownToken(views), only: [] });
  if (!read.ok)
    return { places: [], skipped: [findText.unreadable(file, deliveryProblemText(read.problem))] };
  const places = read.file.found.map(({ key, line, token, problem }): Place => {
    const holder = known.find((one) => one.token === token);
    const service = serviceOfToken(token, views);
    return {
      ...{ file, key, line },
      service: service === null ? null : serviceName(service, views),
      ageMs: Math.max(0, Date.now() - opened.changedAtMs),
      expiresAt: holder?.expiresAt ?? endInToken(token),
      credential: holder?.name ?? null,
      canImport: problem === null,
    };
  });
  return { places, skipped: [] };
}

function asJson({ file, key, line, service, ageMs, expiresAt, credential }: Place) {
  return {
    ...{ file, line, key, service, credential },
    age_seconds: Math.floor(ageMs / 1000),
    expires_at: expiresAt,
  };
}
