/*
 * What a program that reads a token says about its use, in a header. Apart from the schemas, because `rotavox get` loads none.
 */

export const useHeader = 'rotavox-use';

/** How a token can leave the vault by a call: printed, in the environment of a command, to the clipboard, or to a connected tool. */
export const handoutWays = ['get', 'exec', 'copy', 'helper'] as const;
export type HandoutWay = (typeof handoutWays)[number];

export interface DeclaredUse {
  readonly way: HandoutWay;
  /** The program that gets the token, without its arguments; null: unknown. */
  readonly program: string | null;
  /** The number of the token that the program has already: only another one is a new use. */
  readonly has?: number | undefined;
}

/** In three parts with `;` between them: the way, the program and what it has. Of the parts only the first is always there. */
export function writeUse({ way, program, has }: DeclaredUse): string {
  return `${way};${encodeURIComponent(programName(program ?? '') ?? '')};${has ?? ''}`;
}

/** Without the header, and of a way that is not known here: `get` by an unknown program. */
export function readUse(header: string | undefined): DeclaredUse {
  const [said, program = '', has = ''] = header?.split(';') ?? [];
  return {
    way: handoutWays.find((way) => way === said) ?? 'get',
    program: programName(decoded(program)),
    has: /^[1-9]\d{0,8}$/.test(has) ? Number(has) : undefined,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

const longestName = 60;

/** The name of a program from its path or its name: one line of 60 characters at most; null if nothing is left. */
export function programName(path: string): string | null {
  const name = path.split(/[/\\]/).at(-1) ?? '';
  return name.replace(/\p{C}/gu, '').trim().slice(0, longestName).toWellFormed() || null;
}
