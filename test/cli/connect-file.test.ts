/** What goes wrong with the file of a tool, whichever tool it is: seen with the git of this machine. */
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { gitSetup } from '../../src/cli/connect/git-setup.ts';
import { makeSetting } from '../../src/cli/connect/tool-setting.ts';
import { ConnectionId } from '../../src/contract/credential/tool-connection.ts';
import { checkText } from '../../src/text/cli/cli-connect.ts';
import { doctorText } from '../../src/text/service/doctor-text.ts';
import { ConnectedTool } from './connected-tool.ts';
import { type CliResult, rotavox } from './rotavox.ts';

const comments = '# mine\n[user]\n\tname = Ada\n';
let tool: ConnectedTool;
let settings = '';

beforeAll(async () => {
  tool = await ConnectedTool.start(
    () => ({}),
    (_request, response) => void response.end(),
  );
  settings = join(tool.home, '.gitconfig');
});
afterAll(() => tool.stop());
beforeEach(async () => {
  await tool.disconnectAll();
  tool.write(settings, comments);
});

interface Where {
  readonly path?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Connects git for a path, with its file where the environment has it. */
function connect({ path = '', env = {} }: Where = {}, ...more: string[]): Promise<CliResult> {
  const args = ['connect', 'git', 'nightly', '--url', tool.origin + path, '--username', 'oauth2', ...more];
  return rotavox(args, { dataDir: tool.dataDir, env: { ...tool.env, ...env } });
}

async function onlyId(): Promise<string> {
  const [id = '', ...others] = await tool.ids();
  expect(others).toEqual([]);
  return id;
}

describe('the file of a tool', () => {
  it('keeps what a program has written that does not obey the lock', async () => {
    const text = '[credential]\n\thelper = con_abcdefghijkl\n';
    const more = `${comments}[core]\n\tpager = less\n`;
    const setting = { file: settings, text, before: '', is_new_file: false };
    const wanted = { id: ConnectionId.parse('con_abcdefghijkl'), origin: tool.origin, setting };
    await makeSetting(wanted, gitSetup, {
      add: (bytes) => ({ text, before: '', becomes: bytes + text }),
      replaced: undefined,
      record: async () => tool.write(settings, more),
    });
    expect(readFileSync(settings, 'utf8')).toBe(more + text);
    expect(existsSync(`${settings}.lock`)).toBe(false);
  });

  it('has two lines still, where another was added since after a last line without a line break', async () => {
    tool.write(settings, comments.trimEnd());
    await connect();
    await tool.program('git', ['config', '--global', 'core.pager', 'less']);
    const { stderr } = await tool.run('disconnect', await onlyId());
    expect(stderr).toContain('is as it was without the connection');
    expect(readFileSync(settings, 'utf8')).toBe(`${comments}[core]\n\tpager = less\n`);

    tool.write(settings, comments.trimEnd());
    await connect({ path: '/other' });
    const first = await onlyId();
    await connect();
    await tool.run('disconnect', first);
    expect((await tool.run('connect', 'check')).stdout).toContain('git gets the current token');
  });

  it('is found again from any folder, where it is named from one', async () => {
    const named = join(tool.folder, 'named');
    const env = { GIT_CONFIG_GLOBAL: relative('', named) };
    const { stdout } = await connect({ env }, '--dry-run', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ setting: { file: named } });
    const nowhere = await connect({ env: { HOME: '', XDG_CONFIG_HOME: '' } }, '--dry-run');
    expect(nowhere.stdout.startsWith(userInfo().homedir)).toBe(true);
  });

  it('leaves nothing recorded where it cannot be read or written, and the reason is said', async () => {
    const file = join(tool.folder, 'a file');
    tool.write(file, '');
    const unread = await connect({ env: { GIT_CONFIG_GLOBAL: join(file, 'config') } });
    expect(unread).toMatchObject({ code: 1 });
    expect(unread.stderr).toContain(`${join(file, 'config')} cannot be read or written: not a directory`);
    expect(unread.stderr).not.toContain('bug');
    // It can be read, and its lock file has a name that is too long.
    const unwritten = await connect({ env: { GIT_CONFIG_GLOBAL: join(tool.folder, 'x'.repeat(252)) } });
    expect(unwritten).toMatchObject({ code: 1 });
    expect(unwritten.stderr).toContain('cannot be read or written: name too long');
    expect(await tool.ids()).toEqual([]);
  });

  it('is repaired where that of another connection cannot be', async () => {
    const there = join(tool.folder, 'there');
    const env = { GIT_CONFIG_GLOBAL: join(there, 'config') };
    expect(await connect({ path: '/other', env })).toMatchObject({ code: 0 });
    await connect();
    const made = readFileSync(settings, 'utf8');
    rmSync(there, { recursive: true });
    tool.write(there, '');
    tool.write(settings, comments);
    const { code, stdout, stderr } = await tool.run('connect', 'repair');
    expect(code).toBe(1);
    expect(stdout).toContain(`failed  ${join(there, 'config')} cannot be read or written: not a directory`);
    expect(stderr).not.toContain('bug');
    expect(readFileSync(settings, 'utf8')).toBe(made);
    rmSync(there);
  });

  it('is made also where the link that a tool needs cannot be, which is said', async () => {
    const local = join(tool.home, '.local');
    tool.write(local, '');
    const env = { ...tool.env, PATH: `${join(local, 'bin')}:/usr/bin:/bin` };
    const args = ['connect', 'docker', 'nightly', '--url', tool.origin, '--username', 'oauth2'];
    const { code, stdout, stderr } = await rotavox(args, { dataDir: tool.dataDir, env });
    expect(code).toBe(1);
    expect(stderr).toContain(`${join(local, 'bin')} cannot be read or written: not a directory`);
    expect(stderr).not.toContain('bug');
    expect(stdout).toContain('failed  docker-credential-rotavox');
    expect(await tool.ids()).toHaveLength(1);
    rmSync(local);
  });

  it.each([
    ['', comments.trimEnd() + '\\'],
    [' before its line break', `${comments.trimEnd()}\\\r\n`],
  ])('is left alone where its last line goes on, by a backslash%s', async (_where, content) => {
    tool.write(settings, content);
    const { code, stderr } = await connect();
    expect(code).toBe(1);
    expect(stderr).toContain(`The last line of ${settings} ends with a backslash`);
    expect(readFileSync(settings, 'utf8')).toBe(content);
    expect(await tool.ids()).toEqual([]);
    tool.write(settings, `${comments}\tdirectory = C:\\\\`);
    expect(await connect()).toMatchObject({ code: 0 });
  });

  it('is gone again where a repair has made it, since it was deleted', async () => {
    tool.write(settings, comments.trimEnd());
    await connect();
    rmSync(settings);
    expect(await tool.run('connect', 'repair')).toMatchObject({ code: 0 });
    expect(await tool.run('connect', 'repair')).toMatchObject({ code: 0 });
    expect((await tool.run('disconnect', await onlyId())).stderr).toContain('is as it was without');
    expect(existsSync(settings)).toBe(false);
  });

  it('is shown as it would be left or taken back, which changes nothing', async () => {
    await connect();
    const id = await onlyId();
    const made = readFileSync(settings, 'utf8');
    const dry = async () => (await tool.run('disconnect', id, '--dry-run')).stdout;
    expect(await dry()).toContain('  - [credential');
    tool.write(settings, made.replace('helper = \n', 'helper = # why\n'));
    expect(await dry()).toContain(
      `${settings} was edited since, so it would be left alone. Then remove what has ${id} in it by hand.\n`,
    );
    expect(await dry()).not.toContain('  - ');
    const json = await tool.run('disconnect', id, '--dry-run', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ dry_run: true, setting: 'edited' });
    tool.write(settings, comments);
    expect(await dry()).toContain(`${settings} no longer has the setting.`);
    expect(readFileSync(settings, 'utf8')).toBe(comments);
    expect(await tool.ids()).toEqual([id]);
  });

