/*
 * The bridge between a sandboxed window and the Electron shell.
 *
 * Here: few calls that only the desktop can answer, each a verb, none of them a channel; none for pages of another machine. Not here: anything the
 * service offers over HTTP, for the same window also runs in a browser, where `rotavox` is simply not there. Who may
 * call, and with what, is checked on the other side, in src/main/serve-bridge.ts.
 */
import { contextBridge, ipcRenderer } from 'electron';
import {
  type Bridge,
  type BridgeCall,
  channelOf,
  goChannel,
  goEvent,
  teamPageFlag,
} from '../contract/window/bridge.ts';

function ask(call: BridgeCall, ...given: unknown[]): Promise<never> {
  return ipcRenderer.invoke(channelOf(call), ...given) as Promise<never>;
}

const bridge: Bridge = {
  quit: () => ask('quit'),
  restart: () => ask('restart'),
  readSwitch: (name) => ask('readSwitch', name),
  setSwitch: (name, isOn) => ask('setSwitch', name, isOn),
  readTrayDrawing: () => ask('readTrayDrawing'),
  setTrayDrawing: (drawing) => ask('setTrayDrawing', drawing),
  showDataFolder: () => ask('showDataFolder'),
  copySecret: (secret) => ask('copySecret', secret),
  checkForUpdates: () => ask('checkForUpdates'),
  readTeamHost: () => ask('readTeamHost'),
  connectTeamHost: (url, key) => ask('connectTeamHost', url, key),
  disconnectTeamHost: () => ask('disconnectTeamHost'),
};
// The owner of another machine must not be able to do anything on this one. The shell refuses its calls as well.
if (!process.argv.includes(teamPageFlag)) contextBridge.exposeInMainWorld('rotavox', bridge);

ipcRenderer.on(goChannel, (_event, path: string) => {
  dispatchEvent(new CustomEvent(goEvent, { detail: path }));
});
