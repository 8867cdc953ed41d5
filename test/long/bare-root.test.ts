/**
 * What the README tells a newcomer to do, on machines with nothing but a Node and its npm: no compiler, no Python, no git,
 * no display and no keychain.
 */
import pLimit from 'p-limit';
import { afterAll, describe, expect, it } from 'vitest';
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
    'with Node $node and npm $npm installs and starts $source as $account, and rotates a token',
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
    const { origin } = new URL(link);
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(303);

    const issue = 'npm run --silent rotavox -- token issue --name my-app --validity 7';
    const issued = await machine.run(issue);
    const token = /^rvx_\S+$/m.exec(issued.text)?.[0];
    expect(token, issued.text).toBeDefined();
    const rotate = await fetch(`${origin}/v1/auth/rotate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': 'first-rotation' },
    });
    expect(rotate.status).toBe(200);
    const { access_token: successor } = (await rotate.json()) as { access_token: string };
    const statusWith = async (bearer: string | undefined): Promise<number> =>
      (await fetch(`${origin}/v1/auth/token`, { headers: { authorization: `Bearer ${bearer}` } })).status;
    expect([await statusWith(successor), await statusWith(token)]).toEqual([200, 401]);
  } finally {
    made.delete(machine);
    await machine.remove();
  }
}
