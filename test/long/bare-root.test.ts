/**
 * What the README tells a newcomer to do, word for word, on machines with nothing but a Node and its npm: no compiler, no
 * Python, no git, no display and no keychain.
 */
import pLimit from 'p-limit';
import { afterAll, describe, expect, it } from 'vitest';
import { firstFiveMinutes } from '../fixtures/new-user.ts';
import { type Bareness, BareMachine } from './bare-machine.ts';

const isRoot = process.getuid?.() === 0;

/** Each Node, account and source once. */
const machines: readonly Bareness[] = [
  { node: '20.20.2', npm: '10.8.2', account: 'root', source: 'a clone' },
  { node: '22.23.3', npm: '10.9.8', account: 'an ordinary account', source: 'an archive without .git' },
  { node: '24.21.0', npm: '11.19.1', account: 'an ordinary account', source: 'a clone' },
];
/** How many at a time: each waits for the network or the disk in half of its time. */
const turns = pLimit(2);
/** A test has also the time that it waits for its turn. */
const timeoutMs = 25 * 60_000;
/** Those that are there, also when a test was ended. */
const made = new Set<BareMachine>();

afterAll(async () => {
  turns.clearQueue();
  await Promise.all([...made].map((machine) => machine.remove()));
});

describe.skipIf(!isRoot)('a bare machine', () => {
  it.concurrent.each(machines)(
    'with Node $node and npm $npm installs and starts $source as $account, and has the first five minutes of the README work',
    { timeout: timeoutMs },
    (bareness) => turns(() => proveOn(bareness)),
  );
});

async function proveOn(bareness: Bareness): Promise<void> {
  const machine = await BareMachine.make(bareness);
  made.add(machine);
  try {
    const versions = await machine.run('node --version && npm --version');
    expect(versions.text).toBe(`v${bareness.node}\n${bareness.npm}\n`);

    const installed = await machine.run('npm ci');
    expect(installed.code, installed.text).toBe(0);
    expect(installed.text).not.toMatch(/npm error|npm warn/i);

    const started = machine.start('exec npm start -- --port 0');
    const link = await started.until(/http:\/\/\S+\?code=\S+/);
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(303);

    machine.install(['curl']);
    const typed = await machine.run(asTyped(firstFiveMinutes(), new URL(link)));
    expect(typed.code, typed.text).toBe(0);
    expect(typed.text).toContain('Token refreshed successfully.');
    expect(typed.text).toContain('The journal is intact');
    const read = await machine.run(
      `cat .env && out/rotavox get nightly && out/rotavox status --json && ls -l ~/.config/Rotavox/data/vault.key`,
    );
    const [line = '', token = ''] = read.text.split('\n');
    expect(line, read.text).toBe(`API_TOKEN=${token}`);
    expect(token).toMatch(/^rvx_/);
    expect(typed.text, 'what rotated has replaced it').not.toContain(token);
    expect(read.text).toMatch(/"key":\s*"file"/);
    expect(read.text).toContain('-rw------- ');
  } finally {
    made.delete(machine);
    await machine.remove();
  }
}

/** Commands of the README with their port led to the one of this service, in a shell that stops at the first that fails. */
function asTyped(commands: string, { hostname, port }: URL): string {
  const curl = `connect-to = "127.0.0.1:7682:${hostname}:${port}"\nheader = "Host: ${hostname}:${port}"`;
  return `cat >~/.curlrc <<'EOF' && sh -e <<'END'\n${curl}\nEOF\n${commands}\nEND`;
}
