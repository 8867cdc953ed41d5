/**
 * The program without Electron. It locks the data folder, opens the store, builds the service, listens, and writes the address
 * for the CLI. The Electron shell and `rotavox serve` both run exactly this. Nothing here knows a window or a route.
 * Start reading here; a host of a team is in `team-host.ts`.
 */
import { MovableVault } from '../agent/vault/movable-vault.ts';
import { defaultPort } from '../contract/address.ts';
import type { MovedFrom } from '../contract/service/moved-from.ts';
import type { CallFailure } from '../contract/credential/rotation-trouble.ts';
import { connectFailureOf } from '../network/connect-failure.ts';
import { fetchThrough } from '../network/outgoing.ts';
import { type Ledger, StoreUnavailable } from '../core/ledger.ts';
import { changeSettings } from '../core/change-settings.ts';
import { singleHost } from '../service/host-health.ts';
import type { MoveTokens } from '../service/service-context.ts';
import { hostText } from '../text/service/host-text.ts';
import { movedDataText } from '../text/service/moved-data.ts';
import { hostBackups } from './backup/host-backups.ts';
import { finishRestoreOrSay } from './backup/finish-restore.ts';
import { closeAll } from './close-all.ts';
import { openFolderOrigin } from './open-folder-origin.ts';
import { HostError } from './host-error.ts';
import { HostProcess, type ProcessOptions } from './host-process.ts';
import type { HostPort } from './host-port.ts';
import { type OpenedFolder, openFolder } from './open-folder.ts';
import { type Machine, readMachine } from './machine-id.ts';
import { type HostVault, openVaultChoice } from './open-vault-choice.ts';
import { moveVault } from './move-vault.ts';
import { hostMetrics } from './read-metrics.ts';
import { Term } from './host-term.ts';
import { allEntriesOf, keychainTargetsOf, vaultEntriesOf } from './vault-entries.ts';

export interface HostOptions extends ProcessOptions {
  /** The machine that this runs on. Default: as the system says. */
  readonly machine?: Machine | undefined;
  /** Where the tokens of credentials are stored. Default: where they are, or the OS keychain, or a file where there is none. */
  readonly vault?: HostVault | undefined;
  /** The cost of an attempt on the passphrase of a backup that is made here, as for `BackupPassphrase`. Default: its own. */
  readonly backupLogN?: number | undefined;
  /** Called with the port as soon as the folder is open, before the service is loaded; awaited. */
  readonly onPort?: ((port: HostPort) => Promise<void> | void) | undefined;
  /** Called once windows can load their page, before the service is loaded; awaited. */
  readonly onListening?: ((listening: Listening) => Promise<void> | void) | undefined;
}

/** What a window needs to load its page. Its calls to the service are answered when that is loaded. */
export interface Listening {
  readonly baseUrl: string;
  readonly port: HostPort;
  /** The session cookie for our own windows. */
  windowCookie(): { name: string; value: string };
  /** Resolves when the first page was sent. */
  readonly pageSent: Promise<unknown>;
}

/** A program that runs, alone or in a team. */
export interface RunningHost {
  /** http://127.0.0.1:7682 */
  readonly baseUrl: string;
  /** The same, or where other machines reach it: https://rotavox.example.com */
  readonly publicUrl: string;
  readonly dataDir: string;
  /** What the store repaired when it opened, a sentence each. */
  readonly repairs: readonly string[];
  /** Checks the clock now: after sleep, unlock, a clock change, or when the network is back. */
  wake(): void;
  /** Finishes acknowledged work, removes `runtime.json`, and releases the folder. */
  close(): Promise<void>;
}

export interface Host extends RunningHost {
  /** Where its data may also be in use, so that nothing is rotated; null: nowhere else. */
  movedFrom(): MovedFrom | null;
  /** A link that signs a browser in: it works once, within five minutes. */
  signInLink(): string;
  /** The session cookie for our own windows. */
  windowCookie(): { name: string; value: string };
  /** The state and the actions of a shell without a window. */
  readonly shellPort: HostPort;
  /** Requests to other machines, as the settings, the environment and the desktop lead them. */
  readonly network: OutgoingRequests;
}

export interface OutgoingRequests {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Why there was no connection, where that is why a request failed. */
  readonly failureOf: (error: unknown) => CallFailure | null;
}

