import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import type { PortalStatus } from '../../src/contract/service/portal.ts';
import { commandLineOf } from '../../src/host/command-line.ts';
import { startHost } from '../../src/host/start-host.ts';
import { fingerprintOfSources, stampBuild } from '../../src/launcher/build-stamp.ts';
import { lineForCommand, writeCheckoutCommand } from '../../src/launcher/checkout-command.ts';
import { checkoutDir } from '../../src/launcher/checkout.ts';
import { builtFile } from '../../src/launcher/ensure-built.ts';
import { compileCache } from '../tools/root.ts';
import { runtimeFileOf } from '../host/runtime-file-of.ts';
import { scratchFolder, writeInto } from './run-launcher.ts';

/** A checkout with the real launcher and script, and with the command line that is built here. */
function makeCheckout(): string {
  const checkout = join(scratchFolder({}), "it's a checkout");
  cpSync(join(checkoutDir, 'src', 'launcher'), join(checkout, 'src', 'launcher'), { recursive: true });
  const { name, version, type, scripts } = packageJson;
  writeInto(
    checkout,
    'package.json',
    JSON.stringify({ name, version, type, scripts: { rotavox: scripts.rotavox } }),
  );
  const cli = pathToFileURL(builtFile('cli/index.js')).href;
  writeInto(checkout, 'out/cli/index.js', `await import(${JSON.stringify(cli)});`);
  for (const file of ['main/index.js', 'preload/index.cjs', 'renderer/index.html']) {
    writeInto(checkout, `out/${file}`, '');
  }
  writeCheckoutCommand(checkout);
  stampBuild(checkout, fingerprintOfSources(checkout));
  return checkout;
}

/** Runs a text in a folder, like a person who pastes it and has pasted what `npm start` says about the command. */
async function paste(
  line: string,
  folder: string,
  checkout: string,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { PATH } = process.env;
  const script = `${lineForCommand(checkout, { searchPath: '' }) ?? ''}\n${line}`;
  const shell = spawn('sh', ['-c', script], {
    cwd: folder,
    env: { PATH, HOME: folder, NODE_COMPILE_CACHE: compileCache },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(shell, 'close') as Promise<[number | null]>;
  const [stdout, stderr, [code]] = await Promise.all([text(shell.stdout), text(shell.stderr), ended]);
  return { code, stdout, stderr };
}

/** The command line that a service reports; it has a separate data folder. */
async function commandLineOfHost(checkout: string): Promise<{ commandLine: string; dataDir: string }> {
  const dataDir = join(scratchFolder({}), 'my data');
  mkdirSync(dataDir);
  const host = await startHost({ dataDir, port: 0, commandLine: commandLineOf(checkout) });
  onTestFinished(() => host.close());
  const reply = await fetch(`${host.baseUrl}/portal/status`, {
    headers: { authorization: `Bearer ${runtimeFileOf(dataDir).portal_key}` },
  });
  const { command_line: commandLine } = (await reply.json()) as PortalStatus;
  if (commandLine === null) throw new Error('There is no command line');
  return { commandLine, dataDir };
}

describe.runIf(process.platform !== 'win32')('the command line as a service names it', () => {
  it('works as pasted, in any folder', async () => {
    const checkout = makeCheckout();
    const { commandLine, dataDir } = await commandLineOfHost(checkout);
    const folder = scratchFolder({});
    const version = await paste(`${commandLine} --version`, folder, checkout);
    expect(version).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
    const status = await paste(`${commandLine} status --json`, folder, checkout);
    expect(status).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(status.stdout)).toMatchObject({ data_dir: dataDir, command_line: commandLine });
    expect((await paste(`${commandLine} get nobody`, folder, checkout)).code).toBe(1);
  });

  it(
    'means by a relative path what the person means: from where it is pasted',
    { tags: ['long'] },
    async () => {
      const checkout = makeCheckout();
      const commandLine = commandLineOf(checkout) ?? '';
      const folder = scratchFolder({ 'menu.json': '{"name":7}' });
      const { code, stdout, stderr } = await paste(
        `${commandLine} ivr validate ./menu.json`,
        folder,
        checkout,
      );
      expect(code).toBe(1);
      expect(stdout + stderr).toContain('name');
      expect(stdout + stderr).not.toContain('no such file');
      const missing = await paste(`${commandLine} ivr validate ./other.json`, folder, checkout);
      expect(missing.stderr).toContain('other.json');
    },
  );

  it('is found through links, and then needs no line', async () => {
    const checkout = makeCheckout();
    const bin = scratchFolder({});
    symlinkSync(join(checkout, 'out', 'rotavox'), join(bin, 'first'));
    symlinkSync('first', join(bin, 'rotavox'));
    expect(lineForCommand(checkout, { searchPath: bin })).toBeNull();
    const { code, stdout } = await paste(`'${join(bin, 'rotavox')}' --version`, bin, checkout);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${packageJson.version}\n` });
  });

  it('needs a line where another program has its name, or only npm scripts find it', () => {
    const checkout = makeCheckout();
    const other = scratchFolder({ rotavox: '' });
    const local = join(scratchFolder({}), 'node_modules', '.bin');
    mkdirSync(local, { recursive: true });
    symlinkSync(join(checkout, 'out', 'rotavox'), join(local, 'rotavox'));
    for (const searchPath of ['', other, local])
      expect(lineForCommand(checkout, { searchPath })).toMatch(/^alias rotavox=/);
  });
});
