import { resolve } from 'node:path';
import { DeliveryTarget } from '../contract/credential/credential.ts';
import { targetProblem } from '../text/cli/cli-delivery.ts';
import { wrongUsage } from './command-failure.ts';

const [keychain, , dotenv, , hook] = DeliveryTarget.options;

/** The fields of delivery targets, for options that read them by the contract's own schemas. */
export const targetFields = {
  service: keychain.shape.service,
  account: keychain.shape.account,
  variable: dotenv.shape.variable,
  /** One that a command gets, which must not make it load code. */
  commandVariable: hook.shape.variable,
  pass: hook.shape.pass,
  timeLimit: hook.shape.time_limit_seconds,
} as const;

/** The options that describe a target apart from its kind and place. */
export interface TargetOptions {
  readonly service?: string;
  readonly account?: string;
  readonly variable?: string;
  readonly key?: string;
  readonly format?: string;
  readonly template?: string;
  readonly base64?: string;
  readonly create?: true;
  readonly pass?: string;
  readonly timeLimit?: number;
  readonly part?: string;
  readonly inPlace?: true;
  readonly newline?: boolean;
  readonly mode?: string;
  readonly owner?: string;
  readonly group?: string;
}

const fileOptions = ['inPlace', 'mode', 'owner', 'group'] as const;

function fileFields({ inPlace, mode, owner, group }: TargetOptions) {
  return {
    ...(inPlace === undefined ? {} : { in_place: inPlace }),
    ...(mode === undefined ? {} : { mode }),
    ...(owner === undefined ? {} : { owner }),
    ...(group === undefined ? {} : { group }),
  };
}

/** Each kind: which options it takes, and how they make a target of the contract. */
const kinds: Readonly<
  Record<
    DeliveryTarget['kind'],
    {
      readonly takes: readonly (keyof TargetOptions)[];
      readonly read: (place: readonly string[], options: TargetOptions) => unknown;
    }
  >
> = {
  keychain: {
    takes: ['service', 'account', 'part'],
    read: (place, { service, account }) =>
      place.length === 0 && service !== undefined && account !== undefined ? { service, account } : null,
  },
  file: {
    takes: ['part', 'newline', ...fileOptions],
    read: ([path, ...rest], { newline, ...options }) =>
      path === undefined || rest.length > 0
        ? null
        : { path: resolve(path), ...(newline === false ? { newline } : {}), ...fileFields(options) },
  },
  dotenv: {
    takes: ['variable', 'part', ...fileOptions],
    read: ([path, ...rest], { variable, ...options }) =>
      path === undefined || rest.length > 0
        ? null
        : { path: resolve(path), variable, ...fileFields(options) },
  },
  setting: {
    takes: ['key', 'format', 'template', 'base64', 'create', 'part', ...fileOptions],
    read: ([path, ...rest], { key, format, template, base64, create, ...options }) =>
      path === undefined ||
      rest.length > 0 ||
      key === undefined ||
      (template !== undefined && base64 !== undefined)
        ? null
        : {
            path: resolve(path),
            key,
            ...(format === undefined ? {} : { format }),
            ...(template === undefined ? {} : { template }),
            ...(base64 === undefined ? {} : { template: base64, encoding: 'base64' }),
            ...(create === undefined ? {} : { create }),
            ...fileFields(options),
          },
  },
  hook: {
    takes: ['pass', 'variable', 'timeLimit', 'part'],
    read: ([program, ...args], { pass, variable, timeLimit }) =>
      program === undefined
        ? null
        : { command: [programPath(program), ...args], pass, variable, time_limit_seconds: timeLimit },
  },
};

/**
 * Reads a target from its kind, the arguments after it and the options.
 *
 * Relative paths are those of the caller's folder: the service runs in another one. Throws wrong usage.
 */
export function readTarget([kind, ...place]: readonly string[], options: TargetOptions): DeliveryTarget {
  if (!isKind(kind)) throw wrongUsage(targetProblem.kind(kind));
  const { takes, read } = kinds[kind];
  for (const name of Object.keys(optionNames) as (keyof TargetOptions)[]) {
    // `--no-newline` is false where it is given, and true otherwise.
    const isGiven = name === 'newline' ? options.newline === false : options[name] !== undefined;
    if (isGiven && !takes.includes(name)) throw wrongUsage(targetProblem.option(optionNames[name], kind));
  }
  const fields = read(place, options);
  if (fields === null) throw wrongUsage(targetProblem.usage(kind));
  const { part } = options;
  const target = DeliveryTarget.safeParse({ kind, ...fields, ...(part === undefined ? {} : { part }) });
  if (target.success) return target.data;
  const [issue] = target.error.issues;
  throw wrongUsage(targetProblem.invalid(String(issue?.path[0] ?? kind), issue?.message, kind));
}

function isKind(kind: string | undefined): kind is DeliveryTarget['kind'] {
  return kind !== undefined && Object.hasOwn(kinds, kind);
}

const optionNames: Readonly<Record<keyof TargetOptions, string>> = {
  service: '--service',
  account: '--account',
  variable: '--variable',
  key: '--key',
  format: '--format',
  template: '--template',
  base64: '--base64',
  create: '--create',
  pass: '--pass',
  timeLimit: '--time-limit',
  part: '--part',
  inPlace: '--in-place',
  newline: '--no-newline',
  mode: '--mode',
  owner: '--owner',
  group: '--group',
};

/** A program with a folder in its name is found from the caller's folder; a bare name is looked up in PATH later. */
function programPath(program: string): string {
  return /[/\\]/.test(program) ? resolve(program) : program;
}
