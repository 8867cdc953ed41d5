/** Prints a line on stderr, where the desktop app reports what no window can show. */
export function printLine(line: string): void {
  process.stderr.write(`${line}\n`);
}
