/*
 * The bridge between a sandboxed window and the Electron shell.
 *
 * Here: at most six calls that only the desktop can answer, each a verb, none of them a channel. Not here: anything the
 * service offers over HTTP, for the same window also runs in a browser, where `rotavox` is simply not there. Who may
 * call, and with what, is checked on the other side, in src/main/bridge.ts.
 */
import { contextBridge, ipcRenderer } from 'electron';
import { type Bridge, type BridgeCall, channelOf, goChannel, goEvent } from '../contract/bridge.ts';

function ask(call: BridgeCall, ...given: unknown[]): Promise<never> {
  return ipcRenderer.invoke(channelOf(call), ...given) as Promise<never>;
}

const bridge: Bridge = {
  quit: () => ask('quit'),
  readOpenAtLogin: () => ask('readOpenAtLogin'),
  setOpenAtLogin: (isOn) => ask('setOpenAtLogin', isOn),
  showDataFolder: () => ask('showDataFolder'),
  copySecret: (secret) => ask('copySecret', secret),
  checkForUpdates: () => ask('checkForUpdates'),
};
contextBridge.exposeInMainWorld('rotavox', bridge);

ipcRenderer.on(goChannel, (_event, path: string) => {
  dispatchEvent(new CustomEvent(goEvent, { detail: path }));
});
