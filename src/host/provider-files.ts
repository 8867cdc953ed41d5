/**
 * Providers that are files: those that come with the program, and those that a person has put into the data folder. They are
 * read at the start and whenever one was changed; a broken one is reported and left out, so that it stops nothing else.
 */
import { setProviderFiles } from '../providers/catalogue.ts';
import { knownFile } from '../providers/file/known-file.ts';
import { constants } from 'node:fs';
import { mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import cloudflare from '../../resources/providers/cloudflare.json' with { type: 'json' };
import doppler from '../../resources/providers/doppler.json' with { type: 'json' };
import gitlabDeployToken from '../../resources/providers/gitlab-deploy-token.json' with { type: 'json' };
import grafana from '../../resources/providers/grafana.json' with { type: 'json' };
import huggingFace from '../../resources/providers/hugging-face.json' with { type: 'json' };
import twilio from '../../resources/providers/twilio.json' with { type: 'json' };
import vercel from '../../resources/providers/vercel.json' with { type: 'json' };
import { type ExampleResult, runExamples } from '../providers/file/run-examples.ts';
import { ProviderFile } from '../contract/credential/provider-file.ts';
import { ProviderName } from '../contract/credential/provider.ts';
import { nameFault } from '../contract/shapes.ts';
import type { ProviderReload } from '../contract/credential/provider-view.ts';
import { done, refused, type Result } from '../core/result.ts';
import { isRefusedHost } from '../network/reachable-address.ts';
import type { ProviderFileReader } from '../service/service-context.ts';
import { fileReasons } from '../text/cli/cli-provider.ts';
import { replacePath } from '../system/replace-path.ts';

/** Complete and without a fault, as a test makes sure: parsing them would take a tenth of a start. */
const shipped = [
  cloudflare,
  doppler,
  gitlabDeployToken,
  grafana,
  huggingFace,
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

/**
 * The providers that are files, as they are in use.
 *
 * A file in the data folder counts before a shipped one with the same id. A broken one changes nothing: at the start it is left
 * out, later what was read from the same file before goes on.
 */
export class ProviderFiles implements ProviderFileReader {
  readonly #dataDir: string;
  readonly #listeners = new Set<() => void>();
  /** What is in use of each file of the data folder, by its path. */
  #read = new Map<string, ProviderFile>();
  #broken: readonly BrokenFile[] = [];
  /** Tells whether a file was added, changed or removed. */
  #seen = '';
  #work: Promise<unknown> = Promise.resolve();

  private constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /** Reads all of them and makes them known. */
  static async open(dataDir: string): Promise<ProviderFiles> {
    const files = new ProviderFiles(dataDir);
    await files.reload();
    return files;
  }

  get all(): readonly ProviderFile[] {
    return [...new Map([...shipped, ...this.#read.values()].map((file) => [file.id, file])).values()];
  }

  get broken(): readonly BrokenFile[] {
    return this.#broken;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads the files of the data folder again. One after the other, so that the last one counts. */
  reload(): Promise<ProviderReload> {
    const reloaded = this.#work.then(() => this.#reload());
    this.#work = reloaded.catch(() => undefined);
    return reloaded;
  }

  /** The same, if a file was added, changed or removed. Returns the files that are broken since. */
  async look(): Promise<readonly BrokenFile[]> {
    if ((await this.#look()) === this.#seen) return [];
    const before = new Set(this.#broken.map((one) => JSON.stringify(one)));
    await this.reload();
    return this.#broken.filter((one) => !before.has(JSON.stringify(one)));
  }

  async #reload(): Promise<ProviderReload> {
    const seen = await this.#look();
    const read = new Map<string, ProviderFile>();
    const broken: BrokenFile[] = [];
    for (const path of await pathsIn(providersFolder(this.#dataDir))) {
      const found = await readProviderFile(path);
      const before = this.#read.get(path);
      if (found.ok) read.set(path, found.value);
      else {
        broken.push({ path, problems: found.refusal });
        if (before !== undefined) read.set(path, before);
      }
    }
    const isFirst = this.#seen === '';
    const changed = !isDeepStrictEqual([...read.values()], [...this.#read.values()]);
    this.#seen = seen;
    this.#read = read;
    this.#broken = broken;
    if (changed || isFirst) {
      setProviderFiles(this.all.map((file) => [file.id, knownFile(file)]));
      for (const listener of this.#listeners) listener();
    }
    const refused = broken.map(({ path, problems }) => ({ path, problems: [...problems] }));
    return { changed, loaded: [...read.values()].map(({ id }) => id), refused };
  }

  async #look(): Promise<string> {
    const paths = await pathsIn(providersFolder(this.#dataDir));
    const found = await Promise.all(
      paths.map(async (path) => {
        const { mtimeMs, size } = await stat(path).catch(() => ({ mtimeMs: 0, size: 0 }));
        return [path, mtimeMs, size];
      }),
    );
    return JSON.stringify(found);
  }
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
  const text = await readText(path);
  return text.ok ? parseProviderFile(text.value) : text;
}

/** A pipe or a device would be waited for, or never end. */
async function readText(path: string): Promise<Result<string, readonly FileProblem[]>> {
  const refuse = (reason: string) => refused([{ place: '', reason }]);
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await file.stat();
      if (!found.isFile()) return refuse(fileReasons.notAFile);
      if (found.size > largestLength * 4) return refuse(fileReasons.tooLarge);
      return done(await file.readFile('utf8'));
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    return refuse(fileReasons.unreadable(code));
  }
}

export interface CheckedFile {
  readonly file: ProviderFile;
  readonly examples: readonly ExampleResult[];
}

/**
 * Reads a file and plays its examples. Nothing is sent.
 *
 * A new file is also refused for what one that is in use goes on with: fields that are there twice, addresses that are never called,
 * and names with what nobody sees.
 */
export async function checkProviderFile(path: string): Promise<Result<CheckedFile, readonly FileProblem[]>> {
  const text = await readText(path);
  if (!text.ok) return text;
  const read = parseProviderFile(text.value);
  if (!read.ok) return read;
  const problems = [
    ...doubledKeys(text.value).map((place) => ({ place, reason: fileReasons.twice })),
    ...unsafeHosts(read.value),
    ...unfitTexts(read.value),
  ];
  if (problems.length > 0) return refused(problems);
  return done({ file: read.value, examples: await runExamples(read.value) });
}

/** Where a text that is JSON has the same key twice in one object. Of these a reader takes the last and a person sees the first. */
function doubledKeys(json: string): string[] {
  const found: string[] = [];
  /** The objects and lists around: the keys of each, and the key or number that is being read. */
  const around: { readonly keys: Set<string> | null; at: string | number }[] = [];
  for (const [token, colon] of json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\],]/g)) {
    const inner = around.at(-1);
    if (token === '{' || token === '[') around.push({ keys: token === '{' ? new Set() : null, at: 0 });
    else if (token === '}' || token === ']') around.pop();
    else if (token === ',' && typeof inner?.at === 'number') inner.at += 1;
    else if (colon !== undefined && inner !== undefined && inner.keys !== null) {
      const key = JSON.parse(token.slice(0, -colon.length)) as string;
      inner.at = key;
      if (inner.keys.has(key)) found.push(around.map(({ at }) => at).join('.'));
      inner.keys.add(key);
    }
  }
  return found;
}

function unsafeHosts({ base_url: baseUrl, docs, hosts = [] }: ProviderFile): FileProblem[] {
  const named = [
    ...(baseUrl === null ? [] : [['base_url', new URL(baseUrl).hostname] as const]),
    ...docs.map((url, at) => [`docs.${at}`, new URL(url).hostname] as const),
    ...hosts.map((host, at) => [`hosts.${at}`, URL.parse(`https://${host}`)?.hostname ?? ''] as const),
  ];
  return named.flatMap(([place, host]) =>
    host === '' || isRefusedHost(host) ? [{ place, reason: fileReasons.unsafeHost }] : [],
  );
}

/** Texts that people read. */
function unfitTexts({ title, summary = '', search = [], inputs, steps }: ProviderFile): FileProblem[] {
  const texts = [
    ['title', title] as const,
    ['summary', summary] as const,
    ...search.map((word, at) => [`search.${at}`, word] as const),
    ...inputs.flatMap((one, at) => [
      [`inputs.${at}.title`, one.title] as const,
      [`inputs.${at}.hint`, one.hint ?? ''] as const,
      ...(one.choices ?? []).map((choice, of) => [`inputs.${at}.choices.${of}`, choice] as const),
    ]),
    ...Object.entries(steps).flatMap(([name, step]) =>
      (step?.outcomes ?? []).map(({ say = '' }, at) => [`steps.${name}.outcomes.${at}.say`, say] as const),
    ),
  ];
  return texts.flatMap(([place, text]) => {
    const reason = nameFault(text);
    return reason === null ? [] : [{ place, reason }];
  });
}

/** Stores a checked file in the data folder, instead of any other with its id. Returns its path. */
export async function storeProviderFile(dataDir: string, file: ProviderFile): Promise<string> {
  const folder = providersFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${file.id}.json`);
  // Complete or not at all: a program that runs may read it at any moment.
  const written = `${path}.new`;
  await writeFile(written, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  await replacePath(written, path);
  for (const other of await pathsOf(dataDir, file.id)) if (other !== path) await rm(other);
  return path;
}

/** Removes a person's file. False: there is none with this id. */
export async function removeProviderFile(dataDir: string, id: string): Promise<boolean> {
  if (!ProviderName.safeParse(id).success) return false;
  const paths = await pathsOf(dataDir, id);
  for (const path of paths) await rm(path);
  return paths.length > 0;
}

/** The files with an id, and a broken one that is named after it. */
async function pathsOf(dataDir: string, id: string): Promise<string[]> {
  const found: string[] = [];
  for (const path of await pathsIn(providersFolder(dataDir))) {
    const read = await readProviderFile(path);
    if (read.ok ? read.value.id === id : basename(path) === `${id}.json`) found.push(path);
  }
  return found;
}
