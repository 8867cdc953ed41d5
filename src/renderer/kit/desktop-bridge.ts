import { type Bridge, type BridgeCall, goEvent } from '../../contract/window/bridge.ts';
import { goTo } from './navigation.ts';

/**
 * What the desktop app offers its windows beyond the service.
 *
 * Any call may be missing: the app around the window may be older than the window, or a browser.
 */
export type Desktop = {
  readonly [C in BridgeCall]?: (...given: Parameters<Bridge[C]>) => ReturnType<Bridge[C]>;
};

const calls: readonly BridgeCall[] = [
  'quit',
  'restart',
  'readSwitch',
  'setSwitch',
  'readTrayDrawing',
  'setTrayDrawing',
  'showDataFolder',
  'copySecret',
  'checkForUpdates',
  'readTeamHost',
  'connectTeamHost',
  'disconnectTeamHost',
];

/** The desktop app around this window, or nothing when the window is a tab of a browser. */
export const desktop = readDesktop(Reflect.get(globalThis, 'rotavox'));

/** Of what stands in the bridge's place, those calls that we know. */
export function readDesktop(bridge: unknown): Desktop | undefined {
  if (typeof bridge !== 'object' || bridge === null) return undefined;
  const offered = calls.filter((call) => typeof Reflect.get(bridge, call) === 'function');
  return Object.fromEntries(offered.map((call) => [call, Reflect.get(bridge, call) as unknown]));
}

/** Why the desktop app did not do something, without what Electron puts before it. */
export function desktopWords(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^Error invoking remote method '[^']*': (?:Error: )?/, '');
}

/**
 * Goes where the desktop app around this window leads: the tray's menu, a link from elsewhere.
 *
 * Not away from a dialog: what is being written in it, or a value that is shown once, would be lost. Whoever asked sees
 * the window, and the dialog in it.
 */
export function followShell(): void {
  addEventListener(goEvent, (event) => {
    const path: unknown = event instanceof CustomEvent ? event.detail : undefined;
    if (typeof path !== 'string' || document.querySelector('dialog[open]') !== null) return;
    goTo(path);
  });
}
