import { basename } from 'node:path';
import { DeliveryTarget } from '../../contract/credential/credential.ts';
import type { DeliveryProblem } from '../../contract/credential/delivery-problem.ts';
import { settingFormatOf } from '../../contract/credential/setting-key.ts';
import { isTokenNotUser, judgeValue } from '../../core/credential/judge-value.ts';
import type { FoundToken, LeftReason } from '../../core/credential/plan-import.ts';
import { placeAt } from '../connect/connect-tool.ts';
import { dockerSetup, readLogin } from '../connect/docker-setup.ts';
import { dockerHub } from '../connect/tool-protocols.ts';
import { endOfLinks } from '../connect/tool-setting.ts';
import type { FileValue, FileValues } from './file-values.ts';
import { readGitCredentials, readNetrc } from './stored-logins.ts';

/**
 * Finds the tokens of a file: of dotenv, JSON, YAML, TOML and INI files with the readers that targets write by, and of files in which tools
 * keep tokens, with who uses them. Nothing is written, and no value is shown. Start at `readTokenFile`.
 */

/** A value that looks like a token, and is not taken. */
export interface LeftValue {
  readonly key: string;
  readonly line: number;
  readonly reason: LeftReason;
}

interface TokenFile {
  readonly found: readonly FoundToken[];
  readonly left: readonly LeftValue[];
  /** Origins of addresses in it. */
  readonly origins: readonly string[];
}

type ReadFile =
  | { readonly ok: true; readonly file: TokenFile }
  | { readonly ok: false; readonly problem: DeliveryProblem };

export const tokenFileFormats = ['dotenv', 'json', 'yaml', 'toml', 'ini'] as const;

export interface ReadingOptions {
  /** Default: what the name of the file says, otherwise dotenv. */
  readonly format?: (typeof tokenFileFormats)[number] | undefined;
  /** Whether a token begins as those of a known service. */
  readonly isKnown: (token: string) => boolean;
  /** The lines that a person has named; empty: none. */
  readonly only: readonly string[];
}

export async function readTokenFile(
  path: string,
  content: Buffer,
  options: ReadingOptions,
): Promise<ReadFile> {
  const reading = new Reading(path, options);
  const { format = settingFormatOf(path) ?? 'dotenv' } = options;
  const isNamed = (name: RegExp) => options.format === undefined && name.test(path);
  if (isNamed(/(?:[\\/]\.git-credentials|[\\/]git[\\/]credentials)$/))
    reading.gitCredentials(content.toString());
  else if (isNamed(/[\\/][._]netrc$/)) reading.netrc(content.toString());
  else {
    // Loaded now: other commands need none of it.
    const { listValues } = await import('./file-values.ts');
    const read = await listValues(path, format, content);
    if (!read.ok) return read;
    await (format === 'dotenv' ? reading.dotenv(read) : reading.settings(read, format));
  }
  return { ok: true, file: reading };
}

type Listed = Extract<FileValues, { ok: true }>;
type ReadValue = FileValue & Pick<Listed, 'refusalOf'>;
type OfferedValue = ReadValue & Pick<FoundToken, 'about' | 'origin'>;

class Reading implements TokenFile {
  readonly found: FoundToken[] = [];
  readonly left: LeftValue[] = [];
  readonly #origins = new Set<string>();
  readonly #path: string;
  readonly #options: ReadingOptions;

  constructor(path: string, options: ReadingOptions) {
    this.#path = path;
    this.#options = options;
  }

