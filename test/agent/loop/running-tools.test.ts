import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lockKeyOf, runExclusive } from '../../../src/agent/run-exclusive.ts';
import { readProcessStat } from '../../../src/contract/credential/process-stat.ts';
import type { AskingProcess } from '../../../src/contract/credential/tool-connection.ts';
import { eventStreamPath } from '../../../src/contract/address.ts';
import { credentialNamed } from '../../../src/core/credential/find-credential.ts';
import { viewCredential } from '../../../src/core/credential/view-credential.ts';
import { type LoopSetup, setUpLoop } from './loop-setup.ts';

const minuteMs = 60_000;
const isLinux = process.platform === 'linux';

/** A tool that runs until it is ended, as the helper reports it. */
async function startTool(uid = process.getuid?.()) {
  const child = spawn('sleep', ['600'], { stdio: 'ignore', ...(uid === undefined ? {} : { uid }) });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await once(child, 'spawn');
  return {
    process: processOf(child.pid ?? 0),
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function processOf(pid: number): AskingProcess {
  const stat = readProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (stat === null) throw new Error(`${pid} does not run`);
  return { pid, started: stat.started, name: 'git' };
}

/** A credential whose rotation is due a moment later, and the loop. */
async function setUp() {
  const setup = await setUpLoop();
  const { value } = await setup.issue({ validity_days: 7 });
  const id = await setup.keep({ name: 'nightly', value });
  setup.agent.start();
  const dueMs = Date.parse(setup.view('nightly').next_rotation_at ?? '');
  await setup.passUntil(dueMs - 1);
  const note = (process?: AskingProcess, generation = 1) =>
    setup.agent.requests.noteTool(id, { tool: 'git', generation, process });
  return { setup, id, dueMs, note };
}

function viewed({ store, agent, time, baseUrl }: LoopSetup) {
  const credential = credentialNamed(store.state, 'nightly');
  if (credential === undefined) throw new Error('It is gone');
  return viewCredential(store.state, credential, {
    nowMs: time.nowMs,
    zone: () => 0,
    embeddedUrl: baseUrl,
    describe: ({ code }) => code,
    agent: agent.requests,
  });
}

describe.runIf(isLinux)('a planned rotation that would end the token of a tool', () => {
  it('waits until the tool has ended, says so, and follows within seconds', async () => {
    const { setup, id, dueMs, note } = await setUp();
    const tool = await startTool();
    note(tool.process);
    await setup.passUntil(dueMs + minuteMs);
    const until = new Date(dueMs + 15 * minuteMs).toISOString();
    const tools = [{ name: 'git', pid: tool.process.pid, since: new Date(dueMs - 1).toISOString() }];
    const view = viewed(setup);
    expect(view).toMatchObject({ state: 'due', generation: 1, next_rotation_at: until, message: null });
    expect(view.waits_for_tools).toEqual({ until, tools });
    expect(view.planned[0]).toBe(until);
    expect(setup.agent.requests.runningTools(id)).toEqual(tools);

    await tool.end();
    await setup.pass(5_000);
    expect(viewed(setup)).toMatchObject({ state: 'fine', generation: 2 });
    expect(viewed(setup)).not.toHaveProperty('waits_for_tools');
  });

  it('is made after 15 minutes although the tool still runs', async () => {
    const { setup, dueMs, note } = await setUp();
    note((await startTool()).process);
    await setup.passUntil(dueMs + 15 * minuteMs - 1);
    expect(viewed(setup)).toMatchObject({ generation: 1 });
    await setup.passUntil(dueMs + 15 * minuteMs);
    expect(viewed(setup)).toMatchObject({ state: 'fine', generation: 2 });
  });

  it('waits for no other process with the same pid, for none that ended, and for none of an earlier token', async () => {
    const { setup, id, dueMs, note } = await setUp();
    const [tool, ended] = [await startTool(), await startTool()];
    note({ ...tool.process, started: tool.process.started - 1 });
    note({ ...tool.process, started: Number.MAX_SAFE_INTEGER });
    note(ended.process);
    note(tool.process, 0);
    await ended.end();
    note(ended.process);
    expect(setup.agent.requests.runningTools(id)).toEqual([]);
    await setup.passUntil(dueMs);
    expect(viewed(setup)).toMatchObject({ generation: 2 });
  });

  it.runIf(process.getuid?.() === 0)('waits for no process of another account', async () => {
    const { setup, id, note } = await setUp();
    note((await startTool(65_534)).process);
    expect(setup.agent.requests.runningTools(id)).toEqual([]);
  });

  // As kubectl does when a long command gets a 401 (https://github.com/kubernetes/kubectl/issues/534).
  it('counts a process once that asks again, and with the new token after a rotation', async () => {
    const { setup, id, note } = await setUp();
    const tool = await startTool();
    note(tool.process);
    note(tool.process);
    expect(setup.agent.requests.runningTools(id)).toHaveLength(1);
    await setup.agent.requests.rotateNow('nightly');
    expect(setup.agent.requests.runningTools(id)).toEqual([]);
    note(tool.process, 2);
    expect(setup.agent.requests.runningTools(id)).toHaveLength(1);
  });

  it('does not hold back the rotation that a person asks for, and nothing looks at processes afterwards', async () => {
    const { setup, dueMs, note } = await setUp();
    note((await startTool()).process);
    await setup.passUntil(dueMs + minuteMs);
    expect(viewed(setup)).toHaveProperty('waits_for_tools');
    await setup.agent.requests.rotateNow('nightly');
    expect(viewed(setup)).toMatchObject({ state: 'fine', generation: 2 });
    expect(viewed(setup)).not.toHaveProperty('waits_for_tools');
    const { wakeUps } = setup.time;
    await setup.pass(10 * minuteMs);
    expect(setup.time.wakeUps - wakeUps).toBeLessThanOrEqual(10);
  });

  it('waits also for a tool that got the token after it was due, while it had to wait for its turn', async () => {
    const { setup, id, note } = await setUp();
    const { promise: free, resolve: release } = Promise.withResolvers<undefined>();
    const other = runExclusive(lockKeyOf(id), () => free);
    await setup.time.advance(minuteMs);
    const tool = await startTool();
    note(tool.process);
    release(undefined);
    await other;
    await setup.until(() => viewed(setup).waits_for_tools !== undefined);
    await tool.end();
    await setup.pass(5_000);
    expect(setup.eventsOf('credential.rotation_begun', id)).toHaveLength(1);
    expect(viewed(setup)).toMatchObject({ state: 'fine', generation: 2 });
  });

  it('is announced when it begins to wait and when it ends that, and is paused like any other', async () => {
    const { setup, dueMs, note } = await setUp();
    let told = 0;
    setup.agent.requests.onToolWait(() => (told += 1));
    const { baseUrl, service } = setup;
    const authorization = `Bearer ${service.sessions.portalKey}`;
    const { body } = await fetch(`${baseUrl}${eventStreamPath}`, { headers: { authorization } });
    const stream = body?.pipeThrough(new TextDecoderStream()).getReader();
    onTestFinished(() => stream?.cancel());
    let received = '';
    const receive = async (text: string) => {
      while (!received.includes(text)) received += (await stream?.read())?.value ?? '';
    };
    await receive('retry: ');
    note((await startTool()).process);
    await setup.passUntil(dueMs + minuteMs);
    expect(told).toBe(1);
    await receive('event: reset');
    await setup.wanted('POST', '/credentials/nightly/pause', {});
    expect(told).toBe(2);
    expect(viewed(setup)).toMatchObject({ state: 'paused', next_rotation_at: null });
    await setup.pass(20 * minuteMs);
    expect(viewed(setup)).toMatchObject({ generation: 1 });
  });
});

describe('a tool whose process is not known', () => {
  it('counts as running for two minutes', async () => {
    const { setup, dueMs, note } = await setUp();
    note();
    await setup.passUntil(dueMs + 2 * minuteMs - 5_000);
    expect(viewed(setup).waits_for_tools?.tools).toMatchObject([{ name: 'git', pid: null }]);
    await setup.passUntil(dueMs + 2 * minuteMs + 5_000);
    expect(viewed(setup)).toMatchObject({ state: 'fine', generation: 2 });
  });
});
