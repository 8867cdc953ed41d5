/**
 * What a command is: a value that says what it takes, what it asks of the service and how the answer is shown.
 *
 * A group (`credential`, `ivr draft`) is a table of commands by name. Almost every command is a `routeCommand`: it reads its input, calls
 * the service, and prints JSON, rows or sentences, always in the order of `show`. What does anything else is a `customCommand`, which
 * has the same input. `run-cli.ts` makes the program of the table of all commands.
 */
import type { Command } from 'commander';
import type { CommandHelp } from '../text/cli/cli.ts';
import { credentialHelp } from '../text/cli/cli-credential.ts';
import type { GlobalOptions } from './chosen-data-dir.ts';
import type { Schema } from './option-values.ts';
import { openPortal, type Portal } from './open-portal.ts';
import { type ShownAnswer, showAnswer } from './show-answer.ts';

/** An argument or an option: its help, and how its text is read. */
export interface Field {
  readonly help: string;
  /** The schema of the contract that its text has to match, so that the command line has the same limits. */
  readonly schema?: Schema<unknown>;
  /** What the schema gets instead of the text. */
  readonly convert?: (text: string) => unknown;
  /** It may be given several times; its value is the list of them. */
  readonly isRepeated?: true;
  /** Reads the text where that is no matter of a schema. Throws what commander reports. Default: the text itself. */
  readonly read?: (text: string, before: never) => unknown;
  readonly choices?: readonly string[];
  /** What it is where it is omitted. */
  readonly usual?: unknown;
  readonly isRequired?: true;
  /** Names of options that cannot be given with it. */
  readonly conflicts?: readonly string[];
}

/** Arguments (`<name>`, `[url]`, `[words...]`) or options (`--limit <n>`, `--yes`, `--no-browser`), each with its help or more. */
export type Fields = Readonly<Record<string, string | Field>>;

/** What a command takes, and how it is shown in the help. */
interface Declaration<A extends Fields, O extends Fields> {
  readonly help: CommandHelp;
  readonly arguments?: A;
  readonly options?: O;
  /** The help of `--json`, where it has another one than usual; false: it has no such option. */
  readonly json?: string | false;
  readonly isDefault?: true;
  readonly hidden?: true;
  /** It refuses `--host`, which is not shown with it. */
  readonly isLocal?: true;
  /** Its usage, where that does not follow from its arguments. */
  readonly usage?: string;
  /** More help, after the examples. */
  readonly more?: string;
}

/** What a command asks of the service, and how the answer is shown. */
interface RouteAnswer<I, P, R> extends ShownAnswer<I, P, R> {
  /** Reads what the call needs, such as a file, before the service is looked for. */
  readonly prepare?: (input: I) => P | Promise<P>;
  readonly call: (portal: Portal, input: I, prepared: P) => Promise<R>;
}

/** A command, as the program is made of it. */
export interface TableCommand extends Declaration<Fields, Fields> {
  readonly run: (input: never, command: Command) => void | Promise<void>;
}

/** Commands that have a word in common. */
export interface CommandGroup {
  readonly help: CommandHelp;
  /** All of them refuse `--host`. */
  readonly isLocal?: true;
  readonly commands: CommandTable;
}

/** Commands and groups by name, in the order of the help. */
export type CommandTable = Readonly<Record<string, TableCommand | CommandGroup>>;

/** A command that calls the service and shows the answer. */
export function routeCommand<const A extends Fields, const O extends Fields, P, R>(
  one: Declaration<A, O> & RouteAnswer<Input<A, O>, P, R>,
): TableCommand {
  return customCommand<A, O>({
    ...one,
    async run(input) {
      const prepared = (await one.prepare?.(input)) as P;
      const reply = await one.call(openPortal(input), input, prepared);
      showAnswer(one, reply, input, prepared);
    },
  });
}

/** A command that does anything else. */
export function customCommand<const A extends Fields, const O extends Fields>(
  one: Declaration<A, O> & {
    readonly run: (input: Input<A, O>, command: Command) => void | Promise<void>;
  },
): TableCommand {
  return one;
}

/** A credential's name as an argument. */
export const credentialName = { '<name>': credentialHelp.name } as const;

/** What a command is given: its arguments and options by name, and the options of every command. */
type Input<A extends Fields, O extends Fields> = {
  readonly [F in keyof A as ArgumentName<F>]: F extends `[${string}]` ? Optional<F, A[F]> : Read<A[F]>;
} & {
  readonly [F in keyof O as HasValue<F, O[F]> extends true ? OptionName<F> : never]: OptionValue<F, O[F]>;
} & {
  readonly [F in keyof O as HasValue<F, O[F]> extends true ? never : OptionName<F>]?: OptionValue<F, O[F]>;
} & GlobalOptions & { readonly json: boolean };

type Read<S> = S extends { readonly schema: Schema<infer T> }
  ? S extends { readonly isRepeated: true }
    ? T[]
    : NonNullable<T>
  : S extends { readonly read: (text: string, before: never) => infer T }
    ? T
    : S extends { readonly choices: readonly (infer C)[] }
      ? C
      : string;

type Bare<F> = F extends `<${infer N}>` | `[${infer N}]` ? N : never;
type ArgumentName<F> = Bare<F> extends `${infer N}...` ? N : Bare<F>;
type Optional<F, S> = F extends `[${string}...]` ? string[] : Read<S> | undefined;

type OptionName<F> = F extends `--no-${infer N}`
  ? CamelCase<N>
  : F extends `--${infer N}`
    ? CamelCase<FirstWord<N>>
    : never;
type FirstWord<N extends string> = N extends `${infer First} ${string}` ? First : N;
type CamelCase<N extends string> = N extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : N;
type OptionValue<F, S> = F extends `--no-${string}`
  ? boolean
  : F extends `${string} ${string}`
    ? Read<S>
    : true;
/** Whether an option has a value also where it is omitted, or cannot be omitted. */
type HasValue<F, S> = F extends `--no-${string}`
  ? true
  : S extends { readonly usual: unknown } | { readonly isRequired: true }
    ? true
    : false;
