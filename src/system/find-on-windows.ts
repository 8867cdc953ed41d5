import { lstatSync } from 'node:fs';
import { posix, win32 } from 'node:path';

/** What Windows runs without PATHEXT. */
const usualExtensions = ['.exe', '.cmd', '.bat', '.com'];

/** How a person names a program, and where it is started. */
export interface NamedProgram {
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
  /** The working folder. Default: that of this process. */
  readonly folder?: string | undefined;
}

/** The file that a name stands for on Windows; null: there is none. `isFile`: tests play Windows with it. */
export function findOnWindows(named: NamedProgram, isFile = isFileOrLink): string | null {
  return windowsCandidates(named).find((file) => isFile(file)) ?? null;
}

/** Not what a link leads to: Windows refuses to say that of those in its folder of apps, such as python.exe, and runs them. */
function isFileOrLink(path: string): boolean {
  try {
    const found = lstatSync(path);
    return found.isFile() || found.isSymbolicLink();
  } catch {
    return false;
  }
}

/**
 * The files that a name can stand for on Windows, in their order: in the folders of PATH, or relative to the working folder if the name has a
 * folder. A name with an extension of PATHEXT is a file as it stands; then each extension is tried, and at last the file without.
 *
 * In the working folder and in relative folders of PATH no name is looked for: Windows does that first, and so a `git.cmd` in a checkout
 * would run instead of git. Go and Python look there no more either (https://pkg.go.dev/os/exec, gitpython-developers/GitPython#1635,
 * nodejs/node#46264). Names of variables have no case there.
 * https://learn.microsoft.com/windows-server/administration/windows-commands/path
 */
export function windowsCandidates({ program, env, folder = '.' }: NamedProgram): string[] {
  const variable = (name: string): string | undefined =>
    Object.entries(env).find(([one]) => one.toUpperCase() === name)?.[1];
  const listed = (name: string): string[] => (variable(name) ?? '').split(';').filter((one) => one !== '');
  const named = listed('PATHEXT');
  const extensions = named.length === 0 ? usualExtensions : named;
  const files = /[\\/:]/.test(program)
    ? [win32.resolve(folder, program)]
    : listed('PATH')
        .map((one) => one.replace(/^"(.*)"$/, '$1'))
        .filter((one) => absolute.test(one))
        .map((one) => win32.join(one, program));
  const given = win32.extname(program).toLowerCase();
  const isKnown = extensions.some((one) => one.toLowerCase() === given);
  return [
    ...files.flatMap((file) => [
      ...(isKnown ? [file] : []),
      ...extensions.map((extension) => `${file}${extension.toLowerCase()}`),
    ]),
    ...(isKnown ? [] : files),
  ];
}

/** With a drive, or on another machine: `\tools` is on the drive of the working folder. */
const absolute = /^(?:[a-z]:[\\/]|[\\/]{2})/i;

/** The program that the first line of a script names, such as node for `#!/usr/bin/env node`; null for every other file. */
export function interpreterIn(start: string): string | null {
  const [, path = '', argument = ''] = /^#! ?([^ \r\n]+) ?([^ \r\n]*)/.exec(start) ?? [];
  const name = posix.basename(path);
  return (name === 'env' ? argument : name) || null;
}
