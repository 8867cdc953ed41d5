import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type * as toml from 'toml-eslint-parser';
import type { CheckLine } from '../../contract/credential/tool-command.ts';
import { indexAddress } from '../../contract/credential/connected-tools.ts';
import type { ToolConnection } from '../../contract/credential/tool-connection.ts';
import { checkText, connectProblem } from '../../text/cli/cli-connect.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import { commandIo } from '../command-io.ts';
import { cargoHello, readCargoAnswer } from './tool-protocols.ts';
import { placeAddress } from './git-setup.ts';
import {
  type AddSetting,
  asBytes,
  asText,
  type ConnectedPlace,
  type GivenToken,
  homeFolder,
  readBytes,
  runProgram,
  type ToolSetup,
  type WantedSetting,
} from './tool-setting.ts';

/** The first version of cargo, 1.x, that runs credential providers. */
const firstMinor = 74;

/** Cargo: for one registry, which its configuration has already, it runs our program. */
// see decisions/connections.md
export const cargoSetup: ToolSetup = {
  tool: 'cargo',
  usualScheme: 'plain',
  address: indexAddress,
  mark: ({ id }) => id,
  require: requireCargo,
  usualUser: async (place) => (await readRegistry(place)).name,
  file: configFile,
  plan: planCargo,
  async othersBefore(place) {
    const { file, providers } = await readRegistry(place);
    // What it does without one is no other program.
    return providers.filter((value) => value !== 'cargo:token').map((value) => ({ value, file }));
  },
  async checkPlace(connection, launcher) {
    return [checkRegistry(await readRegistry(connection), launcher)];
  },
  ask: askProvider,
};

async function requireCargo(): Promise<void> {
  if (process.platform === 'win32')
    throw new CommandFailure(exitCodes.failed, connectProblem.notOnWindows('cargo'));
  const { stdout, end } = await runProgram('cargo', ['--version']);
  if (end === 'missing') throw new CommandFailure(exitCodes.failed, connectProblem.noTool('cargo'));
  const [version, minor] = /^cargo 1\.(\d+)/.exec(stdout) ?? [];
  if (version !== undefined && Number(minor) < firstMinor)
    throw new CommandFailure(exitCodes.failed, connectProblem.oldCargo(version));
}

/** A registry of the configuration of the account. */
interface Registry {
  readonly file: string;
  readonly name: string;
  readonly index: Pair;
  /** Its own credential provider. */
  readonly own: Pair | null;
  readonly provider: readonly string[] | null;
  /** What cargo asks for all registries without one. */
  readonly providers: readonly string[];
  /** A file that has a token for it. */
  readonly tokenFile: string | null;
}

function cargoHome(): string {
  const named = commandIo().env['CARGO_HOME'] ?? '';
  return named === '' ? join(homeFolder(), '.cargo') : named;
}

function configFile(): string {
  return cargoFile('config');
}

/** Of a file without an ending beside one with it, cargo reads the former alone. */
function cargoFile(name: string): string {
  const old = join(cargoHome(), name);
  return existsSync(old) ? old : `${old}.toml`;
}

/** Loaded here: no other command needs it. */
type Toml = Pick<typeof toml, 'getStaticTOMLValue' | 'parseTOML'>;

async function readRegistry(place: ConnectedPlace): Promise<Registry> {
  return registryIn(await import('toml-eslint-parser'), asText(readBytes(configFile()) ?? ''), place);
}

/** The registry with this index. Throws where there is none: cargo has no other place for its credential provider. */
function registryIn(parser: Toml, content: string, place: ConnectedPlace): Registry {
  const file = configFile();
  const pairs = readToml(parser, file, content);
  const address = placeAddress(place);
  const index = pairs.find(({ path, value }) => isIndex(path) && isSameIndex(value, address));
  const name = index?.path[1];
  if (index === undefined || typeof name !== 'string')
    throw new CommandFailure(exitCodes.failed, connectProblem.noRegistry(file, address));
  const of = (all: readonly Pair[], ...wanted: readonly string[]) =>
    all.find(({ path }) => path.length === wanted.length && wanted.every((step, at) => path[at] === step)) ??
    null;
  const own = of(pairs, 'registries', name, 'credential-provider');
  const credentials = cargoFile('credentials');
  const hasToken = (all: readonly Pair[]) => of(all, 'registries', name, 'token') !== null;
  const isInCredentials = hasToken(readToml(parser, credentials, asText(readBytes(credentials) ?? '')));
  const inCredentials = isInCredentials ? credentials : null;
  return {
    ...{ file, name, index, own },
    provider: own === null ? null : words(own.value),
    providers: programs(of(pairs, 'registry', 'global-credential-providers')?.value),
    tokenFile: hasToken(pairs) ? file : inCredentials,
  };
}

function checkRegistry({ name, provider }: Registry, launcher: string): CheckLine {
  const variable = `CARGO_REGISTRIES_${name.toUpperCase().replaceAll('-', '_')}_CREDENTIAL_PROVIDER`;
  const isAsked = commandIo().env[variable] === undefined && provider?.[0] === launcher;
  return isAsked ? checkText.asked('cargo') : checkText.notAsked('cargo');
}

