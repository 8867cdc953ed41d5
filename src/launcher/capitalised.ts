/** A line of the launcher as a sentence of its own. */
export function capitalised(line: string): string {
  return line.charAt(0).toUpperCase() + line.slice(1);
}
