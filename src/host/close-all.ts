/**
 * Takes the steps of a stop one after the other, each also after one that failed, and then rejects with the first failure.
 *
 * What a failed step would have released is lost, and nothing else: a host that is closed by half keeps the lock of its folder, or goes
 * on with changes in memory that no journal has.
 */
export async function closeAll(...steps: readonly (() => Promise<void> | void)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
