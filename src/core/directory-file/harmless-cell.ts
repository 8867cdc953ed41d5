/**
 * What spreadsheets take for a formula, also behind characters that nobody sees. Line breaks count: programs that read line by line
 * begin anew after them.
 */
const formula = /^'*[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]*(?:[=+\-\u2212@|]|[\t\r\n])/u;

/** Full-width, small and raised signs are the plain ones here: some programs make them those first. */
function isFormula(cell: string): boolean {
  return formula.test(cell) || formula.test(cell.normalize('NFKD'));
}

/**
 * Keeps a spreadsheet from running a cell as a formula: a cell that begins like one gets an apostrophe before it (OWASP,
 * "CSV Injection"), because callers choose names and user agents.
 *
 * A cell that already begins with apostrophes gets one more, so that `exactCell` returns every text unchanged.
 */
export function harmlessCell(cell: string): string {
  return isFormula(cell) ? `'${cell}` : cell;
}

/** Reverses `harmlessCell`. */
export function exactCell(cell: string): string {
  return cell.startsWith("'") && isFormula(cell) ? cell.slice(1) : cell;
}
