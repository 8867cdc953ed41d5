import { execFile } from 'node:child_process';

/** https://www.gnu.org/software/coreutils/cp: nothing in Node reads access control lists and extended attributes. */
const copyOptions = ['--attributes-only', '--preserve=mode,xattr', '--no-dereference'];
const limitMs = 10_000;

let hasGnuCp: Promise<boolean> | null = null;

/** Whether a new file might lose the access control list or the attributes of the one that it replaces. */
export async function wouldLoseAttributes(place: string): Promise<boolean> {
  if (process.platform === 'linux') {
    hasGnuCp ??= run('cp', ['--version']).then((printed) => printed?.includes('GNU coreutils') === true);
    return !(await hasGnuCp);
  }
  if (process.platform !== 'darwin') return false;
  // `-rw-r--r--@` has attributes, `-rw-r--r--+` an access control list.
  const line = await run('/bin/ls', ['-ld', '--', place]);
  return line === null || /^.{10}[@+]/.test(line);
}

/** Gives a new file the mode, the access control list and the attributes of another; false where that failed. */
export async function copyAttributes(from: string, to: string): Promise<boolean> {
  return (await run('cp', [...copyOptions, '--', from, to])) !== null;
}

/** What a program prints; null where it fails or is not there. */
function run(program: string, args: readonly string[]): Promise<string | null> {
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' };
  return new Promise((resolve) => {
    execFile(program, args, { env, timeout: limitMs }, (error, stdout) =>
      resolve(error === null ? stdout : null),
    );
  });
}