/** Starts the service on a data folder. Throws `HostError` with a sentence for the person; then nothing is left running. */
export async function startHost(options: HostOptions = {}): Promise<Host> {
  const { vault: choice } = options;
  const passphraseFile = choice?.kind === 'file' ? choice.passphraseFile : undefined;
  const running = await HostProcess.open(options, { passphraseFile });
  const { dataDir, early, lock, say } = running;
  let opened: OpenedFolder | null = null;
  let term: Term | null = null;
  try {
    const reading = options.machine ?? readMachine();
    await finishRestoreOrSay({ dataDir, lock, clock: running.clock, choice, say });
    opened = await openFolder(dataDir, { clock: running.clock, lock, say });
    const machine = await reading;
    const origin = openFolderOrigin(dataDir, { machine, lock, say, clock: running.clock });
    const { ledger, repairs } = opened;
    // Said at once, and not by the next write: no rotation is made any more.
    lock.onLost(() => void ledger.look());
    const parts = await running.parts({ repairs, isStoreOk: () => ledger.look().status === 'ok' });
    const vault = new MovableVault(
      await openVaultChoice(choice, { dataDir, entries: vaultEntriesOf(ledger.state), say }),
    );
    const moveTokens: MoveTokens = async (to) => {
      const movedFrom = origin.movedFrom();
      // A keychain is shared with a folder that is on the same machine.
      if (movedFrom !== null) return { ok: false, message: movedDataText.line(movedFrom) };
      let moved = 0;
      try {
        await vault.move(async (from, written) => {
          const entries = [...allEntriesOf(ledger.state), ...written];
          const keychainTargets = keychainTargetsOf(ledger.state);
          const done = await moveVault({ dataDir, to, from, entries, keychainTargets, say });
          ({ moved } = done);
          return done.vault;
        });
        return { ok: true, moved };
      } catch (error) {
        if (error instanceof HostError) return { ok: false, message: error.message };
        throw error;
      }
    };
    const backups = hostBackups({
      dataDir,
      opened,
      vault,
      machine: machine.name,
      lock,
      clock: running.clock,
      logN: options.backupLogN,
    });
    const metrics = hostMetrics({
      running,
      facts: singleHost,
      term: () => term,
      terms: () => 1,
      leaseMs: () => null,
      callsPassedOn: () => null,
    });
    const only = new Term({ ...parts, metrics }, { ...opened, vault, moveTokens, backups, origin });
    term = only;
    const { shellPort } = only;
    await options.onPort?.(shellPort);
    // A port that several hosts of one team would take, or that other machines know, is not for commands of this machine only.
    const moved = await running.listen(
      running.network === null ? (ledger.state.settings.port ?? defaultPort) : 0,
    );
    if (moved !== null) {
      await keepPort(ledger, moved.to);
      say(hostText.portMoved(moved));
    }
    const { baseUrl } = running;
    const windowCookie = (): { name: string; value: string } => only.windowCookie();
    await options.onListening?.({ baseUrl, port: shellPort, pageSent: early.pageSent, windowCookie });
    await only.serve();
    running.writeRuntimeFile();
    only.start();
    let closing: Promise<void> | null = null;
    return {
      baseUrl,
      publicUrl: early.publicUrl,
      dataDir,
      repairs,
      movedFrom: () => origin.movedFrom(),
      signInLink: () => only.signInLink(),
      windowCookie,
      shellPort,
      network: { fetch: fetchThrough(only.outgoing), failureOf: connectFailureOf },
      wake: () => only.wake(),
      close() {
        closing ??= closeAll(
          () => only.close(() => running.endCalls()),
          () => running.release(),
        );
        return closing;
      },
    };
  } catch (error) {
    const begun = term;
    // What made the start fail is said, and not what failed after it.
    await closeAll(
      () => (begun === null ? opened?.close() : begun.close(() => running.endCalls())),
      () => running.release(),
    ).catch(() => undefined);
    throw error;
  }
}

/** Apps find the service there from now on. A disk that is full keeps no port, and no start from being made. */
async function keepPort(ledger: Ledger, port: number): Promise<void> {
  try {
    await ledger.transact((state) => changeSettings(state, { port }, { kind: 'system' }));
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}
