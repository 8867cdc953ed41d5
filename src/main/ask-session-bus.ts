import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export interface BusQuestion {
  readonly destination: string;
  readonly path: string;
  readonly method: string;
  /** As `dbus-send` takes them: `string:…`. */
  readonly given?: readonly string[];
  /** How long the bus may take to answer, in milliseconds. */
  readonly answerLimitMs: number;
}

/**
 * What somebody on the session's message bus answers; null for no answer, `undefined` where nobody can say.
 *
 * Asked in a process of its own, for one that hangs must not hold ours up, by the bus's own program, which is there where
 * the bus is.
 */
export async function askSessionBus(question: BusQuestion): Promise<string | null | undefined> {
  const { destination, path, method, given = [], answerLimitMs } = question;
  const address = sessionBus(process.env);
  if (address === undefined) return null;
  try {
    const { stdout } = await execute(
      'dbus-send',
      [
        `--bus=${address}`,
        '--print-reply',
        `--reply-timeout=${answerLimitMs}`,
        `--dest=${destination}`,
        path,
        method,
        ...given,
      ],
      { timeout: 2 * answerLimitMs },
    );
    return stdout;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : null;
  }
}

/** The address of the session's bus. Left to find it by itself, the program would start one, which would stay behind. */
function sessionBus(env: NodeJS.ProcessEnv): string | undefined {
  if (env['DBUS_SESSION_BUS_ADDRESS']) return env['DBUS_SESSION_BUS_ADDRESS'];
  return env['XDG_RUNTIME_DIR'] ? `unix:path=${env['XDG_RUNTIME_DIR']}/bus` : undefined;
}
