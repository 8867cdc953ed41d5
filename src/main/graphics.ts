import { app } from 'electron';
import type { DesktopSwitch } from '../contract/window/bridge.ts';
import { graphicsText } from '../text/service/desktop-text.ts';
import { GraphicsEnds } from './graphics-ends.ts';
import type { ShellMemory } from './shell-memory.ts';
import { noWindowsFlag } from './start-options.ts';

/** What is remembered where a person has turned the graphics processor off; otherwise the version in which it failed. */
const byPerson = 'always';

const ends = new GraphicsEnds();

/**
 * Before the app is ready: leaves the graphics processor alone where it has failed in this version, or a person wants that.
 *
 * Chromium would end the whole program after a few ends of its graphics process, in some modes after three within an hour
 * (content/browser/gpu/gpu_process_host.cc): here `graphicsEnded` decides.
 */
export function useGraphics(memory: ShellMemory): void {
  app.commandLine.appendSwitch('disable-gpu-process-crash-limit');
  if (process.argv.includes(noWindowsFlag)) {
    // Without a process that would end again and again.
    app.commandLine.appendSwitch('in-process-gpu');
    app.commandLine.appendSwitch('disable-gpu');
  }
  if (isOff(memory)) app.disableHardwareAcceleration();
}

/**
 * Counts an end of the graphics process, and says what the app does about it.
 *
 * `restart`: without the graphics processor, which is remembered. `no_windows`: it ends without that too, and each window
 * would have it begin again at once.
 */
export function graphicsEnded(memory: ShellMemory): 'goes_on' | 'restart' | 'no_windows' {
  if (!ends.isTooMany(Date.now())) return 'goes_on';
  if (isOff(memory)) return 'no_windows';
  memory.keep({ graphicsOff: app.getVersion() });
  return 'restart';
}

export function readGraphics(memory: ShellMemory): DesktopSwitch {
  const off = memory.remembered.graphicsOff;
  const isOn = !isOff(memory);
  const note = isOn || off === byPerson ? null : graphicsText.failed;
  return { isOn, isPossible: true, note };
}

/** From the next start on. */
export function setGraphics(memory: ShellMemory, isOn: boolean): DesktopSwitch {
  memory.keep({ graphicsOff: isOn ? null : byPerson });
  return { ...readGraphics(memory), note: graphicsText.nextStart };
}

function isOff({ remembered: { graphicsOff } }: ShellMemory): boolean {
  return graphicsOff === byPerson || graphicsOff === app.getVersion();
}
