import { app } from 'electron';
import { type ChildProcess, spawn } from 'node:child_process';
import type { DesktopSwitch } from '../contract/window/bridge.ts';
import { desktopLine, startAgainText } from '../text/service/desktop-text.ts';
import { environmentOutsideMount, ownAppImage } from './updates/replace-app-image.ts';
import { printLine } from './print-line.ts';
import type { ShellMemory } from './shell-memory.ts';
import { argumentsOfNext } from './start-again.ts';
import { afterKillFlag, hiddenFlag } from './start-options.ts';

/**
 * Waits for the app to end, and starts it again unless the app has said that it ends by itself.
 *
 * A shell that reads from a pipe: it takes half a megabyte and no time, and it sees every end, also SIGKILL and one for want of
 * memory, as the end of the pipe. It becomes the app itself.
 */
const script = 'read -r word; [ "$word" = bye ] || { sleep 0.3; exec "$0" "$@"; }';

/** After as many ends within this time the app does not start again: something ends it whenever it runs. */
const mostKills = 5;
const withinMs = 10 * 60_000;

/** Starts an installed app again after something has ended it. Not on Windows, which has no such shell. */
// see decisions/start-again-after-a-kill.md
export class RestartGuard {
  readonly #memory: ShellMemory;
  #child: ChildProcess | null = null;

  constructor(memory: ShellMemory) {
    this.#memory = memory;
  }

  /** Counts this start, if it is one after a kill, and begins to watch. */
  begin(): void {
    if (process.argv.includes(afterKillFlag)) {
      const now = Date.now();
      const recent = (this.#memory.remembered.kills ?? []).filter((at) => Math.abs(now - at) < withinMs);
      const kills = [...recent, now];
      this.#memory.keep({ kills });
      printLine(kills.length < mostKills ? desktopLine.startedAfterKill : desktopLine.endedTooOften);
      if (kills.length >= mostKills) return;
    }
    process.on('exit', () => this.#end());
    if (this.#isOn) this.#start();
  }

  read(): DesktopSwitch {
    return { isOn: isPossible && this.#isOn, isPossible, note: isPossible ? null : startAgainText.notHere };
  }

  set(isOn: boolean): DesktopSwitch {
    this.#memory.keep({ startsAgain: isOn });
    if (isOn) this.#start();
    else this.#end();
    return this.read();
  }

  get #isOn(): boolean {
    return this.#memory.remembered.startsAgain ?? true;
  }

  #start(): void {
    if (!isPossible || this.#child !== null) return;
    const program = ownAppImage(process) ?? process.execPath;
    const child = spawn('/bin/sh', ['-c', script, program, ...argumentsOfNext([hiddenFlag, afterKillFlag])], {
      cwd: '/',
      // In a session of its own: what ends the app's group or its terminal ends only the app.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: environmentOutsideMount(process.env),
    });
    child.on('error', (error) => printLine(desktopLine.notGuarded(error.message)));
    child.stdin.on('error', () => undefined); // it was ended itself
    child.unref();
    this.#child = child;
  }

  #end(): void {
    this.#child?.stdin?.end('bye\n');
    this.#child = null;
  }
}

const isPossible = app.isPackaged && process.platform !== 'win32';
