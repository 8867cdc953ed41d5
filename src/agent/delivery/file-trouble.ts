import type { DeliveryProblem } from '../../contract/credential/delivery-problem.ts';
import { type DeliveryOutcome, undeliverable, undelivered } from './delivery-outcome.ts';

/** The problems that no later attempt can solve: no file that contains a token can be at the path. */
const permanent: ReadonlySet<DeliveryProblem['code']> = new Set([
  'own_file',
  'not_absolute',
  'not_ordinary',
  'is_folder',
  'is_device',
]);

/** A file could not be written. Its `message` is for logs. */
export class FileTrouble extends Error {
  readonly problem: DeliveryProblem;

  constructor(problem: DeliveryProblem, options?: { readonly cause?: unknown }) {
    super(`The file cannot be replaced: ${problem.code}`, options);
    this.name = 'FileTrouble';
    this.problem = problem;
  }

  /** Whether no file at the path can ever contain a token; otherwise a later attempt may succeed. */
  get isPermanent(): boolean {
    return permanent.has(this.problem.code);
  }

  /** The delivery's outcome. A path to our own files needs a change of the target. */
  get outcome(): DeliveryOutcome {
    return this.problem.code === 'own_file' ? undeliverable(this.problem) : undelivered(this.problem);
  }
}

/** Turns a failure of the file system into `FileTrouble`; anything else is a bug and is returned unchanged. */
export function asFileTrouble(error: unknown, path: string): unknown {
  const systemCode = systemCodeOf(error);
  if (systemCode === null) return error;
  return new FileTrouble({ code: 'file_system', path, systemCode }, { cause: error });
}

/** `ENOENT` and the like, or null for errors that are not from the system. */
export function systemCodeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code === undefined || syscall === undefined ? null : code;
}

/** The file's metadata, or null if there is no file. */
export async function nullWhenMissing<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
