import type { RuntimeOrigin } from './electron-runtime.ts';
import { copiedElectronName } from './npm-electron-copy.ts';

const reasons: Readonly<Record<RuntimeOrigin, string | undefined>> = {
  official: undefined,
  override:
    'Installers are made with the official Electron only, and ELECTRON_OVERRIDE_DIST_PATH names another one: unset it and try again.',
  'npm-copy': `Installers are made with the official Electron only, and here is just ${copiedElectronName}: try again where Electron's release host can be reached.`,
};

/**
 * Why an Electron from this origin goes into no installer, or nothing when it may.
 *
 * An installer runs on machines of people who trust us, so its Electron has to be the one that its makers released.
 * What an override points to may be just that, but nothing here can tell.
 */
export function whyNoInstallers(origin: RuntimeOrigin): string | undefined {
  return reasons[origin];
}
