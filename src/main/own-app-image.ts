import { existsSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';

/**
 * The AppImage that this very program runs from.
 *
 * `APPIMAGE` alone does not say so: a program that is started from a terminal inside another AppImage inherits it, and
 * would act on that other program.
 */
export function ownAppImage({
  env,
  execPath,
}: {
  readonly env: NodeJS.ProcessEnv;
  readonly execPath: string;
}): string | null {
  const file = env['APPIMAGE'];
  const mount = env['APPDIR'];
  if (!file || !mount || !existsSync(file) || !existsSync(mount)) return null;
  return execPath.startsWith(realpathSync(mount) + sep) ? file : null;
}
