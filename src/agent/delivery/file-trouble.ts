import type { DeliveryProblem } from '../../contract/delivery-problem.ts';
import { type DeliveryOutcome, undeliverable, undelivered } from './delivery-outcome.ts';

/** The problems that no later attempt mends: there is, or can be, nothing at the path that holds a token. */
const permanent: ReadonlySet<DeliveryProblem['code']> = new Set([
  'own_file',
  'not_absolute',
  'not_ordinary',
  'is_folder',
  'is_device',
]);

/** A file could not get its content. Its `message` is for logs. */
export class FileTrouble extends Error {
  readonly problem: DeliveryProblem;

  constructor(problem: DeliveryProblem, options?: { readonly cause?: unknown }) {
    super(`The file cannot be replaced: ${problem.code}`, options);
    this.name = 'FileTrouble';
    this.problem = problem;
  }

  /** Whether the path can never hold a token; otherwise it did not work now, and may later. */
  get isPermanent(): boolean {
    return permanent.has(this.problem.code);
  }

  /** What it means for a delivery. Only a change of the target helps where it leads to our own files. */
  get outcome(): DeliveryOutcome {
    return this.problem.code === 'own_file' ? undeliverable(this.problem) : undelivered(this.problem);
  }
}

/** Turns a failure of the file system into `FileTrouble`; anything else is a bug and comes back as it is. */
export function asFileTrouble(error: unknown, path: string): unknown {
  const systemCode = systemCodeOf(error);
  if (systemCode === null) return error;
  return new FileTrouble({ code: 'file_system', path, systemCode }, { cause: error });
}

/** `ENOENT` and the like, or null when it is not the system that failed. */
export function systemCodeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code === undefined || syscall === undefined ? null : code;
}

/** What was found, or null where nothing is. */
export async function nullWhenMissing<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
