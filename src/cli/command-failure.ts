/**
 * A command did not do what it was asked: what it says on stderr, and the exit code that says of which kind it is.
 *
 * A sentence stays on its line, whatever names are in it; what needs several is given as lines.
 */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;
  readonly lines: readonly string[];

  constructor(exitCode: ExitCode, words: string | readonly string[], options?: { cause: unknown }) {
    const lines = typeof words === 'string' ? [words] : words;
    super(lines.join('\n'), options);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
    this.lines = lines;
  }
}

export function wrongUsage(words: string | readonly string[]): CommandFailure {
  return new CommandFailure(exitCodes.wrongUsage, words);
}

/** What a command's exit code says (interfaces.md, "CLI"). */
export const exitCodes = { done: 0, failed: 1, wrongUsage: 2, notRunning: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
