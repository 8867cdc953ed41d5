import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { Ivr } from '../../src/contract/menu/ivr.ts';
import type { Scope } from '../../src/contract/token/token.ts';
import { type HostProcess, Server } from './browser/hosts.ts';
import { Owner } from './owner.ts';

/** Another Rotavox on this machine, where menus can be published with a token of its own. */
export class SecondService {
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'rotavox-second-'));
  readonly #server: Server;
  readonly #owner = new Owner(this.#dataDir);
  #port = 0;

  constructor(hosts: HostProcess) {
    this.#server = new Server(hosts, this.#dataDir);
  }

  /** Starts it, where it was before when it is not the first time. */
  async start(): Promise<void> {
    this.#port = Number(new URL(await this.#server.start(this.#port)).port);
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }

  async clearAway(): Promise<void> {
    await this.stop();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  /** Keeps a token of it as a credential at another owner's. */
  async isKeptBy(owner: Owner, name: string, scopes: readonly Scope[]): Promise<void> {
    const { baseUrl } = this.#owner;
    const { access_token: value } = await this.#owner.issueToken({
      name,
      validity_days: 30,
      scopes: [...scopes],
    });
    await owner.ask('addCredential', { body: { name, value, base_url: baseUrl } });
  }

  /** The menus that it has, as any app reads them. */
  async menus(): Promise<readonly Ivr[]> {
    const { access_token: value } = await this.#owner.issueToken({
      name: 'reader',
      validity_days: 1,
      scopes: ['ivr:read'],
    });
    const answer = await fetch(`${this.#owner.baseUrl}/v1/ivrs`, {
      headers: { authorization: `Bearer ${value}` },
    });
    return z.array(Ivr).parse(await answer.json());
  }
}
