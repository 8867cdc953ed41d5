const formula = /^'*[=+\-@\t\r]/;

/**
 * Keeps a spreadsheet from running a cell as a formula: a cell that begins like one gets an apostrophe before it (OWASP,
 * "CSV Injection"), because callers choose names and user agents.
 *
 * A cell that already begins with apostrophes gets one more, so that `exactCell` returns every text unchanged.
 */
export function harmlessCell(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell;
}

/** Reverses `harmlessCell`. */
export function exactCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
