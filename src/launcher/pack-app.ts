import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkoutDir } from './checkout.ts';
import { makeDebianPackage } from './debian-package.ts';
import { findElectronRuntime, type RuntimeOrigin } from './electron-runtime.ts';
import { ensureBuilt } from './ensure-built.ts';
import { copiedElectronName } from './npm-electron-copy.ts';
import { builderArguments, runBuilder } from './run-builder.ts';
import { sentenceOf } from './sentence-of.ts';

type Tell = (line: string) => void;

/** `folder`: the unpacked app. `installers`: all of this platform. `deb`: the Debian package alone. */
export type PackForm = 'folder' | 'installers' | 'deb';

export interface PackRequest {
  readonly form: PackForm;
  /** Gets one line for each slow step and each warning. */
  readonly tell: Tell;
}

export interface PackedApp {
  readonly executablePath: string;
  /** The source of the Electron in it. */
  readonly origin: RuntimeOrigin;
}

interface Ingredients {
  readonly distDir: string;
  readonly version: string;
  readonly origin: RuntimeOrigin;
}

/**
 * Packs the app, or makes installers, into `release/`; builds first if the build is stale. Returns what it made.
 *
 * Nothing is downloaded for the app: it gets the Electron that the launcher would start. Installers get the official
 * Electron or are refused; a Debian package with another one says so in its version. Throws an Error that says what failed
 * and what to do.
 */
export async function packApp({ form, tell }: PackRequest): Promise<PackedApp & { readonly made: string }> {
  const electron = await findIngredients(tell);
  const refusal = form === 'installers' ? whyNoInstallers(electron.origin) : undefined;
  if (refusal !== undefined) throw new Error(refusal);
  if (form === 'deb') {
    const packed = await ensurePacked({ tell });
    return { ...packed, made: packDebian(electron, tell) };
  }
  await ensureBuilt({ tell });
  const packed = await pack(electron, { form, tell });
  if (form === 'installers' && process.platform === 'linux') packDebian(electron, tell);
  return { ...packed, made: form === 'folder' ? packed.executablePath : join(checkoutDir, 'release') };
}

/** The app as `packApp` left it if its inputs are unchanged; otherwise packed again. */
export async function ensurePacked({ tell }: { tell: Tell }): Promise<PackedApp> {
  const electron = await findIngredients(tell);
  await ensureBuilt({ tell });
  const executablePath = packedExecutable(checkoutDir);
  if (existsSync(executablePath) && isPackageFresh(checkoutDir, electron))
    return { executablePath, origin: electron.origin };
  return await pack(electron, { form: 'folder', tell });
}

async function pack(
  electron: Ingredients,
  { form, tell }: { form: 'folder' | 'installers'; tell: Tell },
): Promise<PackedApp> {
  tell(`Packing Rotavox with Electron ${electron.version} …`);
  const fingerprint = fingerprintOfPackage(checkoutDir, electron); // taken before, so that a file saved meanwhile counts as changed
  rmSync(packStampFile(checkoutDir), { force: true }); // an incomplete package is not fresh
  const hooks = {
    afterExtract: fileURLToPath(import.meta.resolve('./leave-out-default-app.ts')),
    afterPack: fileURLToPath(import.meta.resolve('./command-line-folder.ts')),
  };
  const installers = form === 'installers';
  await runBuilder(builderArguments({ ...electron, ...hooks, installers }), { tell });
  if (!installers) stampPackage(checkoutDir, fingerprint);
  return { executablePath: packedExecutable(checkoutDir), origin: electron.origin };
}

function packDebian({ version, origin }: Ingredients, tell: Tell): string {
  tell('Making the Debian package …');
  const appDir = dirname(packedExecutable(checkoutDir));
  return makeDebianPackage({ checkout: checkoutDir, appDir, electronVersion: version, origin });
}

async function findIngredients(tell: Tell): Promise<Ingredients> {
  const runtime = await findElectronRuntime({ tell });
  if (runtime.kind === 'missing')
    throw new Error(`Rotavox was not packed: there is no Electron to pack it with, ${runtime.reason}.`);
  const versionFile = join(runtime.distDir, 'version');
  if (!existsSync(versionFile)) {
    throw new Error(
      `Rotavox was not packed: ${runtime.distDir} has no file "version" that says which Electron it is. ` +
        'Use the folder of an Electron release as it was unpacked.',
    );
  }
  const version = readFileSync(versionFile, 'utf8').trim().replace(/^v/, '');
  return { distDir: runtime.distDir, version, origin: runtime.origin };
}

