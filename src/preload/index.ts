/*
 * The bridge between a sandboxed window and the Electron shell.
 *
 * Here: at most six calls that only the desktop can answer, each a verb, none of them a channel. Not here: anything the
 * service offers over HTTP, for the same window also runs in a browser, where `rotavox` is simply not there. Who may
 * call is checked on the other side, in src/main/bridge.ts.
 */
import { contextBridge, ipcRenderer } from 'electron';

contextBridge.exposeInMainWorld('rotavox', {
  /** Ends the desktop app, and the service with it, once everything acknowledged is safe. */
  quit: (): Promise<void> => ipcRenderer.invoke('rotavox:quit'),
});
