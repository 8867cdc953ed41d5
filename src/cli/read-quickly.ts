import packageJson from '../../package.json' with { type: 'json' };
import type { CallArguments, ReplyOf } from '../client/create-client.ts';
import type { RouteName } from '../contract/routes.ts';
import { chosenDataDir } from './chosen-data-dir.ts';
import { findService, sendLocally } from './find-service.ts';
import { type AnyReading, readings } from './readings.ts';
import { showAnswer } from './show-answer.ts';

/** Where the readings are answered, all by GET; a test compares it with the contract, which is not loaded here. */
export const quickPaths = {
  portalStatus: '/portal/status',
  listCredentials: '/portal/credentials',
  listConnections: '/portal/connections',
  listProviders: '/portal/providers',
  portalListIvrs: '/portal/ivrs',
  listDrafts: '/portal/ivrs/drafts',
  listSchedules: '/portal/schedules',
  listRecordings: '/portal/recordings',
  listExtensions: '/portal/extensions',
  listSmsTemplates: '/portal/sms-templates',
  listPbxs: '/portal/pbxs',
  listTokens: '/portal/tokens',
  readToken: '/portal/tokens/:id',
  readCredential: '/portal/credentials/:name',
  readCredentialUse: '/portal/credentials/:name/use',
  readSettings: '/portal/settings',
  readHistory: '/portal/history',
} as const satisfies Partial<Record<RouteName, `/${string}`>>;

/** For all of it; then the whole command line asks, and waits longer. In milliseconds. */
const limitMs = 3_000;
/** As of the client. */
const longestReply = 32 * 1024 * 1024;

/**
 * Reads and shows what one of `readings` is, without the schemas; returns whether it did. `typed` is the command with its argument.
 *
 * Answers are not checked, so only a service of this very version is asked. Whatever else happens is for `runCli`, which asks again and
 * explains. Nothing is printed before that is decided.
 */
export async function readQuickly(
  typed: readonly string[],
  { json, dataDir }: { readonly json: boolean; readonly dataDir?: string | undefined },
): Promise<boolean> {
  const found = readingOf(typed);
  if (found === null) return false;
  const { reading, input } = found;
  try {
    const { baseUrl, authorization, prove } = findService(chosenDataDir({ dataDir }));
    const signal = AbortSignal.timeout(limitMs);
    if ((await prove(signal)) !== packageJson.version) return false;
    const headers = { accept: 'application/json', authorization };
    const ask = async <N extends RouteName>(name: N, ...[given]: CallArguments<N>): Promise<ReplyOf<N>> => {
      const url = `${baseUrl}${addressOf(name as keyof typeof quickPaths, given as Given | undefined)}`;
      const { status, text } = await sendLocally(
        url,
        { method: 'GET', headers, signal },
        { mostBytes: longestReply },
      );
      if (status !== 200 || text === null) throw new Error(`status ${status}`);
      return JSON.parse(text) as ReplyOf<N>;
    };
    // What connected tools lack is found by what knows the tools, and said by the whole command line.
    if (reading === anyReading('status') && !json) {
      const { connections } = await ask('listConnections');
      if (connections.length > 0) {
        const { brokenFiles, launcherOf } = await import('./connect/check-connection.ts');
        if (connections.some((one) => brokenFiles(one, launcherOf(one, { dataDir })).length > 0))
          return false;
      }
    }
    const reply = await reading.call({ ask }, input as never);
    showAnswer(reading, reply, { ...input, json } as never, undefined as never);
    return true;
  } catch {
    return false;
  }
}

/** The reading that a command is, and what it is given; null for every other command. */
function readingOf(
  typed: readonly string[],
): { readonly reading: AnyReading; readonly input: Readonly<Record<string, string>> } | null {
  const words = typed.length === 1 && typed[0] === 'settings' ? ['settings', 'list'] : typed;
  const whole = anyReading(words.join('/'));
  if (whole !== null && whole.argument === undefined) return { reading: whole, input: {} };
  const one = anyReading(words.slice(0, -1).join('/'));
  const named = words.at(-1) ?? '';
  // An option is for the whole command line, and `.` and `..` would be steps in the path.
  if (one?.argument === undefined || /^(?:-|\.{0,2}$)/.test(named)) return null;
  return { reading: one, input: { [one.argument]: named } };
}

function anyReading(words: string): AnyReading | null {
  if (!Object.hasOwn(readings, words)) return null;
  return readings[words as keyof typeof readings] as unknown as AnyReading;
}

/** What a route is asked with, as far as readings give it. */
interface Given {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
}

function addressOf(name: keyof typeof quickPaths, { params = {}, query = {} }: Given = {}): string {
  const path = quickPaths[name].replace(/:(\w+)/g, (_, one: string) => encodeURIComponent(params[one] ?? ''));
  const asked = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return asked.length === 0 ? path : `${path}?${new URLSearchParams(asked)}`;
}
