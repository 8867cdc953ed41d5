import type { ConfigLines, Pbx, PbxState, PbxTest, PbxTrouble } from '../contract/calls/pbx.ts';
import { ariUserLines, handOverLines, httpServerLines, moduleLines } from '../core/calls/asterisk-lines.ts';
import type { Outgoing } from '../network/outgoing.ts';
import { AriClient } from './ari-client.ts';
import { AriError } from './ari-port.ts';
import { troubleOf } from './pbx-connection.ts';
import type { PromptAddresses } from './prompts.ts';

/** What calls need, by its module (Asterisk 18 to 22). The others come with these. */
const neededModules = [
  'res_stasis',
  'app_stasis',
  'res_stasis_answer',
  'res_stasis_playback',
  'res_ari_applications',
  'res_ari_bridges',
  'res_ari_channels',
  'res_ari_events',
  'res_ari_playbacks',
  // Only this test plays in a bridge.
  'chan_bridge_media',
  'res_http_websocket',
  'res_http_media_cache',
  'format_wav',
  'func_timeout',
];
/** Beside them, for opening hours and for outside numbers: what is set by hand, and counted calls, are kept in its database. */
const databaseModule = 'func_db';
const oldestVersion = 18;
const fetchLimitMs = 10_000;

export interface TestedPbx {
  readonly pbx: Pbx;
  readonly password: () => Promise<string | null>;
  readonly outgoing?: Outgoing | undefined;
  /** Of the connection that runs, once it has tried. */
  readonly triedState: () => Promise<PbxState>;
  readonly prompts: PromptAddresses;
  /** Whether menus may call outside numbers. */
  readonly callsOutside: boolean;
  /** The menu for example lines: one that is stored. */
  readonly menu: { readonly id: string; readonly name: string } | null;
  /** Whether there are opening hours. */
  readonly hasHours: boolean;
}

type Checks = PbxTest['checks'];

/**
 * Looks at a telephone system the way a call uses it, step by step, and says which lines are missing where.
 *
 * The first failure ends it, because what follows would fail for the same reason.
 */
export async function testPbx({
  pbx,
  password,
  outgoing,
  triedState,
  prompts,
  callsOutside,
  menu,
  hasHours,
}: TestedPbx): Promise<Omit<PbxTest, 'silent'>> {
  const checks: Checks = [];
  const add: ConfigLines[] = [];
  let version: string | null = null;
  const secret = await password();
  if (secret === null) {
    return { version, checks: [{ check: 'sign_in', trouble: { code: 'no_password', detail: '' } }], add };
  }
  const client = new AriClient({ url: pbx.url, user: pbx.user, password: secret, outgoing });
  try {
    const found = await tried(() => client.version());
    if (typeof found !== 'string') {
      const isSignIn = found.code === 'signed_out';
      if (isSignIn) checks.push({ check: 'reach', trouble: null });
      checks.push({ check: isSignIn ? 'sign_in' : 'reach', trouble: found });
      if (!isSignIn && found.code !== 'not_trusted') add.push(httpServerLines(pbx.url));
      return { version, checks, add: [...add, ariUserLines(pbx.user)] };
    }
    version = found;
    checks.push({ check: 'reach', trouble: null }, { check: 'sign_in', trouble: null });
    const isOld = Number.parseInt(version, 10) < oldestVersion;
    checks.push({ check: 'version', trouble: isOld ? { code: 'too_old', detail: version } : null });
    if (isOld) return { version, checks, add };

    const modules = await tried(() => client.modules());
    // Without this resource it cannot be asked; what is missing then shows below.
    const needed = callsOutside || hasHours ? [...neededModules, databaseModule] : neededModules;
    const missing = 'code' in modules ? [] : needed.filter((name) => modules.get(name) !== true);
    checks.push({
      check: 'modules',
      trouble: missing.length === 0 ? null : { code: 'module_missing', detail: missing.join(', ') },
    });
    if (missing.length > 0) return { version, checks, add: [moduleLines(missing)] };

    const signed = await tried(() => client.sendSign('rotavox-test'));
    // 404: nobody is connected as the application, which the next check says.
    const isRefused = signed?.code === 'read_only';
    checks.push({ check: 'rights', trouble: isRefused ? signed : null });
    if (isRefused) return { version, checks, add: [ariUserLines(pbx.user)] };

    const application = await applicationTrouble(client, await triedState());
    checks.push({ check: 'application', trouble: application });
    if (application !== null) return { version, checks, add };

    const fetched = await promptTrouble(client, prompts.silence(pbx.url));
    checks.push({ check: 'prompts', trouble: fetched });
    if (fetched === null && menu !== null) add.push(handOverLines(menu));
    return { version, checks, add: fetched === null ? [] : add };
  } finally {
    await client.close();
  }
}

async function tried<T>(ask: () => Promise<T>): Promise<T | PbxTrouble> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof AriError)) throw error;
    return troubleOf(error) ?? { code: 'failed', detail: '' };
  }
}

async function applicationTrouble(client: AriClient, state: PbxState): Promise<PbxTrouble | null> {
  if (state.status === 'unreachable') return state.trouble;
  const channels = await tried(() => client.channels());
  if (channels === null) return { code: 'failed', detail: 'not_registered' };
  return Array.isArray(channels) ? null : channels;
}

async function promptTrouble(
  client: AriClient,
  { media, fetched, end }: ReturnType<PromptAddresses['silence']>,
): Promise<PbxTrouble | null> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => resolve('late'), fetchLimitMs);
  try {
    const stop = await tried(() => client.playToNobody(media));
    if (typeof stop !== 'function') return stop;
    const outcome = await Promise.race([fetched, late]);
    await stop();
    return outcome === 'late' ? { code: 'prompts_not_fetched', detail: 'not_asked' } : null;
  } finally {
    clearTimeout(timer);
    end();
  }
}
