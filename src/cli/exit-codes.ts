/** What a command's exit code says (interfaces.md, "CLI"). */
export const exitCodes = { done: 0, failed: 1, wrongUsage: 2, notRunning: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
