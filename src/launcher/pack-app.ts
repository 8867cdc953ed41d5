import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkoutDir } from './checkout.ts';
import { nodeVariable } from './command-line-folder.ts';
import { makeDebianPackage } from './debian-package.ts';
import { findElectronRuntime, type RuntimeOrigin } from './electron-runtime.ts';
import { ensureBuilt } from './ensure-built.ts';
import { fetchNpmCopy, nameOfCopy, versionOfCopy } from './npm-copies.ts';
import { builderArguments, runBuilder } from './run-builder.ts';
import { sentenceOf } from './sentence-of.ts';
import { makeWindowsPackages } from './windows-installer.ts';

type Tell = (line: string) => void;

/**
 * `folder`: the unpacked app. `installers`: all of this platform. `deb`: the Debian package alone. `windows`: the packages for
 * Windows, on any system.
 */
export type PackForm = 'folder' | 'installers' | 'deb' | 'windows';

/** The system that the app is packed for. */
export interface PackTarget {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
}

const ownSystem: PackTarget = { platform: process.platform, arch: process.arch };
/** The one other system that an app can be packed for: its programs are in the npm registry. */
const windowsTarget: PackTarget = { platform: 'win32', arch: 'x64' };

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

interface Ingredients extends Runtime {
  readonly origin: RuntimeOrigin;
  readonly target: PackTarget;
  /** The folder of a Node for another system; null where it is packed for this one. */
  readonly nodeDir: string | null;
}

/**
 * Packs the app, or makes installers, into `release/`; builds first if the build is stale. Returns what it made.
 *
 * Nothing is downloaded for the app: it gets the Electron that the launcher would start, and for another system a copy from the
 * npm registry. Installers get the official Electron or are refused; a Debian package, and packages for another system, with
 * another one say so in their version. Throws an Error that says what failed and what to do.
 */
export async function packApp({ form, tell }: PackRequest): Promise<PackedApp & { readonly made: string }> {
  const electron = await findIngredients(tell, form === 'windows' ? windowsTarget : ownSystem);
  const refusal = form === 'installers' ? whyNoInstallers(electron.origin) : undefined;
  if (refusal !== undefined) throw new Error(refusal);
  if (form === 'deb' || form === 'windows') {
    const packed = await ensurePackedWith(electron, tell);
    return { ...packed, made: form === 'deb' ? packDebian(electron, tell) : packWindows(electron, tell) };
  }
  await ensureBuilt({ tell });
  const inFolder = form === 'folder' || process.platform === 'win32';
  const packed = await pack(electron, { form: inFolder ? 'folder' : 'installers', tell });
  if (form === 'folder') return { ...packed, made: packed.executablePath };
  if (process.platform === 'linux') packDebian(electron, tell);
  if (process.platform === 'win32') packWindows(electron, tell);
  return { ...packed, made: join(checkoutDir, 'release') };
}

/** The app for this system as `packApp` left it if its inputs are unchanged; otherwise packed again. */
export async function ensurePacked({ tell }: { tell: Tell }): Promise<PackedApp> {
  return await ensurePackedWith(await findIngredients(tell, ownSystem), tell);
}

async function ensurePackedWith(electron: Ingredients, tell: Tell): Promise<PackedApp> {
  await ensureBuilt({ tell });
  const executablePath = packedExecutable(checkoutDir, electron.target);
  if (existsSync(executablePath) && isPackageFresh(checkoutDir, electron))
    return { executablePath, origin: electron.origin };
  return await pack(electron, { form: 'folder', tell });
}

async function pack(
  electron: Ingredients,
  { form, tell }: { form: 'folder' | 'installers'; tell: Tell },
): Promise<PackedApp> {
  tell(`Packing Rotavox with Electron ${electron.version} …`);
  const { target, nodeDir } = electron;
  const fingerprint = fingerprintOfPackage(checkoutDir, electron); // taken before, so that a file saved meanwhile counts as changed
  const stamp = packStampFile(checkoutDir, target);
  rmSync(stamp, { force: true }); // an incomplete package is not fresh
  const hooks = {
    afterExtract: fileURLToPath(import.meta.resolve('./leave-out-default-app.ts')),
    afterPack: fileURLToPath(import.meta.resolve('./command-line-folder.ts')),
  };
  const installers = form === 'installers';
  const env = {
    ROTAVOX_PACK_FOR: `${target.platform}-${target.arch}`, // read by electron-builder.yml
    ...(nodeDir === null ? {} : { [nodeVariable]: join(nodeDir, 'node.exe') }),
  };
  await runBuilder(builderArguments({ ...electron, ...target, ...hooks, installers }), { tell, env });
  if (!installers) writeFileSync(stamp, fingerprint);
  return { executablePath: packedExecutable(checkoutDir, target), origin: electron.origin };
}