function isIndex(path: Pair['path']): boolean {
  return path.length === 3 && path[0] === 'registries' && path[2] === 'index';
}

function isSameIndex(value: unknown, address: string): boolean {
  if (typeof value !== 'string') return false;
  const [one, other] = [indexAddress(value), address].map((text) => URL.parse(text)?.href.replace(/\/$/, ''));
  return one !== undefined && one === other;
}

/** A program and its arguments, as cargo reads it: a text is parted at its blanks. */
function words(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.split(' ');
  return Array.isArray(value) ? value.filter((word) => typeof word === 'string') : [];
}

/** The programs of a list, without their arguments. */
function programs(value: unknown): readonly string[] {
  return [value].flat().flatMap((one) => words(one).slice(0, 1));
}

/**
 * A line before that of the index, or in the place of another provider. What is recorded has the index in it, or the other
 * provider, and no token.
 */
async function planCargo(at: ConnectedPlace, { launcher, mayReplace }: WantedSetting): Promise<AddSetting> {
  const parser = await import('toml-eslint-parser');
  return (bytes, file) => {
    const content = asText(bytes);
    const { name, index, own, provider, tokenFile } = registryIn(parser, content, at);
    const [helper, ...more] = provider ?? [];
    const place = `the registry ${name}`;
    if (helper !== undefined && more.length > 0)
      throw new CommandFailure(exitCodes.failed, connectProblem.helperArguments(file, place, helper));
    if (helper !== undefined && !mayReplace)
      throw new CommandFailure(exitCodes.failed, connectProblem.otherHelper(file, place, helper));
    if (tokenFile !== null && !mayReplace)
      throw new CommandFailure(exitCodes.failed, connectProblem.cargoToken(tokenFile, name));
    const { start, end, keyStart, isInline } = own ?? index;
    const lineStart = content.lastIndexOf('\n', start) + 1;
    const before = content.slice(lineStart, end);
    const line = `${content.slice(lineStart, keyStart)}credential-provider = [${JSON.stringify(launcher)}]`;
    // Within braces a token may stand in the same line, and nothing may come before a byte order mark.
    if (isInline || before.startsWith('\uFEFF') || content.split(before).length !== 2)
      throw new CommandFailure(exitCodes.failed, connectProblem.cargoFormat(file, name));
    const text = own === null ? `${line}${content.includes('\r\n') ? '\r\n' : '\n'}${before}` : line;
    return { text, before, becomes: asBytes(content.slice(0, lineStart) + text + content.slice(end)) };
  };
}

/** A key with its value, and where it is. */
interface Pair {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  readonly start: number;
  /** Where the last part of its key begins. */
  readonly keyStart: number;
  readonly end: number;
  readonly isInline: boolean;
}

function readToml({ getStaticTOMLValue, parseTOML }: Toml, file: string, content: string): readonly Pair[] {
  let program: toml.AST.TOMLProgram;
  try {
    // A blank, so that all places stay: the parser knows no byte order mark, and cargo skips it.
    program = parseTOML(content.replace(/^\uFEFF/, ' '));
  } catch (error) {
    const line = error instanceof SyntaxError && 'lineNumber' in error ? Number(error.lineNumber) : null;
    throw new CommandFailure(exitCodes.failed, connectProblem.notToml(file, line), { cause: error });
  }
  const pairsOf = (table: Pair['path'], node: toml.AST.TOMLKeyValue, isInline: boolean): Pair[] => {
    const { keys } = node.key;
    const path = [...table, ...keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value))];
    const [start, end] = node.range;
    const keyStart = keys.at(-1)?.range[0] ?? start;
    const pair = { path, value: getStaticTOMLValue(node.value), start, keyStart, end, isInline };
    if (node.value.type !== 'TOMLInlineTable') return [pair];
    return [pair, ...node.value.body.flatMap((inner) => pairsOf(path, inner, true))];
  };
  const [{ body }] = program.body;
  return body.flatMap((node) =>
    node.type === 'TOMLTable'
      ? node.body.flatMap((inner) => pairsOf(node.resolvedKey, inner, false))
      : pairsOf([], node, false),
  );
}

/** Asks as cargo does. */
async function askProvider(place: ToolConnection, launcher: string): Promise<GivenToken> {
  const registry = { 'index-url': `sparse+${placeAddress(place)}/`, name: place.username };
  const request = JSON.stringify({ v: 1, registry, kind: 'get', operation: 'read' });
  const { end, stdout, stderr } = await runProgram(launcher, ['--cargo-plugin'], { input: `${request}\n` });
  if (end === 'late') return { password: null, said: checkText.late(launcher) };
  const [hello, answer = ''] = stdout.split('\n');
  if (hello !== cargoHello || answer === '') return { password: null, said: stderr.trim() };
  const { token, message } = readCargoAnswer(answer);
  return token === null
    ? { password: null, said: message }
    : { password: token.replace(/^Bearer /, ''), said: '' };
}
