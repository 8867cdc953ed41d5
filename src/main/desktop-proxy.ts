import { app } from 'electron';

/**
 * What the desktop says about the proxy for an address, in the words of a PAC file: Chromium reads the settings of the system, or the
 * switches that the app was started with, and runs their PAC file where there is one.
 *
 * Not asked of a session: one of its own does not know the switches, and fetches dictionaries from the network.
 */
export async function askDesktop(url: string): Promise<string> {
  await app.whenReady();
  return app.resolveProxy(url);
}
