import type { DeliveryProblem } from '../../contract/credential/delivery-problem.ts';

/** Whether a target has the current token; if not, why. Contains no secret. */
export type DeliveryOutcome =
  | {
      readonly ok: true;
      /** The output of a hook; null for other targets. */
      readonly note: string | null;
    }
  | {
      readonly ok: false;
      readonly problem: DeliveryProblem;
      /** False only where no later attempt can succeed with this target. */
      readonly retry: boolean;
    };

export function delivered(note: string | null = null): DeliveryOutcome {
  return { ok: true, note };
}

/** Not delivered yet: the same delivery may succeed later, either unchanged or after a person has changed something. */
export function undelivered(problem: DeliveryProblem): DeliveryOutcome {
  return { ok: false, problem, retry: true };
}

export function undeliverable(problem: DeliveryProblem): DeliveryOutcome {
  return { ok: false, problem, retry: false };
}

/**
 * `VALUE_UNQUOTABLE`: no quotes can contain the token. `NOT_TEXT`: not a text file. `QUOTES_ENTANGLED`: the file's open
 * quotes would change the meaning of the new line. `TOO_MANY`: more assignments than a settings file has. `NOT_DOTENV`: a file of
 * another kind. `MORE_ON_LINE`: what follows the value on its line is no comment, and would be lost. `GOES_ON`: it
 * goes on in the next line. `ENCRYPTED`: another program has encrypted
 * the value, or the file.
 */
export type VariableRefusal =
  | 'VALUE_UNQUOTABLE'
  | 'NOT_TEXT'
  | 'QUOTES_ENTANGLED'
  | 'TOO_MANY'
  | 'NOT_DOTENV'
  | 'MORE_ON_LINE'
  | 'GOES_ON'
  | 'ENCRYPTED';

/** A variable cannot be set in this content. */
export class VariableRefused extends Error {
  readonly code: VariableRefusal;
  /** The line that shows it; null: the name of the file does. */
  readonly line: number | null;

  constructor(code: VariableRefusal, line: number | null = null) {
    super(`The variable cannot be set: ${code}`);
    this.name = 'VariableRefused';
    this.code = code;
    this.line = line;
  }
}

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
