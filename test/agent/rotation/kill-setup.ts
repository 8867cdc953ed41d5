/**
 * A real service process, a proxy before it, and an agent that is killed and restarted: the setup for the tests of crash
 * safety during a rotation, and what must be true whenever the agent has settled.
 */
import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { VaultChoice } from '../../../src/agent/vault/open-vault.ts';
import { openVault } from '../../../src/agent/vault/open-vault.ts';
import type { EventKind } from '../../../src/contract/history/audit-event.ts';
import type { DeliveryTarget } from '../../../src/contract/credential/credential.ts';
import type { HistoryPage, Verification } from '../../../src/contract/service/portal.ts';
import type { TokenPage } from '../../../src/contract/token/token-list.ts';
import type { IssuedToken } from '../../../src/contract/token/token.ts';
import type { Vault } from '../../../src/core/vault.ts';
import { readFolder } from '../../chaos/data-folder.ts';
import { type ServiceProcess, startService } from '../../chaos/service-process.ts';
import { type FaultyProxy, startFaultyProxy } from '../../fakes/faulty-proxy.ts';
import { MemoryVault } from '../../fakes/memory-vault.ts';
import { cheapScrypt } from '../../fixtures/cheap-scrypt.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import {
  type AgentSettings,
  type EndSignal,
  type KillingAgent,
  startAgentHere,
  startKillingAgent,
} from './kill-agent.ts';
import type { KillPoint } from './kill-point.ts';

const hourMs = 3_600_000;
/** Later than any instant at which a token of one day may become due, and before it expires. */
const untilDueMs = 20 * hourMs;
const validityDays = 1;

export class KillSetup {
  readonly name: string;
  readonly vault: Vault;
  readonly proxy: FaultyProxy;
  /** All its tokens, including the first. */
  readonly values: string[];
  readonly #startAgent: (settings: Omit<AgentSettings, 'vault'>) => Promise<KillingAgent>;
  readonly #service: ServiceProcess;
  readonly #folders: { readonly agent: string; readonly service: string };
  readonly #targets: readonly DeliveryTarget[];
  readonly #agents: KillingAgent[] = [];
  #aheadMs = 0;

  private constructor(parts: {
    name: string;
    vault: Vault;
    proxy: FaultyProxy;
    first: string;
    startAgent: (settings: Omit<AgentSettings, 'vault'>) => Promise<KillingAgent>;
    service: ServiceProcess;
    folders: { agent: string; service: string };
    targets: readonly DeliveryTarget[];
  }) {
    this.name = parts.name;
    this.vault = parts.vault;
    this.proxy = parts.proxy;
    this.values = [parts.first];
    this.#startAgent = parts.startAgent;
    this.#service = parts.service;
    this.#folders = parts.folders;
    this.#targets = parts.targets;
  }

  /**
   * With one credential, delivered to a file, a dotenv file and, unless the vault is a file, to an entry of the vault.
   *
   * With a vault in memory the agent runs in this process; otherwise in a separate process, which is always killed.
   */
  static async make(kind: VaultChoice['kind'] | 'memory', signal: EndSignal = 'SIGKILL'): Promise<KillSetup> {
    const folders = { agent: makeFolder(), service: makeFolder() };
    // Plain settings: the same process as `rotavox serve`, without the command line.
    const service = await startService(folders.service, { logEverything: false });
    const proxy = await startFaultyProxy(() => `http://127.0.0.1:${service.port}`);
    const issued = (await service.owner('POST', '/portal/tokens', {
      name: 'app',
      validity_days: validityDays,
    })) as IssuedToken;

    const name = `killed-${randomBytes(6).toString('hex')}`;
    const choice: VaultChoice =
      kind === 'file'
        ? { kind, path: folders.agent, passphrase: 'correct horse', cost: cheapScrypt }
        : { kind: 'keychain' };
    const vault = kind === 'memory' ? new MemoryVault() : await openVault(choice);
    const apps = makeFolder();
    const targets: DeliveryTarget[] = [
      { kind: 'file', path: join(apps, 'token') },
      { kind: 'dotenv', path: join(apps, '.env'), variable: 'APP_TOKEN' },
    ];
    if (kind !== 'file') targets.push({ kind: 'keychain', service: `rotavox-test-${name}`, account: 'app' });
    const setup = new KillSetup({
      name,
      vault,
      proxy,
      first: issued.access_token,
      startAgent: (settings) =>
        kind === 'memory'
          ? startAgentHere(settings, vault, signal)
          : startKillingAgent({ ...settings, vault: choice }),
      service,
      folders,
      targets,
    });
    const agent = await setup.start();
    const wanted = { value: issued.access_token, base_url: proxy.baseUrl };
    agent.tell({ kind: 'keep', wanted, targets });
    await agent.settled(1);
    return setup;
  }

  get generation(): number {
    return this.values.length;
  }

