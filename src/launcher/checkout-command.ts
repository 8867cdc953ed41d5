import { chmodSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Finds the checkout from its own path, through links, and runs the launcher with the Node of the checkout. */
const forShell = `#!/bin/sh
# The command line of this checkout. Written by the build; a link to it works, too.
file=$0
while [ -h "$file" ]; do
  target=$(readlink "$file")
  case $target in
    /*) file=$target ;;
    *) file=$(dirname "$file")/$target ;;
  esac
done
checkout=$(CDPATH= cd -P -- "$(dirname -- "$file")/.." && pwd) || exit 1
node=$checkout/node_modules/.bin/node
[ -x "$node" ] || node=node
exec "$node" "$checkout/src/launcher/rotavox.ts" "$@"
`;

const forWindows = [
  '@rem The command line of this checkout. Written by the build.',
  '@setlocal',
  '@set "checkout=%~dp0.."',
  '@if exist "%checkout%\\node_modules\\.bin\\node.cmd" (call "%checkout%\\node_modules\\.bin\\node.cmd" "%checkout%\\src\\launcher\\rotavox.ts" %*) else (node "%checkout%\\src\\launcher\\rotavox.ts" %*)',
  '@exit /b %errorlevel%',
  '',
].join('\r\n');

/** Writes the command `rotavox` of a checkout into its build. */
export function writeCheckoutCommand(checkout: string): void {
  const out = join(checkout, 'out');
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'rotavox'), forShell);
  chmodSync(join(out, 'rotavox'), 0o755);
  writeFileSync(join(out, 'rotavox.cmd'), forWindows);
}

/** How a terminal gets the command; null where it has it already, by a link, by `npm link` or on the path. */
export function lineForCommand(
  checkout: string,
  {
    platform = process.platform,
    searchPath = process.env['PATH'] ?? '',
  }: { readonly platform?: NodeJS.Platform; readonly searchPath?: string } = {},
): string | null {
  const isWindows = platform === 'win32';
  const own = ['rotavox', join('cli', 'index.js')].map((name) => realOf(join(checkout, 'out', name)));
  const found = searchPath
    .split(delimiter)
    // npm adds this folder to the path of its scripts; no terminal has it.
    .filter((folder) => folder !== '' && !folder.endsWith(join('node_modules', '.bin')))
    .map((folder) => join(folder, isWindows ? 'rotavox.cmd' : 'rotavox'))
    .find((file) => existsSync(file));
  if (found !== undefined && (isWindows || own.includes(realOf(found)))) return null;
  if (isWindows) return `set "PATH=%PATH%;${join(checkout, 'out')}"`;
  const path = join(checkout, 'out', 'rotavox');
  // Of an alias, the words are read a second time when it is used.
  return `alias rotavox=${quoted(/^[\w./-]+$/.test(path) ? path : quoted(path))}`;
}

function realOf(file: string): string | null {
  return existsSync(file) ? realpathSync(file) : null;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
