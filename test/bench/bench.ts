import type { Goal } from './goal.ts';
import type { Load } from './start-load.ts';

export interface Bench {
  /** As on the command line: `npm run bench -- rotate`. */
  readonly name: string;
  readonly title: string;
  /** Opens a desktop or a browser, or fills a store only to read it: with `--quick` it runs only if it is named. */
  readonly isLong?: true;
  /** Prints its own tables and returns the goals with their results. */
  run(circumstances: Circumstances): Promise<Goal[]>;
}

export interface Circumstances {
  /** Fewer and shorter turns: all benchmarks that are not long take two minutes together. Figures are rougher. */
  readonly quick: boolean;
  readonly load: Load;
}
