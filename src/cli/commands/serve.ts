import { type Command, Option } from 'commander';
import { join } from 'node:path';
import { loopbackAddress } from '../../contract/address.ts';
import type { ReadyLine } from '../../contract/portal.ts';
import type { Host } from '../../host/start-host.ts';
import { serveHelp, serveText } from '../../text/cli-service.ts';
import { addCommand } from '../add-command.ts';
import { type ChosenVault, chosenVault, vaultKinds, type VaultOptions } from '../chosen-vault.ts';
import { CommandFailure, type ExitCode, exitCodes, wrongUsage } from '../command-failure.ts';
import { chosenDataDir, type GlobalOptions } from '../data-dir.ts';
import { openBrowser } from './open.ts';
import { wholeNumber } from '../option-values.ts';
import { programDir } from '../own-command.ts';
import { plainStderr, printJson, say } from '../terminal.ts';

interface ServeOptions extends GlobalOptions, VaultOptions {
  readonly port?: number;
  readonly host: string;
  readonly open?: true;
  readonly json?: true;
}

const largestPort = 65_535;
/** Ctrl-C arrives from the terminal and once more through npm; only a later one counts as a second one. */
const sameRequestMs = 500;
const interruptedExitCode = 130;

export function serveCommand(program: Command): void {
  addCommand(program, 'serve', serveHelp)
    .option('--port <n>', serveHelp.port, wholeNumber(0, largestPort))
    .option('--host <address>', serveHelp.host, loopbackAddress)
    .addOption(new Option('--vault <kind>', serveHelp.vault).choices(vaultKinds))
    .option('--vault-passphrase-file <file>', serveHelp.passphraseFile)
    .option('--open', serveHelp.open)
    .option('--json', serveHelp.json)
    .action(async (_options, command: Command) => {
      await serve(command.optsWithGlobals<ServeOptions>());
    });
}

async function serve(options: ServeOptions): Promise<void> {
  const vault = await chosenVault(options, process.env); // first: Ctrl-C at its question ends the process
  const stop = stopRequest();
  const host = await start(options, vault);
  for (const repair of host.repairs) say(serveText.repaired(repair));
  if (options.json) {
    const ready: ReadyLine = {
      event: 'ready',
      base_url: host.baseUrl,
      pid: process.pid,
      data_dir: host.dataDir,
    };
    printJson(ready);
  } else {
    say(serveText.running(host.baseUrl, host.dataDir));
  }
  if (options.open || !options.json) {
    const link = host.signInLink();
    say(serveText.signIn(link));
    if (options.open) await openBrowser(link);
  }
  await stop;
  say(serveText.stopping);
  process.exit(await closeHost(host)); // explicitly: nothing that is still open may keep a stopped service running
}

async function closeHost(host: Host): Promise<ExitCode> {
  try {
    await host.close();
    return exitCodes.done;
  } catch (error) {
    say(serveText.notClosed(error instanceof Error ? error.message : String(error)));
    return exitCodes.failed;
  }
}

/** Starts the host, which is loaded here so that no other command waits for it. */
async function start(options: ServeOptions, vault: ChosenVault): Promise<Host> {
  const [{ startHost }, { HostError }, { commandLineOf }] = await Promise.all([
    import('../../host/start-host.ts'),
    import('../../host/host-error.ts'),
    import('../../host/command-line.ts'),
  ]);
  try {
    return await startHost({
      dataDir: chosenDataDir(options),
      hostname: options.host,
      port: options.port ?? portOfEnvironment(process.env),
      commandLine: commandLineOf(programDir),
      windowsDir: join(programDir, 'out', 'renderer'),
      say(message) {
        say(serveText.message(message));
      },
      log: { level: 'warn', stream: plainStderr },
      vault,
    });
  } catch (error) {
    if (error instanceof HostError)
      throw new CommandFailure(exitCodes.failed, error.message, { cause: error });
    throw error;
  }
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