function packDebian({ version, origin }: Ingredients, tell: Tell): string {
  tell('Making the Debian package …');
  const appDir = dirname(packedExecutable(checkoutDir));
  return makeDebianPackage({ checkout: checkoutDir, appDir, electronVersion: version, origin });
}

function packWindows({ version, origin, target }: Ingredients, tell: Tell): string {
  tell('Making the installer and the zip for Windows …');
  const appDir = dirname(packedExecutable(checkoutDir, target));
  const { arch } = target;
  return makeWindowsPackages({ checkout: checkoutDir, appDir, arch, electronVersion: version, origin });
}

async function findIngredients(tell: Tell, target: PackTarget): Promise<Ingredients> {
  if (target.platform !== process.platform) return await findForWindows(tell, target);
  const runtime = await findElectronRuntime({ tell });
  if (runtime.kind === 'missing')
    throw new Error(`Rotavox was not packed: there is no Electron to pack it with, ${runtime.reason}.`);
  const { distDir, origin } = runtime;
  return { distDir, version: versionOf(distDir), origin, target, nodeDir: null };
}

/** Electron and Node for Windows, on another system. */
async function findForWindows(tell: Tell, target: PackTarget): Promise<Ingredients> {
  const fetched = { tell, env: process.env };
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? '';
  const distDir = override === '' ? await fetchNpmCopy('windowsElectron', fetched) : override;
  if (!existsSync(join(distDir, 'electron.exe')))
    throw new Error(
      `Rotavox was not packed: ELECTRON_OVERRIDE_DIST_PATH is ${distDir}, where there is no electron.exe.`,
    );
  const needed = versionOfCopy('windowsNode');
  if (process.versions.node !== needed)
    throw new Error(
      `Rotavox was not packed: this is Node ${process.versions.node}, and only Node ${needed} can make the command line for Windows, ` +
        'which has that version inside. Run: npm ci, and then: npm run pack -- --for win32-x64',
    );
  const nodeDir = await fetchNpmCopy('windowsNode', fetched);
  const origin = override === '' ? 'npm-copy' : 'override';
  return { distDir, version: versionOf(distDir), origin, target, nodeDir };
}

function versionOf(distDir: string): string {
  const versionFile = join(distDir, 'version');
  if (!existsSync(versionFile)) {
    throw new Error(
      `Rotavox was not packed: ${distDir} has no file "version" that says which Electron it is. ` +
        'Use the folder of an Electron release as it was unpacked.',
    );
  }
  return readFileSync(versionFile, 'utf8').trim().replace(/^v/, '');
}

export type PackOptions =
  | { readonly kind: 'pack'; readonly form: PackForm }
  | { readonly kind: 'help' }
  | { readonly kind: 'misused'; readonly reason: string };

const windowsName = `${windowsTarget.platform}-${windowsTarget.arch}`;

/** What the arguments of `npm run pack` ask for. */
export function readPackOptions(args: readonly string[]): PackOptions {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        installers: { type: 'boolean', default: false },
        deb: { type: 'boolean', default: false },
        for: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return { kind: 'help' };
    if (values.installers && values.deb)
      return { kind: 'misused', reason: '--deb is one of the --installers: give one of the two.' };
    if (values.for === undefined) {
      if (values.installers) return { kind: 'pack', form: 'installers' };
      return { kind: 'pack', form: values.deb ? 'deb' : 'folder' };
    }
    if (values.for !== windowsName)
      return { kind: 'misused', reason: `--for can be ${windowsName} only, not ${values.for}.` };
    if (values.installers || values.deb)
      return {
        kind: 'misused',
        reason: '--for makes all packages: give no --installers and no --deb with it.',
      };
    return { kind: 'pack', form: 'windows' };
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
  readonly target?: PackTarget;
}

/** The file that records the inputs of the package in `release/`; without it the package counts as stale. */
export function packStampFile(checkout: string, { platform, arch }: PackTarget = ownSystem): string {
  return join(checkout, 'release', `pack-stamp-${platform}-${arch}.txt`);
}

/** Whether `release/` was packed from the current build, configuration and runtime. */
export function isPackageFresh(checkout: string, runtime: Runtime): boolean {
  const stamp = packStampFile(checkout, runtime.target);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprintOfPackage(checkout, runtime);
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
export function packedExecutable(checkout: string, { platform, arch }: PackTarget = ownSystem): string {
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
  'npm-copy': `Installers are made with the official Electron only, and only ${nameOfCopy('electron')} is available here: try again where Electron's release host can be reached.`,
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
