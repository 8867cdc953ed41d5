import type { Goal } from './goal.ts';

/** Prints rows under their heads: the first column left-aligned, figures right-aligned. */
export function printTable(heads: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of [heads, ...rows]) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(`  ${cells.join('  ')}`);
  }
  console.log();
}

export function printGoals(goals: readonly Goal[]): void {
  printTable(
    ['', 'seen: median (min to max)', 'goal', ''],
    goals.map(({ what, seen, goal, verdict }) => [
      what,
      seen,
      goal,
      verdict === 'missed' ? 'MISSED' : verdict,
    ]),
  );
}
