import { writeSync } from 'node:fs';
import { type AppLog, beginAppLog, isLogged } from '../host/app-log.ts';
import { desktopLine } from '../text/service/desktop-text.ts';

/** More than any run that works prints; a log must not fill a disk. In characters. */
const longestLog = 1_000_000;

/** Lines of before the log was begun. */
let early: string[] = [];
let log: AppLog | null = null;
let length = 0;

/** Prints a line on stderr, where the desktop app reports what no window can show, and into the log of this run. */
export function printLine(line: string): void {
  process.stderr.write(`${line}\n`);
  keep(line);
}

/** Begins the log of this run in the data folder, with what was printed before. Nothing where stderr is one already. */
export function keepLog(dataDir: string, firstLine: string): void {
  if (log !== null || isLogged()) return;
  log = beginAppLog(dataDir, new Date());
  const before = early;
  early = [];
  if (log !== null) for (const line of [firstLine, ...before]) keep(line);
}

function keep(line: string): void {
  if (log === null) {
    if (early.length < 100) early.push(line);
    return;
  }
  if (length > longestLog) return;
  length += line.length;
  try {
    writeSync(log.fd, `${new Date().toISOString()} ${length > longestLog ? desktopLine.logEnds : line}\n`);
  } catch {
    length = Infinity; // the disk takes no more; the lines are on stderr
  }
}