  get origins(): readonly string[] {
    return [...this.#origins];
  }

  async dotenv({ entries, refusalOf }: Listed): Promise<void> {
    for (const entry of entries) {
      const { key } = entry;
      const target = { kind: 'dotenv', path: this.#path, variable: key } as const;
      await this.#offer(key, { ...entry, about: key, origin: null, refusalOf }, target);
    }
  }

  async settings({ entries, values, refusalOf }: Listed, format: string): Promise<void> {
    const servers = kubeServers(values);
    for (const entry of entries) {
      const { path } = entry;
      const [first, second = ''] = path;
      const name = path.findLast((step) => typeof step === 'string') ?? '';
      const target = {
        kind: 'setting',
        path: this.#path,
        key: entry.key,
        ...(settingFormatOf(this.#path) === format ? {} : { format }),
      } as const;
      const at = { ...entry, about: name, origin: null, refusalOf };
      if (first === 'auths' && name === 'auth' && path.length === 3)
        await this.#dockerAuth(String(second), { ...entry, refusalOf }, target);
      else if (first === 'users' && name === 'token' && servers !== null) {
        const user = servers.get(second) ?? { name: 'kubernetes', origin: null };
        await this.#offer(name, { ...at, about: user.name, origin: user.origin }, target);
      } else if (name.startsWith('//')) {
        const origin = placeAt(`https:${name.slice(0, name.lastIndexOf(':'))}`)?.origin ?? null;
        await this.#offer(name, { ...at, about: hostOf(origin ?? name), origin }, target);
      } else if (basename(this.#path) === '.pypirc' && name === 'password')
        await this.#offer('token', { ...at, about: String(first) }, target);
      else {
        const host = hostInPath(path, name);
        const origin = host === null ? null : (placeAt(`https://${host}`)?.origin ?? null);
        await this.#offer(name, { ...at, about: host ?? name, origin }, target);
      }
    }
  }

  gitCredentials(content: string): void {
    for (const { line, url, username, password } of readGitCredentials(content)) {
      if (!this.#isChosen(url)) continue;
      const place = placeAt(url);
      const at = { key: url, line, about: hostOf(url), origin: place?.origin ?? null };
      const use = { kind: 'connection', tool: 'git', url } as const;
      // As GitHub has explained it: a user name is recorded and shown, so a token must not be taken for one.
      const isAlone = password === '' && isTokenNotUser(username);
      if (isAlone || this.#options.isKnown(username) || password === 'x-oauth-basic') {
        const problem = { code: 'token_is_user' } as const;
        this.found.push({ ...at, token: username, use: { ...use, username: '' }, problem });
        continue;
      }
      if (password === '') continue;
      const problem = place === null ? ({ code: 'no_place' } as const) : null;
      this.found.push({ ...at, token: password, use: { ...use, username }, problem });
    }
  }

  /** What is in there is shown, and cannot be taken in: no target writes this format. */
  netrc(content: string): void {
    for (const { line, host, password } of readNetrc(content)) {
      const use = { kind: 'target', target: { kind: 'file', path: this.#path } } as const;
      const problem = { code: 'no_place' } as const;
      this.found.push({
        key: host,
        line,
        token: password,
        about: host,
        origin: `https://${host}`,
        use,
        problem,
      });
    }
  }

  async #dockerAuth(
    server: string,
    { key, text, line, refusalOf }: ReadValue,
    target: object,
  ): Promise<void> {
    const { username = '', password: token = '' } = readLogin(text) ?? {};
    if (username === '' || token === '' || !this.#isChosen(key)) return;
    // Other programs, such as podman, keep passwords in this form, too, and read no configuration of docker.
    const isOfDocker = endOfLinks(this.#path) === endOfLinks(dockerSetup.file());
    const url = isOfDocker ? dockerUrl(server) : null;
    const origin = placeAt(dockerUrl(server) ?? addressOf(server))?.origin ?? null;
    const found = { key, line: line() ?? 1, token, about: hostOf(server), origin };
    if (url === null)
      await this.#add(found, { ...target, template: `${username}:{token}`, encoding: 'base64' }, refusalOf);
    else {
      const use = { kind: 'connection', tool: 'docker', url, username } as const;
      this.found.push({ ...found, use, problem: null });
    }
  }

  async #offer(name: string, value: OfferedValue, target: { readonly kind: string }): Promise<void> {
    const { key, text, line, about, origin, refusalOf } = value;
    const address = /^https?:\/\//.test(text) ? URL.parse(text) : null;
    if (address !== null) this.#origins.add(address.origin);
    if (!this.#isChosen(key)) return;
    // In a settings file the word before a token can stay where it is.
    const [, word] = target.kind === 'setting' ? (/^(Bearer|token) \S+$/i.exec(text) ?? []) : [];
    const token = word === undefined ? text : text.slice(word.length + 1);
    const isChosen = this.#options.only.length > 0;
    const kind = judgeValue(name, token, { isKnown: this.#options.isKnown(token), isChosen });
    if (kind === 'none') return;
    const at = { key, line: line() ?? 1 };
    if (kind !== 'token') this.left.push({ ...at, reason: { code: kind } });
    else {
      const written = word === undefined ? target : { ...target, template: `${word} {token}` };
      await this.#add({ ...at, token, about, origin }, written, refusalOf);
    }
  }

  async #add(
    found: Omit<FoundToken, 'use' | 'problem'>,
    written: object,
    refusalOf: Listed['refusalOf'],
  ): Promise<void> {
    // A target writes every line of a variable.
    if (this.found.some(({ key, token }) => key === found.key && token === found.token)) return;
    const target = DeliveryTarget.safeParse(written);
    if (!target.success) this.left.push({ key: found.key, line: found.line, reason: { code: 'no_place' } });
    else {
      const use = { kind: 'target', target: target.data } as const;
      this.found.push({ ...found, use, problem: await refusalOf(target.data, found.token) });
    }
  }

  #isChosen(key: string): boolean {
    const { only } = this.#options;
    return only.length === 0 || only.includes(key);
  }
}

/** Where `gh`, `glab` and Terraform send a token, by the names around it; null: it is none of theirs. */
function hostInPath([first, second]: FileValue['path'], name: string): string | null {
  if (name === 'oauth_token' && typeof first === 'string') return first;
  const isOfHost = (first === 'hosts' || first === 'credentials') && name === 'token';
  return isOfHost && typeof second === 'string' ? second : null;
}

/** The address of a registry, as docker names it in its configuration; null: it cannot be connected there. */
function dockerUrl(server: string): string | null {
  if (/^(?:(?:https:\/\/)?index\.docker\.io\/v1\/?|docker\.io)$/.test(server)) return dockerHub.origin;
  if (!/^[\w.-]+(?::\d+)?$/.test(server)) return null;
  const isHere = /^(?:localhost|127(?:\.\d+){3})(?::\d+)?$/.test(server);
  return `${isHere ? 'http' : 'https'}://${server}`;
}

/** Also where a registry is named with a path, and with or without the scheme. */
function addressOf(server: string): string {
  return server.includes('://') ? server : `https://${server}`;
}

function hostOf(address: string): string {
  return address.replace(/^[a-z]+:\/\//, '').split(/[:/]/)[0] ?? '';
}

interface KubeUser {
  readonly name: string;
  /** Of its cluster; null: it has none, or several. */
  readonly origin: string | null;
}

/**
 * The users of a kubeconfig by their places in its list, with the cluster that each signs in to; null where a file is none.
 *
 * A user may have no token at all: `exec` and client certificates take its place, and are no tokens.
 */
function kubeServers(values: unknown): ReadonlyMap<unknown, KubeUser> | null {
  const [users, contexts, clusters] = ['users', 'contexts', 'clusters'].map((name) => listIn(values, name));
  if (users === undefined || contexts === undefined || clusters === undefined || clusters.length === 0)
    return null;
  const servers = new Map(
    clusters.map((one) => [textIn(one, 'name'), textIn(mapIn(one, 'cluster'), 'server')]),
  );
  return new Map(
    users.map((one, place) => {
      const name = textIn(one, 'name') ?? 'kubernetes';
      const used = new Set(
        contexts
          .map((context) => mapIn(context, 'context'))
          .filter((context) => textIn(context, 'user') === name)
          .map((context) => servers.get(textIn(context, 'cluster')))
          .filter((server) => server !== undefined && server !== null),
      );
      const [only = ''] = used;
      const origin = used.size === 1 ? (URL.parse(only)?.origin ?? null) : null;
      return [place, { name, origin }] as const;
    }),
  );
}

function mapIn(from: unknown, name: string): unknown {
  return from instanceof Map ? (from as Map<unknown, unknown>).get(name) : undefined;
}

function listIn(from: unknown, name: string): readonly unknown[] | undefined {
  const list = mapIn(from, name);
  return Array.isArray(list) ? list : undefined;
}

function textIn(from: unknown, name: string): string | null {
  const text = mapIn(from, name);
  return typeof text === 'string' ? text : null;
}
