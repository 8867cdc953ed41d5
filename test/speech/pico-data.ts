/**
 * The voices of SVOX Pico, which a person installs with `libttspico-data`. Where they are not, the package of Debian is fetched and
 * unpacked beside the tests' other things: its part of Debian (non-free) is no source of this machine, and stays none.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageSourceUri } from '../tools/debian-packages.ts';
import { root } from '../tools/root.ts';

const execute = promisify(execFile);
const name = 'libttspico-data';
const installed = '/usr/share/pico/lang';
const keys = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Where they are; or why they cannot be had. */
export async function picoData(): Promise<{ readonly folder: string } | { readonly missing: string }> {
  const kept = join(root, 'node_modules/.cache/rotavox-test-pico');
  for (const folder of [installed, join(kept, installed)]) if (existsSync(folder)) return { folder };
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const [, codename] = /^VERSION_CODENAME=(\w+)$/m.exec(release) ?? [];
  if (!/^ID=debian$/m.test(release) || codename === undefined || !existsSync(keys))
    return { missing: `${installed} is not on this machine; install ${name}` };
  const own = `${kept}.${String(process.pid)}`;
  try {
    await fetchInto(own, codename);
    await rename(own, kept).catch(() => null); // another run was first
    return { folder: join(kept, installed) };
  } catch (error) {
    const reason = (error as { stderr?: string }).stderr?.trim().split('\n').at(-1) ?? String(error);
    return { missing: `${name} could not be fetched (${reason}); install it from non-free` };
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** With lists and a source of its own, so that nothing of the system is changed. */
async function fetchInto(folder: string, codename: string): Promise<void> {
  const lists = join(folder, 'lists');
  const source = join(folder, 'sources.list');
  await mkdir(join(lists, 'partial'), { recursive: true });
  await writeFile(source, `deb [signed-by=${keys}] ${packageSourceUri()} ${codename} non-free\n`);
  const apt = (...args: string[]) =>
    execute(
      'apt-get',
      [
        ...['-qq', '-o', `Dir::Etc::SourceList=${source}`, '-o', 'Dir::Etc::SourceParts=-'],
        ...['-o', `Dir::State::Lists=${lists}`, '-o', `Dir::Cache=${folder}`],
        ...['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=15', ...args],
      ],
      { cwd: folder },
    );
  await apt('update');
  await apt('download', name);
  const file = (await readdir(folder)).find((one) => one.endsWith('.deb'));
  if (file === undefined) throw new Error('apt-get wrote no file');
  await execute('dpkg-deb', ['-x', join(folder, file), folder]);
}
