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
} as const satisfies Partial<Record<RouteName, `/${string}`>>;

/** For all of it; then the whole command line asks, and waits longer. In milliseconds. */
const limitMs = 3_000;
/** As of the client. */
const longestReply = 32 * 1024 * 1024;

/**
 * Reads and shows what one of `readings` is, without the schemas; returns whether it did.
 *
 * Answers are not checked, so only a service of this very version is asked. Whatever else happens is for `runCli`, which asks again and
 * explains. Nothing is printed before that is decided.
 */
export async function readQuickly(
  words: string,
  { json, dataDir }: { readonly json: boolean; readonly dataDir?: string | undefined },
): Promise<boolean> {
  if (!Object.hasOwn(readings, words)) return false;
  const reading = readings[words as keyof typeof readings] as unknown as AnyReading;
  try {
    const { baseUrl, authorization, prove } = findService(chosenDataDir({ dataDir }));
    const signal = AbortSignal.timeout(limitMs);
    if ((await prove(signal)) !== packageJson.version) return false;
    const headers = { accept: 'application/json', authorization };
    const ask = async <N extends RouteName>(name: N, ..._input: CallArguments<N>): Promise<ReplyOf<N>> => {
      const url = `${baseUrl}${quickPaths[name as keyof typeof quickPaths]}`;
      const { status, text } = await sendLocally(
        url,
        { method: 'GET', headers, signal },
        { mostBytes: longestReply },
      );
      if (status !== 200 || text === null) throw new Error(`status ${status}`);
      return JSON.parse(text) as ReplyOf<N>;
    };
    // What connected tools lack is found by what knows the tools, and said by the whole command line.
    if (words === 'status' && !json) {
      const { connections } = await ask('listConnections');
      if (connections.length > 0) {
        const { brokenFiles, launcherOf } = await import('./connect/check-connection.ts');
        if (connections.some((one) => brokenFiles(one, launcherOf(one, { dataDir })).length > 0))
          return false;
      }
    }
    const reply = await reading.call({ ask });
    showAnswer(reading, reply, { json }, undefined as never);
    return true;
  } catch {
    return false;
  }
}
