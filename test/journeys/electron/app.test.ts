import { expect } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { StatusPage } from '../pages/status-page.ts';
import { test } from './launch-app.ts';
import { runToEnd } from './run-to-end.ts';

test('quitting from the window leaves no runtime file', async ({ app, status, owner }) => {
  expect(existsSync(owner.runtimeFile)).toBe(true);
  const ended = once(app.process(), 'exit');
  // Not click(): the page is gone before it could report that it was clicked.
  await status.quit.evaluate((button: HTMLButtonElement) => {
    setTimeout(() => {
      button.click();
    });
  });
  const [code] = (await ended) as [number | null];
  expect(code).toBe(0);
  expect(existsSync(owner.runtimeFile)).toBe(false);
});

test('SIGTERM, even twice, ends the app cleanly', async ({ app, status, owner }) => {
  await status.expectRunning();
  const { pid } = app.process();
  const ended = once(app.process(), 'exit');
  // From one process, close together, as npm and a terminal do it.
  execFileSync('kill', ['-s', 'TERM', String(pid), String(pid)]);
  // On a busy machine the second can come when all is closed and Electron handles no signals any more; it ends what is left.
  expect([
    [0, null],
    [null, 'SIGTERM'],
  ]).toContainEqual(await ended);
  expect(existsSync(owner.runtimeFile)).toBe(false);
});

test('a port that is taken is said in a sentence that names it', async ({ start }) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  try {
    // The native error box waits for a person; the sentence is on stderr as well, before the box.
    const { words } = await runToEnd(
      { ...start, env: { ...start.env, ROTAVOX_PORT: String(port) } },
      { endAt: 'another program' },
    );
    expect(words).toContain(`Port ${port} on 127.0.0.1 is used by another program`);
  } finally {
    other.close();
  }
});

test('the first steps that were dismissed stay hidden after a restart', async ({
  app,
  status,
  owner,
  launch,
  start,
}) => {
  await status.firstSteps.getByRole('button', { name: 'Dismiss' }).click();
  await expect(status.firstSteps).toBeHidden();
  await expect.poll(async () => (await owner.ask('readSettings')).first_steps).toBe('dismissed');
  await app.close();

  const next = new StatusPage(await (await launch(start)).firstWindow());
  await next.expectRunning();
  await expect(next.lifeline.getByRole('button', { name: 'Show the first steps' })).toBeVisible();
  await expect(next.firstSteps).toBeHidden();
});
