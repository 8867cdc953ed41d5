import { join } from 'node:path';
import type { ReadyLine } from '../../contract/service/portal.ts';
import { isLogged } from '../../host/app-log.ts';
import type { Host } from '../../host/start-host.ts';
import type { TeamHost } from '../../host/start-team-host.ts';
import { journalText, serveHelp, serveText } from '../../text/cli/cli-service.ts';
import { movedDataText } from '../../text/service/moved-data.ts';
import { customCommand } from '../command-table.ts';
import {
  type AddressOptions,
  addressRangesOf,
  type ChosenAddress,
  chosenAddress,
  hostNamesOf,
  listenAddressOf,
} from '../chosen-network.ts';
import {
  type ChosenTeamVault,
  chosenTeamVault,
  type ChosenVault,
  chosenVault,
  type RecordedVault,
  serveVaultKinds,
  type VaultOptions,
} from '../chosen-vault.ts';
import { exitCodes, withHost, wrongUsage } from '../command-failure.ts';
import { commandIo } from '../command-io.ts';
import { chosenDataDir, type GlobalOptions } from '../chosen-data-dir.ts';
import { closeHost, endAfterFailure } from '../end-after-failure.ts';
import { openBrowser } from './open.ts';
import { largestPort, wholeNumber } from '../option-values.ts';
import { programDir } from '../own-command.ts';
import { plainStderr, printJson, say } from '../terminal.ts';

interface ServeOptions extends Omit<GlobalOptions, 'host'>, VaultOptions, AddressOptions, JournalOptions {
  readonly logLevel: (typeof logLevels)[number];
  readonly open?: true;
  readonly json: boolean;
}

const logLevels = ['error', 'warn', 'info', 'debug'] as const;
/** Ctrl-C arrives from the terminal and once more through npm; only a later one counts as a second one. */
const sameRequestMs = 500;
const interruptedExitCode = 130;

export const serveCommand = customCommand({
  help: serveHelp,
  options: {
    '--port <n>': { help: serveHelp.port, read: wholeNumber(0, largestPort) },
    '--host <address>': serveHelp.host,
    '--listen <address:port>': { help: serveHelp.listen, read: listenAddressOf },
    '--tls-cert <file>': serveHelp.tlsCert,
    '--tls-key <file>': serveHelp.tlsKey,
    '--behind-proxy <cidr>': { help: serveHelp.behindProxy, read: addressRangesOf },
    '--allow-host <name>': { help: serveHelp.allowHost, read: hostNamesOf },
    '--journal <url>': serveHelp.journal,
    '--advertise <url>': serveHelp.advertise,
    '--vault <kind>': { help: serveHelp.vault, choices: serveVaultKinds },
    '--vault-passphrase-file <file>': serveHelp.passphraseFile,
    '--log-level <level>': { help: serveHelp.logLevel, choices: logLevels, usual: 'warn' },
    '--open': serveHelp.open,
  },
  json: serveHelp.json,
  run: serve,
});

async function serve(options: ServeOptions): Promise<void> {
  const { env } = commandIo();
  const address = chosenAddress(options);
  const port = address.port ?? portOfEnvironment(env);
  const journal = chosenJournal(options, env);
  // First: Ctrl-C at its question ends the process.
  const vault =
    journal === null
      ? await chosenVault(options, env, await recordedVaultOf(chosenDataDir(options)))
      : await chosenTeamVault(options, env);
  const call = Promise.withResolvers<undefined>();
  const onStopAsked = (): void => call.resolve(undefined);
  const stop = Promise.race([stopRequest(), call.promise]);
  const starting = start(options, { address, port, journal, vault, onStopAsked });
  const failing = endAfterFailure(starting, stop);
  const host = await Promise.race([starting, failing]);
  for (const repair of host.repairs) say(serveText.repaired(repair));
  const movedFrom = 'movedFrom' in host ? host.movedFrom() : null;
  if (movedFrom !== null) say(movedDataText.line(movedFrom));
  const role = 'role' in host ? host.role() : null;
  const leaderUrl = 'leaderUrl' in host ? host.leaderUrl() : null;
  if (options.json) {
    const ready: ReadyLine = {
      event: 'ready',
      base_url: host.baseUrl,
      ...(host.publicUrl === host.baseUrl ? {} : { public_url: host.publicUrl }),
      pid: process.pid,
      data_dir: host.dataDir,
      ...(role === null ? {} : { role }),
      ...(leaderUrl === null ? {} : { leader_url: leaderUrl }),
    };
    printJson(ready);
  } else if (role === null) say(serveText.running(host.publicUrl, host.dataDir));
  else say(serveText.runningInTeam(host.publicUrl, { role, leaderUrl }));
  if (options.open || !options.json) {
    const link = host.signInLink();
    // A link signs anybody in who has it: it is for the eyes of a person and not for a file.
    if (isLogged()) say(serveText.signInByCommand);
    else say(link === null ? serveText.signInElsewhere(host.publicUrl) : serveText.signIn(link));
    if (options.open) await openBrowser(link ?? host.publicUrl);
  }
  await Promise.race([stop, failing]);
  say(serveText.stopping);
  const code = await closeHost(host);
  // Explicitly: nothing that is still open may keep a stopped service running.
  process.exit(code === exitCodes.done ? undefined : code);
}

