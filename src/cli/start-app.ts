import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type AppLog, beginAppLog } from '../host/app-log.ts';
import { type AppEnd, appFailureIn, appStartText, launcherBegin } from '../text/service/app-start.ts';
import { appText } from '../text/cli/cli-service.ts';
import { desktopLine, noWindowsBegin, notStartedBegin } from '../text/service/desktop-text.ts';
import { CommandFailure, exitCodes } from './command-failure.ts';
import { findService } from './find-service.ts';

export interface AppToStart {
  readonly program: readonly [program: string, ...args: string[]];
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
  /** How long it may take until its service answers, in milliseconds. */
  readonly limitMs?: number;
}

const usualLimitMs = 10_000;
const lookMs = 100;
const settleMs = 1_000;
/** How long a running app may take to answer that it runs. */
const answerMs = 5_000;

/**
 * Starts the desktop app, which goes on when this process ends, and waits until its service answers or it ends.
 *
 * Answers what to tell the person. Throws a `CommandFailure` with the cause and the remedy when it ended, or says itself why it
 * cannot start. What it prints goes to a log.
 */
export async function startDesktopApp(wanted: AppToStart): Promise<readonly string[]> {
  const { dataDir, env, limitMs = usualLimitMs } = wanted;
  const before = serviceIn(dataDir);
  const log = beginAppLog(dataDir, new Date()) ?? temporaryLog();
  const child = await spawned(wanted, log);
  const ended = endOf(child);
  const printed = (): string => readFileSync(log.path, 'utf8');
  /** After how many restarts each service was seen first: the one of an earlier run is about to end. */
  const seen = new Map<string, number>();
  const untilMs = Date.now() + limitMs;
  for (;;) {
    const end = ended();
    const text = printed();
    if (text.includes(desktopLine.windowShown)) return [appStartText.shown];
    if (text.includes(desktopLine.alreadyRunning)) return [appStartText.runsAlready];
    const restarts = restartsIn(text);
    // One that restarts ends with 0, and another process goes on.
    if ((end !== null && restarts === 0) || text.includes(notStartedBegin)) {
      const signal = end !== null && 'signal' in end ? end.signal : null;
      const found = appFailureIn(text, signal, notStartedBegin);
      // Chromium says nothing of memory that ends while it is used.
      const isShort = found.kind === 'other' && signal !== null && freeSharedBytes() < leastSharedBytes;
      const failure = isShort ? ({ kind: 'shared_memory' } as const) : found;
      const [display = 'this session'] = [env['DISPLAY'], env['WAYLAND_DISPLAY']].filter(isSet);
      const lines = appStartText.failed(end, failure, { display, log: log.path });
      throw new CommandFailure(exitCodes.failed, lines);
    }
    const service = serviceIn(dataDir);
    if (service !== null && !seen.has(service)) seen.set(service, restarts);
    if (
      service !== null &&
      service !== before &&
      seen.get(service) === restarts &&
      (await answers(service))
    ) {
      await wait(settleMs);
      if (restartsIn(printed()) > restarts || serviceIn(dataDir) !== service) continue;
      const why = printed()
        .split('\n')
        .find((line) => line.startsWith(launcherBegin) || line.startsWith(noWindowsBegin));
      const up = why === undefined ? [appStartText.up(service)] : appStartText.withoutWindow(why, service);
      return [...up, appStartText.log(log.path)];
    }
    if (Date.now() >= untilMs) return [appStartText.still(limitMs / 1000), appStartText.log(log.path)];
    await wait(lookMs);
  }
}

async function spawned({ program: [program, ...args], env }: AppToStart, log: AppLog): Promise<ChildProcess> {
  const child = spawn(program, args, { detached: true, stdio: ['ignore', log.fd, log.fd], env });
  closeSync(log.fd);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) =>
      reject(new CommandFailure(exitCodes.failed, appText.failed(program, cause.message), { cause })),
    );
  });
  child.unref();
  return child;
}

/** How it ended, as soon as it has. */
function endOf(child: ChildProcess): () => AppEnd {
  let end: AppEnd = null;
  child.once('exit', (code, signal) => {
    end = signal === null ? { code: code ?? 0 } : { signal };
  });
  return () => end;
}

/** Where the running service of a folder is; null without one. */
function serviceIn(dataDir: string): string | null {
  try {
    return findService(dataDir).baseUrl;
  } catch (error) {
    if (error instanceof CommandFailure) return null;
    throw error;
  }
}

/** How often the app has said that it restarts, because something fails here. */
function restartsIn(text: string): number {
  return text.split('\n').filter((line) => line === desktopLine.graphicsOff || line === desktopLine.noWindows)
    .length;
}

async function answers(baseUrl: string): Promise<boolean> {
  try {
    return (await fetch(`${baseUrl}/v1/health`, { signal: AbortSignal.timeout(answerMs) })).ok;
  } catch {
    return false; // it is asked again
  }
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}

/** For a first start: the data folder is made by the service. */
function temporaryLog(): AppLog {
  const path = join(mkdtempSync(join(tmpdir(), 'rotavox-app-')), 'app.log');
  return { path, fd: openSync(path, 'a', 0o600) };
}

/** Less than Chromium needs for a window. */
export const leastSharedBytes = 60_000_000;

/** How much shared memory is left on Linux, as Chromium uses it. */
function freeSharedBytes(): number {
  if (process.platform !== 'linux') return Infinity;
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize;
  } catch {
    return Infinity; // there is none, which has a message of its own
  }
}
