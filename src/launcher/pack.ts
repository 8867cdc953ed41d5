/*
 * `npm run pack`: the app as a person would install it, made from a checkout.
 *
 * Without arguments an unpacked app for this platform, with any available Electron: for trying it out, and for the
 * journeys. With --installers for distribution, and then only with the official Electron; with --deb a Debian package, and with
 * --for the packages for Windows.
 */
import { dirname } from 'node:path';
import { packApp, type PackForm, type PackRequest, readPackOptions } from './pack-app.ts';
import { capitalised, sentenceOf } from './sentence-of.ts';

const usage = `Usage: npm run pack [-- --installers | --deb | --for win32-x64]

Makes an unpacked app for this platform in release/.
  --installers     the installers of this platform instead: AppImage, deb and rpm; dmg; or exe and zip. With the official Electron only
  --deb            the Debian package alone. With another Electron its version says that it is not official
  --for win32-x64  the app, the installer and the zip for Windows, on Linux or macOS too. Their version says that they are not official
`;

async function pack(request: PackRequest): Promise<void> {
  const packed = await packApp(request);
  if (request.form === 'installers') return request.tell('Made the installers. They are in release/.');
  request.tell(doneWith(request.form, packed));
  if (packed.origin !== 'official')
    request.tell('Its Electron is not the official one: use it for tests only, and do not distribute it.');
}

function doneWith(
  form: PackForm,
  { made, executablePath }: { made: string; executablePath: string },
): string {
  if (form === 'deb') return `Made the package. Install it with: sudo apt install ${made}`;
  if (form === 'windows')
    return `Made ${made}, and the zip beside it. The app is in ${dirname(executablePath)}`;
  return `Packed the app. Start it with: ${executablePath}`;
}

const options = readPackOptions(process.argv.slice(2));
switch (options.kind) {
  case 'help':
    process.stdout.write(usage);
    break;
  case 'misused':
    process.stderr.write(`${options.reason}\n\n${usage}`);
    process.exitCode = 2;
    break;
  case 'pack':
    try {
      const tell = (line: string): boolean => process.stderr.write(`${capitalised(line)}\n`);
      await pack({ form: options.form, tell });
    } catch (error) {
      process.stderr.write(`${sentenceOf(error)}\n`);
      process.exitCode = 1;
    }
}