/** What opens the file in a folder. A record that cannot be read is reported by the start. */
async function recordedVaultOf(dataDir: string): Promise<RecordedVault> {
  const [{ HostError }, { recordedPlace }] = await Promise.all([
    import('../../host/host-error.ts'),
    import('../../host/vault-choice-file.ts'),
  ]);
  try {
    const place = recordedPlace(dataDir);
    if (place?.kind !== 'file') return null;
    return place.key === 'file' ? 'key file' : 'passphrase';
  } catch (error) {
    if (error instanceof HostError) return null;
    throw error;
  }
}

interface Chosen {
  readonly address: ChosenAddress;
  readonly port: number | undefined;
  readonly journal: ChosenJournal | null;
  readonly vault: ChosenVault | ChosenTeamVault | undefined;
  readonly onStopAsked: () => void;
}

/** Starts the host, which is loaded here so that no other command waits for it. */
async function start(
  options: ServeOptions,
  { address, port, journal, vault, onStopAsked }: Chosen,
): Promise<Host | TeamHost> {
  const { commandLineOf, programOf } = await import('../../host/command-line.ts');
  const common = {
    dataDir: chosenDataDir(options),
    hostname: address.hostname,
    port,
    network: address.network,
    commandLine: commandLineOf(programDir),
    program: programOf(programDir),
    windowsDir: join(programDir, 'out', 'renderer'),
    onStopAsked,
    say(message: string) {
      say(serveText.message(message));
    },
    log: { level: options.logLevel, stream: plainStderr },
  };
  return withHost<Host | TeamHost>(async () => {
    if (vault?.kind !== 'postgres') {
      const { startHost } = await import('../../host/start-host.ts');
      return startHost({ ...common, vault });
    }
    const { startTeamHost } = await import('../../host/start-team-host.ts');
    const { url = '', advertise } = journal ?? {};
    return startTeamHost({ ...common, vault, journal: url, advertise });
  });
}

function portOfEnvironment(environment: NodeJS.ProcessEnv): number | undefined {
  const text = environment['ROTAVOX_PORT'];
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= largestPort) return Number(text);
  throw wrongUsage(serveText.portVariable(largestPort));
}

/** Settles at the first request to end, also one that comes while the host is starting. A later Ctrl-C ends at once. */
function stopRequest(): Promise<void> {
  return new Promise((resolve) => {
    let askedAtMs: number | null = null;
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (askedAtMs === null) {
          askedAtMs = performance.now();
          resolve();
        } else if (signal === 'SIGINT' && performance.now() - askedAtMs > sameRequestMs) {
          process.exit(interruptedExitCode);
        }
      });
    }
  });
}

export interface JournalOptions {
  readonly journal?: string;
  readonly advertise?: string;
}

/** The journal that hosts of a team share, and how they reach this one. */
interface ChosenJournal {
  readonly url: string;
  readonly advertise: string | undefined;
}

/** Null for a host that is alone. Throws wrong usage. */
export function chosenJournal(
  { journal, advertise }: JournalOptions,
  environment: NodeJS.ProcessEnv,
): ChosenJournal | null {
  const url = journal ?? environment['ROTAVOX_JOURNAL'] ?? '';
  if (url === '') {
    if (advertise !== undefined) throw wrongUsage(journalText.advertiseAlone);
    return null;
  }
  const parsed = URL.parse(url);
  if (parsed === null || !['postgres:', 'postgresql:'].includes(parsed.protocol))
    throw wrongUsage(journalText.badUrl);
  const hasPassword = parsed.password !== '' || parsed.searchParams.has('password');
  if (journal !== undefined && hasPassword) say(journalText.passwordShown);
  return { url, advertise: advertise === undefined ? undefined : originIn(advertise) };
}

function originIn(text: string): string {
  const parsed = URL.parse(text);
  const isOrigin =
    parsed !== null && ['http:', 'https:'].includes(parsed.protocol) && parsed.pathname === '/';
  if (!isOrigin || parsed.search !== '' || parsed.hash !== '' || parsed.username !== '')
    throw wrongUsage(journalText.badAdvertise);
  return parsed.origin;
}
