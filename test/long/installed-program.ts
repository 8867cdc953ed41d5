import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { ReadyLine } from '../../src/contract/service/portal.ts';
import { ivrBody } from '../fixtures/ivr-bodies.ts';

/** A machine on which `rotavox` is installed: this one with an environment of its own, or a system in a folder. */
export interface Machine {
  /** The program and first arguments that run a line of `sh` there. */
  readonly shell: readonly [program: string, ...args: string[]];
  readonly env: NodeJS.ProcessEnv;
  /** A folder for the person's files, by its path here and there. */
  readonly home: { readonly here: string; readonly there: string };
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a line of `sh` as the person would. */
export function run({ shell: [program, ...args], env }: Machine, line: string, input = ''): Ended {
  const { status, stdout, stderr } = spawnSync(program, [...args, line], {
    env,
    input,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return { code: status, stdout, stderr };
}

/** The same for a line that has to succeed; returns what it prints. */
export function done(machine: Machine, line: string, input?: string): string {
  const { code, stdout, stderr } = run(machine, line, input);
  if (code !== 0) throw new Error(`${line} ended with ${String(code)}:\n${stdout}${stderr}`);
  return stdout;
}

/** Starts the service there and waits until it is ready. */
export async function serve(
  machine: Machine,
): Promise<{ ready: ReadyLine; stop: () => Promise<number | null> }> {
  const { home, env, shell } = machine;
  writeFileSync(join(home.here, 'passphrase'), 'correct horse battery staple\n', { mode: 0o600 });
  const line = `exec rotavox serve --port 0 --json --vault file --vault-passphrase-file '${home.there}/passphrase'`;
  const [program, ...args] = shell;
  const child = spawn(program, [...args, line], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const first: unknown[] = await Promise.race([once(lines, 'line'), once(child, 'exit')]);
  if (typeof first[0] !== 'string') throw new Error('rotavox serve ended before it was ready');
  return { ready: ReadyLine.parse(JSON.parse(first[0])), stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<number | null> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  return child.exitCode;
}

/** What a person does first with the command line, on a machine where it is installed and the service runs. */
export async function useInstalled(
  machine: Machine,
  { base_url: baseUrl }: Pick<ReadyLine, 'base_url'>,
): Promise<void> {
  const { home } = machine;
  expect(done(machine, 'rotavox --help')).toContain('$ rotavox serve');
  const issued = JSON.parse(done(machine, 'rotavox token issue --name app --validity 7 --json')) as {
    access_token: string;
  };
  done(machine, `rotavox credential add app`, issued.access_token);
  expect(done(machine, 'rotavox get app')).toBe(`${issued.access_token}\n`);
  done(machine, 'rotavox credential rotate app');
  const rotated = done(machine, 'rotavox get app').trim();
  expect(rotated).not.toBe(issued.access_token);
  // The token is masked in what the command prints, and is the one of `get`.
  const printed = done(
    machine,
    `rotavox exec app -- sh -c 'echo "$ROTAVOX_TOKEN"; echo "\${#ROTAVOX_TOKEN}"'`,
  );
  expect(printed).not.toContain(rotated);
  expect(printed).toContain(String(rotated.length));

  mkdirSync(home.here, { recursive: true });
  writeFileSync(join(home.here, 'menu.json'), JSON.stringify(ivrBody));
  done(machine, `rotavox ivr validate '${home.there}/menu.json'`);
  done(machine, `rotavox ivr create '${home.there}/menu.json'`);
  expect(JSON.parse(done(machine, 'rotavox ivr list --json'))).toMatchObject({ ivrs: [{ version: 1 }] });

  const link = done(machine, 'rotavox open --no-browser').trim();
  const page = await signedInPage(link);
  expect(page).toContain('<title>');
  const script = /src="(\/assets\/[^"]+)"/.exec(page)?.[1] ?? '';
  expect((await fetch(`${baseUrl}${script}`)).headers.get('content-type')).toContain('javascript');
  expect(await (await fetch(`${baseUrl}/docs/`)).text()).toContain('Scalar.createApiReference');

  const status = JSON.parse(done(machine, 'rotavox status --json')) as { command_line: string };
  expect(status.command_line).toMatch(/^rotavox(?: --data-dir .*)?$/);
  expect(done(machine, `${status.command_line} get app`).trim()).toBe(rotated);
  expect(run(machine, 'rotavox credential show nobody')).toMatchObject({ code: 1, stdout: '' });
  expect(done(machine, 'rotavox completion bash')).toContain('complete -F');
}

/** The page behind a sign-in link, as a browser gets it. */
async function signedInPage(link: string): Promise<string> {
  const signedIn = await fetch(link, { redirect: 'manual' });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const there = new URL(signedIn.headers.get('location') ?? '/', link);
  return (await fetch(there, { headers: { cookie } })).text();
}
