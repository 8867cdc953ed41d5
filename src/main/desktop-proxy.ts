import { app, session } from 'electron';

/**
 * What the desktop says about the proxy for an address, in the words of a PAC file: Chromium reads the settings of the system, and
 * runs its PAC file where there is one.
 */
export async function askDesktop(url: string): Promise<string> {
  await app.whenReady();
  return session.fromPartition('network').resolveProxy(url);
}
