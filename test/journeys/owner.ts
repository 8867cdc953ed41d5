import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RuntimeFile, SignInLink } from '../../src/contract/portal.ts';
import type { IssueToken } from '../../src/contract/token.ts';

/** The owner of a running service, beside its windows: what the command line would be. */
export class Owner {
  readonly #dataDir: string;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  get runtimeFile(): string {
    return join(this.#dataDir, 'runtime.json');
  }

  get baseUrl(): string {
    return this.#runtime().base_url;
  }

  async issueToken(token: IssueToken): Promise<void> {
    await this.#post('tokens', token);
  }

  async signInLink(): Promise<string> {
    return SignInLink.parse(await this.#post('sign-in-links', {})).url;
  }

  async #post(path: string, body: unknown): Promise<unknown> {
    const { base_url, portal_key } = this.#runtime();
    const response = await fetch(`${base_url}/portal/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${portal_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST /portal/${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  #runtime(): RuntimeFile {
    return RuntimeFile.parse(JSON.parse(readFileSync(this.runtimeFile, 'utf8')));
  }
}