  it('is looked at by the doctor, with the program that it names', async () => {
    const tools = async () => {
      const { checks } = JSON.parse((await tool.run('doctor', '--json')).stdout) as { checks: object[] };
      return checks.find((one) => 'name' in one && one.name === 'tools');
    };
    expect(await tools()).toMatchObject({ outcome: 'note' });
    await connect();
    expect(await tools()).toMatchObject({ outcome: 'ok', message: doctorText.tools.ok(1) });
    const id = await onlyId();
    tool.write(settings, comments);
    rmSync(await tool.launcher());
    expect(await tools()).toMatchObject({
      outcome: 'failed',
      message: [
        checkText.noLauncher(join(tool.dataDir, 'tools', id), id).text,
        checkText.noSetting(settings, id).text,
      ].join(' '),
    });
  });

  it('is told to be made anew where it names the program of another folder', async () => {
    await connect();
    const moved = join(tool.folder, 'moved');
    symlinkSync(tool.dataDir, moved);
    const id = await onlyId();
    const { code, stdout } = await rotavox(['connect', 'check'], { dataDir: moved, env: tool.env });
    expect(code).toBe(1);
    expect(stdout).toContain(`failed  ${settings} names another program than ${join(moved, 'tools', id)}`);
    expect(stdout).toContain(`\`rotavox disconnect ${id}\``);
    expect(stdout).not.toContain(`${settings} names the program.`);
  });
});