export type PackOptions =
  | { readonly kind: 'pack'; readonly form: PackForm }
  | { readonly kind: 'help' }
  | { readonly kind: 'misused'; readonly reason: string };

/** What the arguments of `npm run pack` ask for. */
export function readPackOptions(args: readonly string[]): PackOptions {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        installers: { type: 'boolean', default: false },
        deb: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return { kind: 'help' };
    if (values.installers && values.deb)
      return { kind: 'misused', reason: '--deb is one of the --installers: give one of the two.' };
    return { kind: 'pack', form: values.installers ? 'installers' : values.deb ? 'deb' : 'folder' };
  } catch (error) {
    return { kind: 'misused', reason: sentenceOf(error) };
  }
}

/** The inputs of a package besides the runtime, relative to the checkout: the build, by its stamp, and how it is packed. */
const ingredientFiles = [join('out', 'build-stamp.txt'), 'electron-builder.yml', 'LICENSE'];
const keyFile = join('resources', 'update-key.pem'); // a checkout may have none
const recipeDir = join('src', 'launcher');

interface Runtime {
  readonly distDir: string;
  readonly version: string;
}

/** The file that records the inputs of the package in `release/`; without it the package counts as stale. */
export function packStampFile(checkout: string): string {
  return join(checkout, 'release', 'pack-stamp.txt');
}

/** Whether `release/` was packed from the current build, configuration and runtime. */
export function isPackageFresh(checkout: string, runtime: Runtime): boolean {
  const stamp = packStampFile(checkout);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprintOfPackage(checkout, runtime);
}

/** Records what `release/` was packed from, as `fingerprintOfPackage` returned before the packing began. */
export function stampPackage(checkout: string, fingerprint: string): void {
  writeFileSync(packStampFile(checkout), fingerprint);
}

/** One line that changes whenever the build, the packing configuration or the runtime does. */
export function fingerprintOfPackage(checkout: string, { distDir, version }: Runtime): string {
  const recipeFiles = readdirSync(join(checkout, recipeDir))
    .sort()
    .map((file) => join(recipeDir, file));
  const hash = createHash('sha256').update(`${distDir}\0${version}\n`);
  const keys = existsSync(join(checkout, keyFile)) ? [keyFile] : [];
  for (const file of [...ingredientFiles, ...keys, ...recipeFiles])
    hash.update(`${file}\0`).update(readFileSync(join(checkout, file)));
  return hash.digest('hex');
}

/**
 * The path of the packed app's executable, where electron-builder puts it: the folder names the processor unless it is
 * the usual one, x64.
 */
export function packedExecutable(
  checkout: string,
  { platform = process.platform, arch = process.arch }: { platform?: NodeJS.Platform; arch?: string } = {},
): string {
  const release = join(checkout, 'release');
  const suffix = arch === 'x64' ? '' : `-${arch}`;
  if (platform === 'darwin')
    return join(release, `mac${suffix}`, 'Rotavox.app', 'Contents', 'MacOS', 'Rotavox');
  if (platform === 'win32') return join(release, `win${suffix}-unpacked`, 'Rotavox.exe');
  return join(release, `linux${suffix}-unpacked`, 'rotavox');
}

const reasons: Readonly<Record<RuntimeOrigin, string | undefined>> = {
  official: undefined,
  override:
    'Installers are made with the official Electron only, and ELECTRON_OVERRIDE_DIST_PATH names another one: unset it and try again.',
  'npm-copy': `Installers are made with the official Electron only, and only ${copiedElectronName} is available here: try again where Electron's release host can be reached.`,
};

/**
 * Why an Electron from this source may not be used for an installer, or nothing if it may.
 *
 * An installer runs on other people's machines, so its Electron must be the official release.
 * An override may point to exactly that, but this cannot be verified here.
 */
export function whyNoInstallers(origin: RuntimeOrigin): string | undefined {
  return reasons[origin];
}
