import type { Command } from 'commander';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RuntimeFile } from '../../src/contract/service/portal.ts';
import { commands, file, type Run, runOf, typed, useRunFiles } from './command-runs.ts';
import { hostile, hostileAnswer, hostileRefusal } from './hostile-reply.ts';
import { hasTerminals, inTerminal, shellLine } from './in-terminal.ts';
import { type CliOptions, rotavox, rotavoxOnScreen } from './rotavox.ts';
import { refusal, StandInService } from './stand-in-service.ts';

/** How a line of hostile text looks on a terminal. */
const escaped = 'evil\\u001b]0;x\\u0007\\u009b2J\\u007f\\u202e\\u061c\\u2028';

/** The possible content of a child's environment. */
const harmlessValue = [
  'GET /portal/credentials/pbx/value',
  [200, { name: 'pbx', value: 'rvx_value', generation: 1, expires_at: '2126-11-28T12:00:00.000Z' }],
] as const;

/** In a real terminal, with a pipe as stdin. */
async function inRealTerminal(
  args: readonly string[],
  { dataDir = '', stdin = '' }: CliOptions = {},
): ReturnType<typeof rotavoxOnScreen> {
  const terminal = inTerminal(`printf %s '${String(stdin)}' | ${shellLine(args)}`, dataDir);
  const code = (await terminal.ended) ?? -1;
  return { code, screen: terminal.screen() };
}

/** A real terminal converts \n to \r\n, so that the \r\n of a document becomes \r\r\n. */
function expectPlain(screen: string, { isDocument }: Run = {}): void {
  expect(screen).not.toMatch(
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\r(?!\r?\n)/,
  );
  if (isDocument === undefined) expect(screen).not.toMatch(/^\s*forged/m);
}

useRunFiles();

/** Everything that a command may show: its result as text and as JSON, a refusal, and its usage. */
async function expectNothingMoved(
  path: string,
  command: Command,
  show: typeof rotavoxOnScreen,
): Promise<void> {
  const service = await StandInService.start();
  const run = runOf(path, command);
  const { dataDir } = service;
  service.otherwise = hostileAnswer;
  if (path === 'exec') service.answers.set(...harmlessValue);

  const words = await show([...path.split(' '), ...run.args], { dataDir, ...run });
  expect(words.code, words.screen).toBe(run.code ?? 0);
  expectPlain(words.screen, run);

  if (command.options.some(({ long }) => long === '--json')) {
    const json = await show([...path.split(' '), ...run.args, '--json'], { dataDir, ...run });
    expectPlain(json.screen);
    const [line = ''] = /^\{.*\}/m.exec(json.screen) ?? [];
    const piped = await rotavox([...path.split(' '), ...run.args, '--json'], { dataDir, ...run });
    expect(JSON.parse(line)).toEqual(JSON.parse(piped.stdout));
  }

  service.otherwise = hostileRefusal;
  service.answers.clear();
  service.calls.length = 0;
  const refused = await show([...path.split(' '), ...run.args], { dataDir, ...run });
  expectPlain(refused.screen);
  if (service.calls.length > 0) {
    expect(refused.code).toBe(1);
    expect(refused.screen).toContain(escaped);
  }

  const wrong = await show([...path.split(' '), `--${typed}`, ...run.args], { dataDir });
  expect(wrong.code).toBe(2);
  expect(wrong.screen).toContain(escaped);
  expectPlain(wrong.screen, { isDocument: true }); // commander does not distinguish its lines from ours
}