  get #agent(): KillingAgent {
    const agent = this.#agents.at(-1);
    if (agent === undefined) throw new Error('No agent was started');
    return agent;
  }

  /** An agent on the folder of the previous one. */
  async start(): Promise<KillingAgent> {
    const agent = await this.#startAgent({
      folder: this.#folders.agent,
      name: this.name,
      aheadMs: this.#aheadMs,
    });
    this.#agents.push(agent);
    return agent;
  }

  /** Advances the agent's clock so that the token becomes due; the agent ends at the point. */
  fallDue(point: KillPoint | null): KillingAgent {
    this.#aheadMs += untilDueMs;
    this.#agent.tell({ kind: 'go', aheadMs: this.#aheadMs, point });
    return this.#agent;
  }

  /** No file and no output of either program contains a token. */
  expectNoPlaintext(when: string): void {
    const said = [this.#service.said(), ...this.#agents.map((agent) => agent.said())].join('\n');
    const places: [string, string][] = [['what was said', said]];
    for (const folder of Object.values(this.#folders)) {
      for (const [file, bytes] of Object.entries(readFolder(folder))) {
        places.push([join(folder, file), bytes.toString('latin1')]);
      }
    }
    for (const [place, text] of places) {
      // Also the token that only the agent has seen so far.
      expect(/rvx_[0-9A-Za-z]{20}/.exec(text)?.[0], `${when}: ${place}`).toBeUndefined();
      for (const value of this.values) {
        const inBase64 = Buffer.from(value).toString('base64').slice(4, -4);
        expect(text.includes(inBase64), `${when}: ${place} has a value in base64`).toBe(false);
      }
    }
  }

  /** Waits for the agent to settle with the next token, and checks every promise. */
  async expectWhole(when: string): Promise<void> {
    await this.#agent.settled(this.generation + 1);
    const value = (await this.vault.read({ service: 'rotavox', account: this.name })) ?? '';
    expect(this.values, `${when}: the vault has a new value`).not.toContain(value);
    this.values.push(value);

    await this.#expectOneActive(value, when);
    await this.#expectDelivered(value, when);
    await this.#expectHistory(when);
    const pending = await this.vault.read({ service: 'rotavox', account: `${this.name} (pending)` });
    if (pending !== null)
      expect(JSON.parse(pending), `${when}: what is pending is no other value`).toMatchObject({ value });
    this.expectNoPlaintext(when);
  }

  /** Removes the credential, with all its entries in the vault. */
  async forget(): Promise<void> {
    for (const target of this.#targets) if (target.kind === 'keychain') await this.vault.remove(target);
    expect(await this.#agent.forget()).toBe(true);
    for (const account of [this.name, `${this.name} (pending)`]) {
      expect(await this.vault.read({ service: 'rotavox', account })).toBeNull();
    }
  }

  async #expectOneActive(value: string, when: string): Promise<void> {
    const { tokens } = (await this.#service.owner('GET', '/portal/tokens?limit=1000')) as TokenPage;
    const statuses = tokens.sort((a, b) => a.generation - b.generation).map(({ status }) => status);
    const superseded = this.values.slice(1).map(() => 'Superseded');
    expect(statuses, `${when}: one Active token in the family, the newest`).toEqual([
      ...superseded,
      'Active',
    ]);
    // No other Active token could admit it.
    const answer = await this.#service.call({ method: 'GET', path: '/v1/auth/token', bearer: value });
    expect(answer.status, `${when}: the vault has the Active token`).toBe(200);
  }

  async #expectDelivered(value: string, when: string): Promise<void> {
    for (const target of this.#targets) {
      const found = await this.#deliveredTo(target);
      const expected = {
        file: `${value}\n`,
        dotenv: `APP_TOKEN=${value}\n`,
        keychain: value,
        setting: null,
        hook: null,
      };
      expect(found, `${when}: the ${target.kind} target has the value`).toBe(expected[target.kind]);
    }
  }

  async #deliveredTo(target: DeliveryTarget): Promise<string | null> {
    if (target.kind === 'keychain') return this.vault.read(target);
    return 'path' in target ? readFileSync(target.path, 'utf8') : null;
  }

  async #expectHistory(when: string): Promise<void> {
    const { events, verification } = await this.#agent.report();
    expect(verification.status, when).toBe('intact');
    const later = this.values.map((_, place) => place + 1).slice(1);
    const generationsOf = (kind: EventKind, target?: string) =>
      events
        .filter(
          (event) => event.kind === kind && (target === undefined || event.data['target_id'] === target),
        )
        .map(({ data }) => data['generation']);
    expect(generationsOf('credential.rotated'), `${when}: every rotation is in the history once`).toEqual(
      later,
    );
    expect(generationsOf('credential.rotation_begun'), when).toEqual(
      later.map((generation) => generation - 1),
    );
    expect(
      generationsOf('credential.rotation_failed'),
      `${when}: an end of the program is no failure`,
    ).toEqual([]);
    expect(generationsOf('credential.delivery_failed'), when).toEqual([]);
    for (const place of this.#targets.keys()) {
      const received = generationsOf('credential.delivered', `target_${place}`);
      expect(received, `${when}: a receipt for every value and target`).toEqual([1, ...later]);
    }

    const page = (await this.#service.owner('GET', '/portal/history?limit=1000')) as HistoryPage;
    const countOf = (kind: EventKind) => page.events.filter((event) => event.kind === kind).length;
    expect(countOf('token.rotated'), `${when}: the service rotated once a generation`).toBe(later.length);
    expect(countOf('token.reused'), `${when}: taking a rotation up again is no reuse`).toBe(0);
    const verified = (await this.#service.owner('GET', '/portal/history/verify')) as Verification;
    expect(verified.status, when).toBe('intact');

    const calls = this.proxy.seen.filter(({ path }) => path === '/v1/auth/rotate');
    const keysOf = Map.groupBy(calls, ({ authorization }) => authorization);
    const keys = [...keysOf.values()].flatMap((group) => [
      ...new Set(group.map((call) => call.idempotencyKey)),
    ]);
    expect(keys.length, `${when}: one key a rotation, on every attempt`).toBe(later.length);
    expect(new Set(keys).size, `${when}: and never one again`).toBe(keys.length);
  }
}
