/** What an import has to say: what stayed open, and what was left out. */
export class ImportNotes {
  readonly #warnings: string[] = [];
  readonly #leftOut = new Map<string, number>();

  warn(path: string, message: string): void {
    this.#warnings.push(`${path} ${message}`);
  }

  /** A field that a menu does not have. Told once for all menus, or a long list would drown what matters. */
  leaveOut(field: string): void {
    this.#leftOut.set(field, (this.#leftOut.get(field) ?? 0) + 1);
  }

  /** Most of them, in the order in which they came up; how many more there are is said last. */
  warnings(): string[] {
    const shown = this.#warnings.slice(0, mostWarnings);
    const more = this.#warnings.length - shown.length;
    const leftOut = Array.from(this.#leftOut, ([field, times]) =>
      times === 1 ? field : `${field} (${times} times)`,
    );
    return [
      ...shown,
      ...(more === 0 ? [] : [`There are ${more} more such places; the checks of the draft name each.`]),
      ...(leftOut.length === 0 ? [] : [`Left out, for a menu does not have them: ${listed(leftOut)}.`]),
    ];
  }
}

const mostWarnings = 100;
const mostFields = 30;

function listed(fields: readonly string[]): string {
  const shown = fields
    .slice(0, mostFields)
    .map((field) => (field.length > 60 ? `${field.slice(0, 60)}…` : field));
  const more = fields.length - shown.length;
  return shown.join(', ') + (more === 0 ? '' : ` and ${more} more`);
}
