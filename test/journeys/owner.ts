import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CallArguments, createClient, type ReplyOf } from '../../src/client/create-client.ts';
import { RuntimeFile } from '../../src/contract/service/portal.ts';
import type { RouteName } from '../../src/contract/routes.ts';
import type { IssuedToken, IssueToken } from '../../src/contract/token/token.ts';

/** The owner of a running service, beside its windows: what the command line would be. */
export class Owner {
  readonly #dataDir: string;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  get runtimeFile(): string {
    return join(this.#dataDir, 'runtime.json');
  }

  /** Whether the service says that it runs. */
  get isRunning(): boolean {
    return existsSync(this.runtimeFile);
  }

  /** The process that serves. */
  get pid(): number {
    return this.#runtime().pid;
  }

  get baseUrl(): string {
    return this.#runtime().base_url;
  }

  issueToken(body: IssueToken): Promise<IssuedToken> {
    return this.ask('issueToken', { body });
  }

  async signInLink(): Promise<string> {
    return (await this.ask('createSignInLink')).url;
  }

  /** The reply to a call; a refusal fails the journey. */
  async ask<N extends RouteName>(name: N, ...input: CallArguments<N>): Promise<ReplyOf<N>> {
    const { base_url: baseUrl, portal_key: key } = this.#runtime();
    const outcome = await createClient({ baseUrl, authorization: `Bearer ${key}` }).call(name, ...input);
    if (!outcome.ok) throw new Error(`${name}: ${outcome.status} ${outcome.message}`);
    return outcome.value;
  }

  #runtime(): RuntimeFile {
    return RuntimeFile.parse(JSON.parse(readFileSync(this.runtimeFile, 'utf8')));
  }
}
