import { resolve } from 'node:path';
import { DeliveryTarget } from '../contract/credential.ts';
import { wrongUsage } from './command-failure.ts';

const [keychain, , dotenv, hook] = DeliveryTarget.options;

/** The fields of delivery targets, for options that read them by the contract's own schemas. */
export const targetFields = {
  service: keychain.shape.service,
  account: keychain.shape.account,
  variable: dotenv.shape.variable,
  pass: hook.shape.pass,
  timeLimit: hook.shape.time_limit_seconds,
} as const;

/** What describes a target beside its kind and place: options of the command line, by their names there. */
export interface TargetOptions {
  readonly service?: string;
  readonly account?: string;
  readonly variable?: string;
  readonly pass?: string;
  readonly timeLimit?: number;
}

/** Each kind: how it is written, which options it takes, and the target in words of the contract. */
const kinds: Readonly<
  Record<
    DeliveryTarget['kind'],
    {
      readonly usage: string;
      readonly takes: readonly (keyof TargetOptions)[];
      readonly read: (place: readonly string[], options: TargetOptions) => unknown;
    }
  >
> = {
  keychain: {
    usage: 'keychain --service S --account A',
    takes: ['service', 'account'],
    read: (place, { service, account }) =>
      place.length === 0 && service !== undefined && account !== undefined ? { service, account } : null,
  },
  file: {
    usage: 'file PATH',
    takes: [],
    read: ([path, ...rest]) => (path === undefined || rest.length > 0 ? null : { path: resolve(path) }),
  },
  dotenv: {
    usage: 'dotenv PATH [--variable V]',
    takes: ['variable'],
    read: ([path, ...rest], { variable }) =>
      path === undefined || rest.length > 0 ? null : { path: resolve(path), variable },
  },
  hook: {
    usage: 'hook [--pass stdin|env] [--variable V] [--time-limit SECONDS] -- COMMAND…',
    takes: ['pass', 'variable', 'timeLimit'],
    read: ([program, ...args], { pass, variable, timeLimit }) =>
      program === undefined
        ? null
        : { command: [programPath(program), ...args], pass, variable, time_limit_seconds: timeLimit },
  },
};

/** How the kinds of targets are written, a line each. */
export const targetUsages = Object.values(kinds).map(({ usage }) => usage);

/**
 * The target that a kind, what follows it and options stand for.
 *
 * Relative paths are those of the caller's folder: the service runs in another one. Throws wrong usage.
 */
export function readTarget([kind, ...place]: readonly string[], options: TargetOptions): DeliveryTarget {
  if (kind === undefined || !Object.hasOwn(kinds, kind)) {
    throw wrongUsage([
      `${kind === undefined ? 'What is to be added?' : `There is no target of the kind "${kind}".`} Write one of:`,
      ...targetUsages.map((usage) => `  ${usage}`),
    ]);
  }
  const { usage, takes, read } = kinds[kind as DeliveryTarget['kind']];
  for (const name of Object.keys(optionNames) as (keyof TargetOptions)[]) {
    if (options[name] !== undefined && !takes.includes(name))
      throw wrongUsage(`${optionNames[name]} does not go with ${kind}. Write: ${usage}`);
  }
  const fields = read(place, options);
  if (fields === null) throw wrongUsage(`Write: ${usage}`);
  const target = DeliveryTarget.safeParse({ kind, ...fields });
  if (target.success) return target.data;
  const [issue] = target.error.issues;
  throw wrongUsage(
    `${String(issue?.path[0] ?? kind)} ${issue?.message ?? 'cannot be that'}. Write: ${usage}`,
  );
}

const optionNames: Readonly<Record<keyof TargetOptions, string>> = {
  service: '--service',
  account: '--account',
  variable: '--variable',
  pass: '--pass',
  timeLimit: '--time-limit',
};

/** A program with a folder in its name is found from the caller's folder; a bare name is looked up in PATH later. */
function programPath(program: string): string {
  return /[/\\]/.test(program) ? resolve(program) : program;
}
