import { InvalidArgumentError } from 'commander';
import { ReplaceValue } from '../contract/credential/credential.ts';
import { optionProblem } from '../text/cli/cli.ts';
import { startOfDate } from '../text/time.ts';
import { credentialHelp } from '../text/cli/cli-credential.ts';

/** A schema of the contract, as far as an option needs it. */
export interface Schema<T> {
  safeParse(
    value: unknown,
  ): { success: true; data: T } | { success: false; error: { issues: readonly { message: string }[] } };
}

/** Reads an option with the schema of the contract, so that the command line has the same limits. */
export function valueOf<T>(schema: Schema<T>, convert: (text: string) => unknown = (text) => text) {
  return (text: string): T => {
    const parsed = schema.safeParse(convert(text));
    if (parsed.success) return parsed.data;
    throw new InvalidArgumentError(optionProblem.invalid(parsed.error.issues[0]?.message));
  };
}

/** A day of the local calendar; read as the instant at which it or a later day begins. */
export function dayStart(daysLater: number) {
  return (text: string): string => {
    const start = startOfDate(text, daysLater);
    if (start === undefined) throw new InvalidArgumentError(optionProblem.date);
    return start;
  };
}

/** The same for an option that may be given several times. */
export function valuesOf<T>(schema: Schema<T>) {
  const read = valueOf(schema);
  return (text: string, before: readonly T[] = []): T[] => [...before, read(text)];
}

export const largestPort = 65_535;

/** A whole number within bounds, written in digits. */
export function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = numberIn(text);
    if (typeof value === 'number' && value >= min && value <= max) return value;
    throw new InvalidArgumentError(optionProblem.wholeNumber(min, max));
  };
}

/** The number in a text of digits; any other text is left for the schema to refuse. */
export function numberIn(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}

/** About a token that a person enters: how long it is valid, and whether it may be taken out of what was pasted. */
export interface TokenOptions {
  readonly validity?: number;
  readonly expiresAt?: string;
  readonly takeToken?: true;
}

const { validity_days: validityDays, expires_at: expirySchema } = ReplaceValue.shape;

function expiryOf(text: string): NonNullable<ReplaceValue['expires_at']> {
  const parsed = expirySchema.safeParse(instantIn(text));
  if (parsed.success && parsed.data !== undefined) return parsed.data;
  throw new InvalidArgumentError(optionProblem.instant(parsed.error?.issues[0]?.message));
}

/** The options of commands that read a token. */
export const tokenOptions = {
  '--validity <days>': { help: credentialHelp.validity, schema: validityDays, convert: numberIn },
  '--expires-at <when>': { help: credentialHelp.expiresAt, read: expiryOf },
  '--take-token': credentialHelp.takeToken,
} as const;

/** The same as fields of the contract. */
export function validityFields({ validity, expiresAt }: TokenOptions) {
  return { validity_days: validity, expires_at: expiresAt };
}

/**
 * The instant that a person means: an instant, a date, which begins at 00:00 here, or a time from now such as `90d`. Any other text is left
 * for the schema to refuse.
 */
export function instantIn(text: string): string {
  const [, count, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) {
    return new Date(Date.now() + Number(count) * unitsMs[unit as keyof typeof unitsMs]).toISOString();
  }
  return startOfDate(text, 0) ?? text;
}

/** `22:00-04:00` as the contract writes it; any other text is left for the schema to refuse. */
export function hoursIn(text: string): unknown {
  const [from, to, ...rest] = text.split('-');
  return rest.length === 0 ? { from, to } : text;
}

/** The number that `0.5`, `.5` or `2/3` means; any other text is left for the schema to refuse. */
export function shareIn(text: string): number | string {
  const [, over, under] = /^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? [];
  if (over !== undefined && under !== undefined) return Number(over) / Number(under);
  return /^\d{0,3}\.?\d{1,15}$/.test(text) ? Number(text) : text;
}

const unitsMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A time as a person writes it, in milliseconds: `30m`, `2h`, `1d`. Throws what commander reports. */
export function durationMs(text: string): number {
  const match = /^([1-9]\d{0,4})([mhd])$/.exec(text);
  if (match === null) throw new InvalidArgumentError(optionProblem.duration);
  return Number(match[1]) * unitsMs[match[2] as keyof typeof unitsMs];
}

/** Adds one `name=value` to those of the same option before it. A value may contain `=`. */
export function inputsOf(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError(optionProblem.nameAndValue);
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}
