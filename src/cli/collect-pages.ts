/** A page of a long list, and where the next one begins. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/** The most that the service gives at once. */
const pageSize = 1000;

/** Reads as many items as asked for, page by page, from a place on. */
export async function collectPages<T>(
  { limit, from }: { limit: number; from?: string | undefined },
  readPage: (limit: string, from: string | undefined) => Promise<Page<T>>,
): Promise<{ items: T[]; next: string | null }> {
  const items: T[] = [];
  let next: string | null | undefined = from;
  do {
    const page: Page<T> = await readPage(String(Math.min(pageSize, limit - items.length)), next);
    items.push(...page.items);
    next = page.next;
  } while (next !== null && items.length < limit);
  return { items, next };
}
