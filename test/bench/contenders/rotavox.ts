import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startServerProcess, type StartedServer } from '../child-process.ts';
import type { Contender, RunningContender } from '../paired-rounds.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';

const cli = join(import.meta.dirname, '../../../src/cli/index.ts');

/** Our service as an owner runs it, on an empty data folder. */
export const rotavox: Contender = {
  name: 'Rotavox',
  async start() {
    const folder = createScratchFolder('rotavox');
    const running = await startRotavox(this.name, folder);
    return {
      ...running,
      async close() {
        await running.close();
        removeScratchFolder(folder);
      },
    };
  },
};

export interface RunningRotavox extends RunningContender {
  readonly readyMs: number;
  readonly portalKey: string;
  /** A call as the owner; fails unless it succeeds. */
  portal(method: string, path: string, body?: unknown): Promise<unknown>;
  /** SIGKILL: it cannot hand anything over. */
  kill(): Promise<void>;
}

/** Starts the service on a data folder that the caller removes. */
export async function startRotavox(
  name: string,
  dataDir: string,
  options: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<RunningRotavox> {
  const server = await startServerProcess({
    args: [cli, 'serve', '--port', '0', '--data-dir', dataDir, '--json', ...options],
    nodeOptions: nodeOptionsFromEnvironment(),
    env,
  });
  const baseUrl = String(server.ready['base_url']);
  const portalKey = portalKeyOf(dataDir);
  const portal = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${portalKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const reply: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(reply)}`);
    return reply;
  };
  return {
    name,
    portal,
    portalKey,
    ...addressOf(server, baseUrl),
    issueTokens: (count) => issueTokens(portal, count),
  };
}

function addressOf(server: StartedServer, baseUrl: string) {
  return {
    pid: server.pid,
    port: Number(new URL(baseUrl).port),
    readyMs: server.readyMs,
    close: () => server.close(),
    kill: () => server.close(0),
  };
}

function portalKeyOf(dataDir: string): string {
  const runtime = JSON.parse(readFileSync(join(dataDir, 'runtime.json'), 'utf8')) as { portal_key: string };
  return runtime.portal_key;
}

async function issueTokens(portal: RunningRotavox['portal'], count: number): Promise<string[]> {
  const tokens: string[] = [];
  for (let i = 0; i < count; i++) {
    const issued = await portal('POST', '/portal/tokens', { name: `bench ${i}`, validity_days: 7 });
    tokens.push((issued as { access_token: string }).access_token);
  }
  return tokens;
}

/** `ROTAVOX_BENCH_NODE_OPTIONS="--cpu-prof --cpu-prof-dir=/tmp/profile"` profiles our server and nothing else. */
function nodeOptionsFromEnvironment(): string[] {
  return process.env['ROTAVOX_BENCH_NODE_OPTIONS']?.split(' ').filter(Boolean) ?? [];
}

/** Our service as an owner without a keychain runs it, with one credential, one rule and one app. */
export function rotavoxBefore(origin: string): Contender {
  return {
    name: 'Rotavox',
    async start() {
      const folder = createScratchFolder('proxy');
      const passphrase = join(folder, 'passphrase');
      writeFileSync(passphrase, 'a passphrase for a benchmark', { mode: 0o600 });
      const running = await startRotavox(this.name, join(folder, 'data'), [
        '--vault',
        'file',
        '--vault-passphrase-file',
        passphrase,
      ]);
      await running.portal('POST', '/portal/credentials', {
        name: 'bench',
        value: 'a-token-that-is-as-long-as-tokens-usually-are-0123456789',
        base_url: origin,
        validity_days: 30,
        remind_only: true,
      });
      const of = '/portal/credentials/bench/proxy';
      for (const method of ['GET', 'POST'])
        await running.portal('POST', `${of}/rules`, { method, path: '/items' });
      const { token } = (await running.portal('POST', `${of}/tokens`, {
        app: 'bench',
        limits: { at_once: 1000, per_minute: 100_000_000, bytes_per_minute: 1_000_000_000_000 },
      })) as { token: string };
      return {
        ...running,
        issueTokens: (count) => Promise.resolve(Array.from({ length: count }, () => token)),
        async close() {
          await running.close();
          removeScratchFolder(folder);
        },
      };
    },
  };
}
