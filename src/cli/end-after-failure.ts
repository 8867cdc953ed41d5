import { setTimeout as wait } from 'node:timers/promises';
import { serveText } from '../text/cli/cli-service.ts';
import { stackOf } from '../text/service/stack-of.ts';
import { type ExitCode, exitCodes } from './command-failure.ts';
import { commandIo } from './command-io.ts';
import { say } from './terminal.ts';

interface Closable {
  close(): Promise<void>;
}

/** What is needed of the process. */
interface Program {
  exitCode?: number | string | null | undefined;
  uptime(): number;
  exit(): void;
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown;
}

/** How long a service that has failed may take to close, in milliseconds. */
const closeLimitMs = 10_000;
/** How many failures are said: what follows from the first one may repeat itself. */
const mostSaid = 5;
/** The shortest run of a service that fails, in milliseconds, where nobody looks at it: what restarts it does so within seconds. */
const shortestFailedRunMs = 60_000;

/**
 * Ends the program after an exception that nobody has caught: says it, closes the journal, and has the exit code that makes a service
 * manager or a container start it again. A service in an unknown state must not go on, and tokens must not expire because of a bug.
 */
// see decisions/background-service.md
export function endAfterFailure(
  starting: Promise<Closable>,
  stop: Promise<unknown>,
  program: Program = process,
): Promise<never> {
  return new Promise(() => {
    let failures = 0;
    const fail = (error: unknown): void => {
      failures += 1;
      program.exitCode = exitCodes.failed;
      if (failures <= mostSaid) say(...serveText.unexpected(stackOf(error)));
      if (failures === 1) void end();
    };
    const end = async (): Promise<void> => {
      // A start that fails, too, has closed what it had opened.
      await Promise.race([starting.then(closeHost, () => undefined), wait(closeLimitMs)]);
      say(serveText.endedByFailure);
      const restMs = shortestFailedRunMs - program.uptime() * 1000;
      if (restMs > 0 && !commandIo().stderr.isTTY) await Promise.race([stop, wait(restMs)]);
      program.exit();
    };
    program.on('uncaughtException', fail);
    program.on('unhandledRejection', fail);
  });
}

/** Closes a host, and says what of it failed. */
export async function closeHost(host: Closable): Promise<ExitCode> {
  try {
    await host.close();
    return exitCodes.done;
  } catch (error) {
    say(serveText.notClosed(error instanceof Error ? error.message : String(error)));
    return exitCodes.failed;
  }
}
