import { expect } from '@playwright/test';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loudest } from '../../../src/renderer/recordings/sound/find-sound.ts';
import { soundOf } from '../browser/audio-files.ts';
import { RecordingsPage } from '../pages/recordings-page.ts';
import { test as base } from './launch-app.ts';

/** What came of asking for devices: how many tracks, or the name of the error. */
type Asked = Record<string, string>;

/** Run in a page: asks for the microphone and for what no page may have. */
const askForDevices = `(async () => {
  const ask = async (wanted) => {
    try {
      const stream = await navigator.mediaDevices.getUserMedia(wanted);
      const kinds = stream.getTracks().map((track) => track.kind);
      for (const track of stream.getTracks()) track.stop();
      return kinds.join();
    } catch (error) {
      return error.name;
    }
  };
  return {
    audio: await ask({ audio: true }),
    video: await ask({ video: true }),
    both: await ask({ audio: true, video: true }),
    screen: await navigator.mediaDevices.getDisplayMedia({ video: true }).then(() => 'shown', (error) => error.name),
  };
})()`;

// Chromium's fake devices, but not its fake consent: who may listen is decided by the app.
const test = base.extend({
  start: async ({ start }, use) => {
    await use({ ...start, args: ['--use-fake-device-for-media-stream', ...start.args] });
  },
});

test('our page may listen to the microphone, and neither look nor watch the screen', async ({ status }) => {
  await status.expectRunning();
  const asked = await status.page.evaluate<Asked>(askForDevices);
  expect(asked).toMatchObject({ audio: 'audio', video: 'NotAllowedError', both: 'NotAllowedError' });
  expect(asked['screen']).not.toBe('shown');
});

test('a foreign page in the windows’ own session may not listen', async ({ app, status }) => {
  await status.expectRunning();
  const server = createServer((_request, reply) => {
    reply.writeHead(200, { 'content-type': 'text/html' }).end('<title>foreign</title>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const asked = await app.evaluate(
      async ({ BrowserWindow }, { address, script }) => {
        const { session } = BrowserWindow.getAllWindows()[0]!.webContents;
        const window = new BrowserWindow({ show: false, webPreferences: { sandbox: true, session } });
        try {
          await window.loadURL(address);
          return (await window.webContents.executeJavaScript(script)) as Asked;
        } finally {
          window.destroy();
        }
      },
      { address: `http://127.0.0.1:${port}/`, script: askForDevices },
    );
    expect(asked).toMatchObject({
      audio: 'NotAllowedError',
      video: 'NotAllowedError',
      both: 'NotAllowedError',
    });
  } finally {
    server.close();
  }
});

test('a prompt is recorded in the app, without a question of the browser', async ({ status, owner }) => {
  await status.expectRunning();
  await status.page.getByRole('navigation').getByRole('link', { name: 'Recordings' }).click();
  const recordings = new RecordingsPage(status.page);
  await status.page.getByRole('button', { name: 'Record…' }).click();
  await recordings.record.click();
  // The fake microphone beeps once a second.
  await expect
    .poll(async () => Number(await recordings.level.getAttribute('aria-valuenow')))
    .toBeGreaterThan(30);
  await recordings.stop.click();
  await recordings.name.fill('Welcome');
  await recordings.choose('Save').click();
  await expect(recordings.row('Welcome')).toBeVisible();
  const [saved] = (await owner.ask('listRecordings')).recordings;
  expect(loudest(soundOf(await recordings.audioOf(saved!.id)).samples)).toBeGreaterThan(0.03);
  recordings.expectNoViolations();
});