describe('what a command shows on a terminal', () => {
  it.each(commands)('moves nothing: rotavox %s', (path, command) =>
    expectNothingMoved(path, command, rotavoxOnScreen),
  );

  it.each([
    ['token issue', ['--name', typed, '--validity', '7']],
    ['recording rename', ['welcome', typed]],
    ['extension set', ['101', typed]],
    ['sms-template set', ['31', typed, 'Open at nine.']],
  ])('moves nothing where it refuses such a name: rotavox %s', async (path, args) => {
    const service = await StandInService.start();
    const { code, screen } = await rotavoxOnScreen([...path.split(' '), ...args], service);
    expect(code).toBe(2);
    expect(screen).toContain(escaped);
    expectPlain(screen, { isDocument: true }); // commander does not distinguish its lines from ours
    expect(service.calls).toEqual([]);
  });

  it('moves nothing where no service runs, or the folder has such a name', async () => {
    const { code, screen } = await rotavoxOnScreen(['status'], { dataDir: `/nowhere/${typed}` });
    expect(code).toBe(3);
    expect(screen).toContain(escaped);
    expectPlain(screen);
  });

  it('moves nothing where a journal with such a name is to be copied', async () => {
    const database = 'postgres://rotavox@127.0.0.1:1/rotavox';
    const passphrase = ['--vault-passphrase-file', file('menu.json')];
    const { code, screen } = await rotavoxOnScreen(
      ['journal', 'copy', `/nowhere/${typed}`, database, ...passphrase],
      { dataDir: '/nowhere' },
    );
    expect(code).toBe(1);
    expect(screen).toContain(escaped);
    expectPlain(screen);
  });

  it.each(['validate', 'simulate', 'create', 'import'])(
    'moves nothing where a file is not what it should be: rotavox ivr %s',
    async (command) => {
      await writeFile(file('broken.json'), `{"${hostile}`);
      const { code, screen } = await rotavoxOnScreen(['ivr', command, file('broken.json')], {
        dataDir: '/nowhere',
      });
      expect(code).not.toBe(0);
      expectPlain(screen);
    },
  );

  it('is no audio, which is refused before it is asked for', async () => {
    const service = await StandInService.start();
    const { code, screen } = await rotavoxOnScreen(['recording', 'save', 'welcome', '-'], service);
    expect(code).toBe(2);
    expect(screen).toContain('Audio is not printed on a terminal.');
    expect(service.calls).toEqual([]);
  });
});

describe.skipIf(!hasTerminals)('what a process shows in a terminal of the system', () => {
  it.each(commands.filter(([path]) => ['exec', 'token list'].includes(path)))(
    'moves nothing: rotavox %s',
    { tags: ['long'] },
    (path, command) => expectNothingMoved(path, command, inRealTerminal),
  );

  it('moves nothing where the service refuses it: rotavox token list', async () => {
    const service = await StandInService.start();
    service.otherwise = hostileRefusal;
    const { code, screen } = await inRealTerminal(['token', 'list'], service);
    expectPlain(screen);
    expect([code, service.calls.length > 0]).toEqual([1, true]);
    expect(screen).toContain(escaped);
  });

  it('moves nothing: rotavox serve, in a folder with such a name', async () => {
    const dataDir = join(file(typed.replaceAll('/', '')), 'data');
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const terminal = inTerminal(`exec ${shellLine(['serve', '--port', '0'])}`, dataDir);
    await terminal.shows('Press Ctrl-C to stop it');
    // The messages of the running service, too.
    const runtime = RuntimeFile.parse(JSON.parse(await readFile(join(dataDir, 'runtime.json'), 'utf8')));
    await rename(dataDir, `${dataDir}-moved`);
    await fetch(`${runtime.base_url}/portal/status`, {
      headers: { authorization: `Bearer ${runtime.portal_key}` },
    });
    await terminal.shows('was moved');
    terminal.type('\u0003');
    expect(await terminal.ended).toBe(0);
    expect(terminal.screen()).toContain(escaped);
    expectPlain(terminal.screen().replace('^C', ''));
  });
});

describe('what a command writes into a pipe', () => {
  it('is exact where it is JSON or a document', async () => {
    const service = await StandInService.start();
    service.otherwise = hostileAnswer;
    const { dataDir } = service;
    const list = await rotavox(['extension', 'list', '--json'], { dataDir });
    expect(list.stdout).toBe(`${JSON.stringify({ extensions: [{ id: hostile, name: hostile }] })}\n`);
    const csv = await rotavox(['extension', 'export'], { dataDir });
    expect(csv.stdout).toBe(`id,name\r\n1,"${hostile}"\r\n`);
    const audio = await rotavox(['recording', 'save', 'welcome', '-'], { dataDir });
    expect(audio.stdout).toBe(csv.stdout);
  });

  it('is a line for each line where it is for a person', async () => {
    const service = await StandInService.start();
    service.otherwise = () => refusal(409, 'conflict', hostile);
    const { stderr } = await rotavox(['status'], service);
    expect(stderr).toBe(`${escaped}\\u0000\\u000d forged\n`);
  });
});
