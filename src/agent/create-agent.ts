/**
 * Agent: rotates credentials. It replaces each token before it expires, stores it in the vault and nowhere else, and
 * delivers it to its targets. To a service it is a client like any other; `core` decides when something is due, and what is
 * remembered is in the ledger. It returns reasons; `text` makes the sentences. Start reading here,
 * then `rotate-credential.ts` (the recipe), `rotation-loop.ts` (when), `credential-service.ts` (the owner's requests).
 */
import type { MovedFrom } from '../contract/moved-from.ts';
import type { DocumentedRate } from '../contract/provider-facts.ts';
import type { ProviderFile } from '../contract/provider-file.ts';
import type { CredentialAgent } from '../core/credential/credential-agent.ts';
import type { Clock, Ledger } from '../core/ledger.ts';
import type { ZoneOffset } from '../core/rotation/due-at.ts';
import type { Vault } from '../core/vault.ts';
import { Outgoing } from '../network/outgoing.ts';
import type { AgentText } from './agent-text.ts';
import type { AgentParts } from './agent-parts.ts';
import { ClientCertificates } from './vault/client-certificates.ts';
import { CredentialService } from './credential-service.ts';
import type { OwnPlaces } from './delivery/own-places.ts';
import { openProviders } from '../providers/open-providers.ts';
import { ServiceCaller } from '../providers/http/service-caller.ts';
import { RotationLoop } from './loop/rotation-loop.ts';
import { RotationProgress } from './rotation/rotation-progress.ts';
import { RunningCalls } from './requests/running-calls.ts';
import { ServicePace } from './loop/service-pace.ts';
import { SignIns } from './requests/sign-ins.ts';
import { systemTimer, type Timer } from './loop/timer.ts';
import { TokenFingerprints } from './vault/token-fingerprints.ts';
import { VaultWatch } from './vault/vault-watch.ts';

export interface AgentOptions {
  readonly ledger: Ledger;
  readonly vault: Vault;
  /** The sentences that the agent puts into events and replies. */
  readonly text: AgentText;
  /** Where no delivery may write. */
  readonly ownPlaces: OwnPlaces;
  /** Where the embedded service listens; asked when it is needed, so that the agent can be made first. */
  readonly embeddedUrl: () => string;
  readonly clock?: Clock;
  readonly timer?: Timer;
  /** The person's zone, for preferred hours. Default: UTC. */
  readonly zone?: ZoneOffset;
  /** Called when an attempt could not be recorded, or failed unexpectedly (it is repeated), and when a listener of steps throws. */
  readonly onFailure?: (error: unknown) => void;
  /** Called by every timed check of the clock: once a minute while there are credentials. */
  readonly onNapEnd?: () => void;
  /** Providers beside the built-in ones. */
  readonly providerFiles?: readonly ProviderFile[];
  /** The limits that services document, by origin. Default: as the facts of the providers say. */
  readonly rateOf?: (origin: string) => DocumentedRate | null;
  /** Where the data may also be in use: until it is null, nothing is rotated. Default: nowhere else. */
  readonly movedFrom?: () => MovedFrom | null;
  /** How connections are made. Default: as the environment says. */
  readonly outgoing?: Outgoing;
}

export interface Agent {
  readonly keeper: CredentialAgent;
  /** Starts the loop. Before this the agent only answers requests. */
  start(): void;
  /**
   * Computes everything again: after sleep, unlock, a clock change, or when the network is back. What failed because
   * nothing answered or the vault was locked is tried at once, and no more often however often this is called.
   */
  wake(): void;
  /** Replaces the providers that are files, while the program runs. */
  useProviderFiles(files: readonly ProviderFile[]): void;
  /**
   * Starts nothing more, waits a moment for work in progress (`graceMs`, 3 s by default), and closes. An open intent stays on
   * disk.
   */
  close(graceMs?: number): Promise<void>;
}

/** How long a running rotation may take to finish when the program stops, in milliseconds. */
const usualGraceMs = 3_000;

/** Creates the agent. It does nothing until `start`. */
export function createAgent(options: AgentOptions): Agent {
  const {
    ledger,
    text,
    ownPlaces,
    embeddedUrl,
    clock = Date.now,
    zone = () => 0,
    onFailure = () => undefined,
  } = options;
  const vault = new VaultWatch(options.vault);
  const { outgoing = new Outgoing(), timer = systemTimer, onNapEnd = () => undefined } = options;
  const pace = new ServicePace({ clock, timer, embeddedUrl, rateOf: options.rateOf });
  const caller = new ServiceCaller({ outgoing, gate: pace, clock });
  const stopping = new AbortController();
  const calls = new RunningCalls();
  const parts: AgentParts = {
    ledger,
    vault,
    fingerprints: new TokenFingerprints(vault, ledger),
    text,
    ownPlaces,
    caller,
    clientCertificates: new ClientCertificates(vault),
    pace,
    providers: openProviders(caller, clock, options.providerFiles),
    clock,
    zone,
    embeddedUrl,
    movedFrom: options.movedFrom ?? (() => null),
    stopping: stopping.signal,
    unsaved: new Map(),
    begunKeys: new Set(),
    attempts: new Map(),
    onFailure,
    calls,
    steps: new RotationProgress(clock, onFailure, text),
  };
  const lookAtVault = (): void => {
    if (ledger.state.credentials.size > 0) vault.look().catch(onFailure);
  };
  const loop = new RotationLoop(parts, timer, {
    onFailure,
    onNapEnd() {
      lookAtVault();
      onNapEnd();
    },
  });
  const signIns = new SignIns(parts);
  return {
    keeper: new CredentialService(parts, {
      vault,
      calls,
      deliver: (id, target) => loop.deliverNow(id, target),
      signIns,
    }),
    start() {
      loop.wake();
    },
    wake() {
      lookAtVault();
      loop.wake();
    },
    useProviderFiles(files) {
      parts.providers.useFiles(files);
      loop.wake();
    },
    async close(graceMs = usualGraceMs) {
      signIns.close();
      const isGivenUp = Promise.withResolvers<undefined>();
      const giveUp = setTimeout(() => {
        isGivenUp.resolve(undefined);
        stopping.abort();
        pace.stop();
        void caller.close();
      }, graceMs);
      await loop.close();
      // Those that were asked for: who asked waits for the rest.
      await Promise.race([Promise.allSettled(parts.attempts.values()), isGivenUp.promise]);
      clearTimeout(giveUp);
      stopping.abort();
      pace.stop();
      await caller.close();
    },
  };
}
