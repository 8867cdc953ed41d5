import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { systemCodeOf } from './file-trouble.ts';
import { hasProcessGroups, isGroupAlive, signalGroup } from './process-group.ts';

export interface HookRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** What it reads on its stdin. */
  readonly input: string;
  readonly timeLimitMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onOutput: (stream: 'stdout' | 'stderr', chunk: Buffer) => void;
}

export type HookEnd =
  | { readonly kind: 'exited'; readonly exitCode: number }
  | { readonly kind: 'killed'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'not_started'; readonly code: string }
  | { readonly kind: 'time_limit' | 'stopped' };

/** For what it leaves unfinished when it is asked to end. */
const tidyUpMs = 2_000;
/** For the rest of its output, when it left something running that holds the pipes open. */
const drainMs = 250;

type Hook = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Runs a program to its end, or ends it with everything it started: SIGTERM, then SIGKILL.
 *
 * Without a shell. What it leaves running when it ends by itself stays: a hook may start a service.
 */
export function runHook(run: HookRun): Promise<HookEnd> {
  return new Promise((resolve) => {
    let hook: Hook;
    try {
      hook = startHook(run);
    } catch (error) {
      // Some failures to start are thrown, others come as an event.
      const code = systemCodeOf(error);
      if (code === null) throw error;
      return resolve({ kind: 'not_started', code });
    }

    let cutShort: 'time_limit' | 'stopped' | null = null;
    let ended: HookEnd | null = null;
    let afterward: NodeJS.Timeout | undefined;
    const cut = (reason: 'time_limit' | 'stopped'): void => {
      if (cutShort !== null || ended !== null) return;
      cutShort = reason;
      signalGroup(hook, 'SIGTERM');
      afterward = setTimeout(() => {
        signalGroup(hook, 'SIGKILL');
        settle({ kind: reason });
      }, tidyUpMs);
    };
    const stop = (): void => cut('stopped');
    const settle = (end: HookEnd): void => {
      clearTimeout(limit);
      clearTimeout(afterward);
      run.signal?.removeEventListener('abort', stop);
      hook.stdout.destroy();
      hook.stderr.destroy();
      resolve(end);
    };

    const limit = setTimeout(() => cut('time_limit'), run.timeLimitMs);
    run.signal?.addEventListener('abort', stop);
    hook.on('error', (error) => {
      if (hook.pid === undefined) settle({ kind: 'not_started', code: systemCodeOf(error) ?? 'unknown' });
    });
    hook.on('exit', (exitCode, signal) => {
      if (cutShort === null) {
        ended = signal === null ? { kind: 'exited', exitCode: exitCode ?? 0 } : { kind: 'killed', signal };
        afterward = setTimeout(settle, drainMs, ended);
      } else if (!isGroupAlive(hook)) {
        // Otherwise what it started is still tidying up and has the rest of its time.
        settle({ kind: cutShort });
      }
    });
    hook.on('close', () => {
      if (ended !== null) settle(ended);
    });
    if (run.signal?.aborted === true) stop();
  });
}

function startHook({ program, args, env, input, onOutput }: HookRun): Hook {
  const hook = spawn(program, args, {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: hasProcessGroups,
    windowsHide: true,
  });
  hook.stdout.on('data', (chunk: Buffer) => onOutput('stdout', chunk));
  hook.stderr.on('data', (chunk: Buffer) => onOutput('stderr', chunk));
  hook.stdin.on('error', () => {
    // It does not read (EPIPE), which it need not. Whether it did its work is for its exit code to say.
  });
  hook.stdin.end(input);
  return hook;
}
