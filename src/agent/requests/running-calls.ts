import { endsAtOnce } from '../../core/connection/tool-wait.ts';
import type { CredentialId } from '../../contract/credential/credential.ts';
import type { CallAccess } from '../../core/credential/credential-agent.ts';
import type { Credential } from '../../core/credential/credential-state.ts';
import { deriveCredential } from '../../core/credential/derive-credential.ts';
import { refreshOnDemandMs } from '../../core/credential/attempt-rotation.ts';
import { credentialNamed } from '../../core/credential/find-credential.ts';
import { done, refused } from '../../core/result.ts';
import { providerFacts } from '../../providers/catalogue.ts';
import type { CredentialPorts, Refresh } from '../ports.ts';
import type { ClientCertificates } from '../vault/client-certificates.ts';
import {
  type Answer,
  noCurrentToken,
  rotationOpen,
  withCredential,
  withFresh,
  withUsable,
} from './answer-for.ts';
import { partsOf } from '../../providers/provider-port.ts';
import { lockKeyOf, readExclusive } from '../run-exclusive.ts';
import { currentEntry } from '../vault/token-entries.ts';
import { readCurrentToken } from '../vault/token-fingerprints.ts';

/** How long a call waits for a rotation, in milliseconds. */
const longestWaitMs = 5_000;
/** How long a rotation waits for calls whose answer has not begun: shorter, so that new calls rarely wait in vain. */
const longestIdleWaitMs = 2_000;

interface AccessPorts extends CredentialPorts {
  readonly clientCertificates: ClientCertificates;
  readonly refresh: Refresh;
}

export function currentTokenOf(ports: AccessPorts, name: string): Answer<string> {
  // Exclusive: during a rotation the previous token no longer works and the new one is not stored yet.
  return withFresh(ports, name, ({ id }) =>
    readExclusive(lockKeyOf(id), () =>
      withUsable(ports, name, async (credential) => {
        const token = await readAccessToken(ports, credential);
        if (token !== null) return done(token);
        const isGone = (await ports.vault.read(currentEntry(name))) === null;
        return refused(noCurrentToken(credential, { isGone }));
      }),
    ),
  );
}

interface Gate {
  /** Calls that have the token, and whose service has not answered yet. */
  calls: number;
  /** Settled when no call is left. */
  onIdle: (() => void) | null;
  /** The attempt to rotate that is being made; null: none. */
  closed: Promise<void> | null;
  /** The token that a call has just got, for others that follow at once. */
  kept: { readonly fingerprint: string; readonly token: string } | null;
}

/** How long a token that was read is kept for further calls, in milliseconds: a vault that is locked is noticed after this. */
const keptMs = 1_000;

/**
 * Calls with the token of a credential, beside its rotations.
 *
 * Where a service ends the old token at once, a call that is on its way during the rotation would be refused. So a
 * rotation first waits a moment until the service has answered those that have the token, and new ones wait until the rotation is over.
 */
// see decisions/credential-proxy.md
export class RunningCalls {
  readonly #gates = new Map<CredentialId, Gate>();
  /** Reads of the vault that are under way: calls at the same time share one. */
  readonly #reads = new Map<string, Promise<string | null>>();

  /** Makes an attempt to rotate while no call has the token. */
  async withoutCalls<T>(
    credential: Pick<Credential, 'id' | 'provider' | 'standby'>,
    rotate: () => Promise<T>,
  ): Promise<T> {
    if (!endsAtOnce(credential)) return rotate();
    const { id } = credential;
    const gate = this.#gateOf(id);
    const { promise, resolve: open } = Promise.withResolvers<undefined>();
    gate.closed = promise.then(() => undefined);
    try {
      if (gate.calls > 0) await this.#untilIdle(gate);
      return await rotate();
    } finally {
      gate.closed = null;
      open(undefined);
      this.#forgetIfUnused(id, gate);
    }
  }

  /** The current token for one call. The caller calls `settle` when the service has answered or the call is over. */
  accessFor(ports: AccessPorts, name: string): Answer<CallAccess> {
    const access = this.#accessAtOnce(ports, name);
    if (access !== null) return Promise.resolve(done(access));
    return withFresh(ports, name, async ({ id }) => {
      if (!(await this.#enter(id))) return refused(rotationOpen(name));
      const settle = this.#settlerOf(id);
      const access = await this.#accessTo(ports, name, settle).catch((error: unknown) => {
        settle();
        throw error;
      });
      if (!access.ok) settle();
      return access;
    });
  }

