import { CommandFailure, exitCodes } from './command-failure.ts';

/**
 * Does in this process what a host does. What the host refuses ends the command with its sentence; why it refuses is loaded only then,
 * so that no command waits for it.
 */
export async function withHost<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const { HostError } = await import('../host/host-error.ts');
    if (!(error instanceof HostError)) throw error;
    throw new CommandFailure(exitCodes.failed, error.message, { cause: error });
  }
}
