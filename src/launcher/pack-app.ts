import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { builderArguments } from './builder-arguments.ts';
import { checkoutDir } from './checkout.ts';
import { findElectronRuntime, type RuntimeOrigin } from './electron-runtime.ts';
import { ensureBuilt } from './ensure-built.ts';
import { fingerprintOfPackage, isPackageFresh, packStampFile, stampPackage } from './pack-stamp.ts';
import { packedExecutable } from './packed-executable.ts';
import { runBuilder } from './run-builder.ts';
import { whyNoInstallers } from './why-no-installers.ts';

type Tell = (line: string) => void;

export interface PackRequest {
  readonly installers: boolean;
  /** Gets one line for each thing that takes time or must be known. */
  readonly tell: Tell;
}

export interface PackedApp {
  readonly executablePath: string;
  /** Where the Electron in it came from. */
  readonly origin: RuntimeOrigin;
}

interface Ingredients {
  readonly distDir: string;
  readonly version: string;
  readonly origin: RuntimeOrigin;
}

/**
 * Packs the app, or makes the installers of this platform, into `release/`, and builds it first when the build is stale.
 *
 * Nothing is downloaded for the app: it gets the Electron that the launcher would start. Installers get the official
 * Electron or are refused. Throws an Error that says what failed and what to do.
 */
export async function packApp({ installers, tell }: PackRequest): Promise<PackedApp> {
  const electron = await findIngredients(tell);
  const refusal = installers ? whyNoInstallers(electron.origin) : undefined;
  if (refusal !== undefined) throw new Error(refusal);
  await ensureBuilt({ tell });
  return await pack(electron, { installers, tell });
}

/** The app as `packApp` left it when nothing it is made of has changed since, and otherwise packed anew. */
export async function ensurePacked({ tell }: { tell: Tell }): Promise<PackedApp> {
  const electron = await findIngredients(tell);
  await ensureBuilt({ tell });
  const executablePath = packedExecutable(checkoutDir);
  if (existsSync(executablePath) && isPackageFresh(checkoutDir, electron))
    return { executablePath, origin: electron.origin };
  return await pack(electron, { installers: false, tell });
}

async function pack(electron: Ingredients, { installers, tell }: PackRequest): Promise<PackedApp> {
  tell(`Packing Rotavox with Electron ${electron.version} …`);
  const fingerprint = fingerprintOfPackage(checkoutDir, electron); // before: a file saved meanwhile counts as changed
  rmSync(packStampFile(checkoutDir), { force: true }); // a package that is half made is not fresh
  const afterExtract = fileURLToPath(import.meta.resolve('./leave-out-default-app.ts'));
  await runBuilder(builderArguments({ ...electron, installers, afterExtract }), { tell });
  if (!installers) stampPackage(checkoutDir, fingerprint);
  return { executablePath: packedExecutable(checkoutDir), origin: electron.origin };
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