  /** What most calls of a busy app get: nothing has to be waited for, because the token was read a moment ago. */
  #accessAtOnce(ports: AccessPorts, name: string): CallAccess | null {
    const { ledger, clock } = ports;
    const credential = credentialNamed(ledger.state, name);
    if (credential === undefined) return null;
    const { id, fingerprint } = credential;
    const gate = this.#gates.get(id);
    if (gate?.kept?.fingerprint !== fingerprint || gate.closed !== null) return null;
    const nowMs = clock();
    const derived = deriveCredential(ledger.state, credential, nowMs);
    if (derived.unusable !== null) return null;
    const refreshFromMs = refreshOnDemandMs(derived, nowMs);
    if (refreshFromMs !== null && refreshFromMs <= nowMs) return null;
    const { token } = gate.kept;
    gate.calls += 1;
    return accessOf(credential, ports, { token, settle: this.#settlerOf(id) });
  }

  #accessTo(ports: AccessPorts, name: string, settle: () => void): Answer<CallAccess> {
    return withUsable(ports, name, async (credential) => {
      await ports.clientCertificates.of(credential);
      const token = await this.#read(ports, credential);
      if (token !== null) return done(accessOf(credential, ports, { token, settle }));
      // While a token is entered by hand, the vault has it before the record: then the record is waited for.
      return readExclusive(lockKeyOf(credential.id), () =>
        withCredential(ports, name, async (now) => {
          const token = await readAccessToken(ports, now);
          if (token === null) return refused(noCurrentToken(now));
          return done(accessOf(now, ports, { token, settle }));
        }),
      );
    });
  }

  async #read(ports: AccessPorts, credential: Credential): Promise<string | null> {
    const { id, fingerprint } = credential;
    const gate = this.#gateOf(id);
    const { kept } = gate;
    if (kept?.fingerprint === fingerprint) return kept.token;
    const key = `${id} ${fingerprint}`;
    const reading = this.#reads.get(key);
    if (reading !== undefined) return reading;
    const read = readAccessToken(ports, credential).finally(() => this.#reads.delete(key));
    this.#reads.set(key, read);
    const token = await read;
    if (token !== null) {
      const mine = { fingerprint, token };
      gate.kept = mine;
      setTimeout(() => {
        if (gate.kept === mine) gate.kept = null;
        this.#forgetIfUnused(id, gate);
      }, keptMs).unref();
    }
    return token;
  }

  /** Counts a call as soon as no rotation is being made; false when that takes too long. */
  async #enter(id: CredentialId): Promise<boolean> {
    let limit: AbortSignal | undefined;
    for (;;) {
      const gate = this.#gateOf(id);
      if (gate.closed === null) {
        gate.calls += 1;
        return true;
      }
      limit ??= AbortSignal.timeout(longestWaitMs);
      if (limit.aborted) return false;
      await Promise.race([gate.closed, abortOf(limit)]);
    }
  }

  #settlerOf(id: CredentialId): () => void {
    let isSettled = false;
    return () => {
      if (isSettled) return;
      isSettled = true;
      const gate = this.#gateOf(id);
      gate.calls -= 1;
      if (gate.calls === 0) gate.onIdle?.();
      this.#forgetIfUnused(id, gate);
    };
  }

  async #untilIdle(gate: Gate): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), longestIdleWaitMs);
    gate.onIdle = () => resolve(undefined);
    await promise;
    gate.onIdle = null;
    clearTimeout(timer);
  }

  #gateOf(id: CredentialId): Gate {
    const gate = this.#gates.get(id) ?? { calls: 0, onIdle: null, closed: null, kept: null };
    this.#gates.set(id, gate);
    return gate;
  }

  #forgetIfUnused(id: CredentialId, gate: Gate): void {
    const { calls, closed, kept } = gate;
    // Another one may have taken its place, and be closed.
    if (this.#gates.get(id) !== gate) return;
    if (calls === 0 && closed === null && kept === null) this.#gates.delete(id);
  }
}

/** What calls carry: the token itself, or the access token of a secret. */
async function readAccessToken(ports: AccessPorts, credential: Credential): Promise<string | null> {
  const secret = await readCurrentToken(ports, credential);
  return secret === null ? null : partsOf(ports.services.providerOf(credential), secret).accessToken;
}

function accessOf(
  credential: Credential,
  { services, clientCertificates }: AccessPorts,
  { token, settle }: { readonly token: string; readonly settle: () => void },
): CallAccess {
  const { slot } = providerFacts(credential.provider.id);
  const { generation } = credential;
  const clientCertificate = clientCertificates.known(credential);
  return { token, generation, baseUrl: services.urlOf(credential), slot, clientCertificate, settle };
}

function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
