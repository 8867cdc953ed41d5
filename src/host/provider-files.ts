/**
 * Providers that are files: those that come with the program, and those that a person has put into the data folder. They are
 * read once, at the start; a broken one is reported and left out, so that it stops nothing else.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import cloudflare from '../../resources/providers/cloudflare.json' with { type: 'json' };
import doppler from '../../resources/providers/doppler.json' with { type: 'json' };
import gitlabDeployToken from '../../resources/providers/gitlab-deploy-token.json' with { type: 'json' };
import grafana from '../../resources/providers/grafana.json' with { type: 'json' };
import twilio from '../../resources/providers/twilio.json' with { type: 'json' };
import vercel from '../../resources/providers/vercel.json' with { type: 'json' };
import { type ExampleResult, runExamples } from '../agent/providers/run-examples.ts';
import { knownFile, ProviderFile } from '../contract/provider-file.ts';
import { ProviderName, setProviderFiles } from '../contract/provider.ts';
import { done, refused, type Result } from '../core/result.ts';
import { fileReasons } from '../text/cli-provider-file.ts';

/** Complete and without a fault, as a test makes sure: parsing them would take a tenth of a start. */
const shipped = [
  cloudflare,
  doppler,
  gitlabDeployToken,
  grafana,
  twilio,
  vercel,
] as readonly unknown[] as readonly ProviderFile[];
export const shippedIds = shipped.map(({ id }) => id);

/** What is wrong with a file: where in it (empty: all of it) and why. */
export interface FileProblem {
  readonly place: string;
  readonly reason: string;
}

/** A file that was left out. */
export interface BrokenFile {
  readonly path: string;
  readonly problems: readonly FileProblem[];
}

/** More characters than any provider needs. */
const largestLength = 1024 * 1024;

function parseProviderFile(text: string): Result<ProviderFile, readonly FileProblem[]> {
  if (text.length > largestLength) return refused([{ place: '', reason: fileReasons.tooLarge }]);
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    return refused([{ place: '', reason: fileReasons.notJson(error instanceof Error ? error.message : '') }]);
  }
  const parsed = ProviderFile.safeParse(json, { error: (issue) => fileReasons.ofIssue(issue) });
  return parsed.success ? done(parsed.data) : refused(problemsOf(parsed.error));
}

function problemsOf({ issues }: z.ZodError): FileProblem[] {
  return issues.map(({ path, message }) => ({ place: path.join('.'), reason: message }));
}

/** Where a person's files are. */
function providersFolder(dataDir: string): string {
  return join(dataDir, 'providers');
}

/** Reads all of them and makes them known. A file in the data folder counts before a shipped one with the same id. */
export async function loadProviderFiles(
  dataDir: string,
): Promise<{ readonly files: readonly ProviderFile[]; readonly broken: readonly BrokenFile[] }> {
  const files = new Map(shipped.map((file) => [file.id, file]));
  const broken: BrokenFile[] = [];
  for (const path of await pathsIn(providersFolder(dataDir))) {
    const read = await readProviderFile(path);
    if (read.ok) files.set(read.value.id, read.value);
    else broken.push({ path, problems: read.refusal });
  }
  setProviderFiles([...files.values()].map((file) => [file.id, knownFile(file)]));
  return { files: [...files.values()], broken };
}

async function pathsIn(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names
      .filter((name) => name.endsWith('.json') && name !== 'provider.schema.json')
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return []; // no folder: no files
  }
}

async function readProviderFile(path: string): Promise<Result<ProviderFile, readonly FileProblem[]>> {
  try {
    return parseProviderFile(await readFile(path, 'utf8'));
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    return refused([{ place: '', reason: fileReasons.unreadable(code) }]);
  }
}

export interface CheckedFile {
  readonly file: ProviderFile;
  readonly examples: readonly ExampleResult[];
}

/** Reads a file and plays its examples. Nothing is sent. */
export async function checkProviderFile(path: string): Promise<Result<CheckedFile, readonly FileProblem[]>> {
  const read = await readProviderFile(path);
  return read.ok ? done({ file: read.value, examples: await runExamples(read.value) }) : read;
}

/** Stores a checked file in the data folder. Returns its path. */
export async function storeProviderFile(dataDir: string, file: ProviderFile): Promise<string> {
  const folder = providersFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${file.id}.json`);
  await writeFile(path, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  return path;
}

/** Removes a person's file. False: there is none with this id. */
export async function removeProviderFile(dataDir: string, id: string): Promise<boolean> {
  if (!ProviderName.safeParse(id).success) return false;
  for (const path of await pathsIn(providersFolder(dataDir))) {
    const read = await readProviderFile(path);
    const isIt = read.ok ? read.value.id === id : path.endsWith(`/${id}.json`);
    if (!isIt) continue;
    await rm(path);
    return true;
  }
  return false;
}
