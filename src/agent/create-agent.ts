/**
 * Agent: rotates credentials. It replaces each token before it expires, stores it in the vault and nowhere else, and
 * delivers it to its targets. To a service it is a client like any other; `core` decides when something is due, and what is
 * remembered is in the ledger. It returns reasons; `text` makes the sentences.
 *
 * `loop/`: when something is done. `rotation/`: how a token is replaced (`rotate-credential.ts`) and an old one ended.
 * `requests/`: what the owner asks for. `vault/`: where tokens are. `delivery/`: how they reach targets. Start reading here: this
 * file connects them, and each takes the ports that it uses (`ports.ts`).
 */
import type { CredentialId } from '../contract/credential/credential.ts';
import type { MovedFrom } from '../contract/service/moved-from.ts';
import type { DocumentedRate } from '../contract/credential/provider-facts.ts';
import type { ProviderFile } from '../contract/credential/provider-file.ts';
import type { CredentialAgent } from '../core/credential/credential-agent.ts';
import type { Target } from '../core/credential/credential-state.ts';
import type { Clock, Ledger } from '../core/ledger.ts';
import type { ZoneOffset } from '../core/rotation/due-at.ts';
import type { Vault } from '../core/vault.ts';
import { Outgoing } from '../network/outgoing.ts';
import { ServiceCaller } from '../providers/http/service-caller.ts';
import { openProviders } from '../providers/open-providers.ts';
import type { AgentText } from './agent-text.ts';
import type { CredentialPorts, Refresh, Reports, Rotate } from './ports.ts';
import { deliverToken } from './delivery/deliver-token.ts';
import type { OwnPlaces } from './delivery/own-places.ts';
import { RotationLoop } from './loop/rotation-loop.ts';
import { RunningTools } from './loop/running-tools.ts';
import { ServicePace } from './loop/service-pace.ts';
import { systemTimer, type Timer } from './loop/timer.ts';
import { callService } from './requests/call-service.ts';
import { changeAddress } from './requests/change-address.ts';
import { endTokens, removeTokens } from './requests/end-tokens.ts';
import { addToken, replaceToken, setClientCertificate, setStandby } from './requests/enter-token.ts';
import { refreshOnDemand, RequestedRotations } from './requests/rotate-now.ts';
import { currentTokenOf, RunningCalls } from './requests/running-calls.ts';
import { startSignIn } from './requests/sign-in-requests.ts';
import { SignIns } from './requests/sign-ins.ts';
import { checkTarget, deliverNow, previewTarget } from './requests/target-requests.ts';
import { testConnection, testCredential } from './requests/test-credential.ts';
import { AttemptMemory } from './rotation/attempt-memory.ts';
import { retireToken } from './rotation/retire-token.ts';
import { rotateCredential } from './rotation/rotate-credential.ts';
import { RotationProgress } from './rotation/rotation-progress.ts';
import { Services } from './services.ts';
import { ClientCertificates } from './vault/client-certificates.ts';
import { TokenFingerprints } from './vault/token-fingerprints.ts';
import { vaultStatusOf, VaultWatch } from './vault/vault-watch.ts';

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
  /** What the owner may ask for. */
  readonly requests: CredentialAgent;
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
  const { ledger, text, ownPlaces, embeddedUrl, outgoing = new Outgoing() } = options;
  const { clock = Date.now, timer = systemTimer, zone = () => 0, movedFrom = () => null } = options;
  const { onFailure = () => undefined, onNapEnd = () => undefined } = options;
  const vault = new VaultWatch(options.vault);
  const pace = new ServicePace({ clock, timer, embeddedUrl, rateOf: options.rateOf });
  const caller = new ServiceCaller({ outgoing, gate: pace, clock });
  const providers = openProviders(caller, clock, options.providerFiles);
  const clientCertificates = new ClientCertificates(vault);
  const storage = { vault, fingerprints: new TokenFingerprints(vault, ledger) };
  const services = new Services({ ...storage, ledger, clock, providers, clientCertificates, embeddedUrl });
  const credentials: CredentialPorts = { ledger, clock, zone, movedFrom, ...storage, services };
  const reports: Reports = { text, steps: new RotationProgress(clock, onFailure, text), onFailure };
  const stopping = new AbortController();
  const memory = new AttemptMemory();
  const calls = new RunningCalls();
  const tools = new RunningTools(credentials);

  const work = { ...credentials, ...reports, stopping: stopping.signal };
  const rotating = { ...work, memory, calls };
  const rotate: Rotate = (id, cause) => rotateCredential(rotating, id, cause);
  const refreshing = { ...credentials, pace, rotate, onFailure };
  const refresh: Refresh = (name) => refreshOnDemand(refreshing, name);
  const delivering = { ...work, ownPlaces };

  const checkVault = (): void => {
    if (ledger.state.credentials.size > 0) vault.checkFile().catch(onFailure);
  };
  const loop = new RotationLoop(
    {
      ...credentials,
      timer,
      pace,
      tools,
      onFailure,
      onNapEnd() {
        checkVault();
        onNapEnd();
      },
    },
    {
      rotate,
      retire: (id) => retireToken(work, id),
      deliver: (id, targetId) => deliverToken(delivering, id, targetId),
    },
  );

  const signIns = new SignIns({ clock, text, onFailure, services });
  const entering = { ...credentials, memory, signIns };
  const ending = { ...credentials, text, memory };
  const testing = { ...credentials, text, memory, caller, refresh };
  const calling = { ...credentials, text, caller, clientCertificates, refresh };
  const targets = {
    ...credentials,
    text,
    ownPlaces,
    refresh,
    deliver: (id: CredentialId, target: Target) => loop.deliverNow(id, target),
  };
  const rotations = new RequestedRotations({ ...credentials, memory, pace, rotate });
  const requests: CredentialAgent = {
    add: (id, wanted) => addToken(entering, id, wanted),
    valueOf: (name) => currentTokenOf(calling, name),
    replaceValue: (name, replacement, cause) => replaceToken(entering, name, replacement, cause),
    setStandby: (name, wanted) => setStandby(entering, name, wanted),
    setClientCertificate: (name, certificate) =>
      setClientCertificate({ ...credentials, clientCertificates }, name, certificate),
    rotateNow: (name) => rotations.rotateNow(name),
    remove: (name) => removeTokens(ending, name),
    end: (name) => endTokens(ending, name),
    startSignIn: (id, wanted) => startSignIn(entering, id, wanted),
    signIn: (id) => signIns.get(id),
    cancelSignIn: (id) => signIns.cancel(id),
    deliverNow: (name, targetId) => deliverNow(targets, name, targetId),
    checkTarget: (name, target) => checkTarget(targets, name, target),
    previewTarget: (name, target) => previewTarget(targets, name, target),
    testCredential: (name) => testCredential(testing, name),
    testConnection: (wanted) => testConnection(testing, wanted),
    changeAddress: (name, wanted) => changeAddress(testing, name, wanted),
    callService: (name, call) => callService(calling, name, call),
    accessFor: (name) => calls.accessFor(calling, name),
    noteTool: (id, use) => tools.note(id, use),
    runningTools: (id) => tools.running(id),
    toolWaitOf: (credential) => tools.waitOf(credential),
    onToolWait: (listener) => tools.onChange(listener),
    onStep: (listener) => reports.steps.listen(listener),
    holdOf: (credential) => pace.holdOf(credential),
    vaultStatus: () => vaultStatusOf(vault, text),
    contactVault: () => vault.contact().catch(onFailure),
    onVaultChange: (listener) => vault.onChange(listener),
  };

  return {
    requests,
    start() {
      loop.wake();
    },
    wake() {
      checkVault();
      loop.wake();
    },
    useProviderFiles(files) {
      providers.useFiles(files);
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
      await Promise.race([Promise.allSettled(memory.underWay.values()), isGivenUp.promise]);
      clearTimeout(giveUp);
      stopping.abort();
      pace.stop();
      await caller.close();
    },
  };
}
