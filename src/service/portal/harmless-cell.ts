const formula = /^'*[=+\-@\t\r]/;

/**
 * Keeps a spreadsheet from running a cell as a formula: what begins like one gets an apostrophe before it (OWASP, "CSV
 * Injection"): names and user agents are chosen by others.
 *
 * One that has apostrophes already gets one more, so that `exactCell` gives every text back as it was.
 */
export function harmlessCell(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell;
}

/** Undoes exactly that. */
export function exactCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
