import { InvalidArgumentError } from 'commander';

/** A schema of the contract, as far as an option needs it. */
interface Schema<T> {
  safeParse(
    value: unknown,
  ): { success: true; data: T } | { success: false; error: { issues: readonly { message: string }[] } };
}

/** Reads an option's text by the contract's own schema, so that the command line never knows other bounds. */
export function valueOf<T>(schema: Schema<T>, convert: (text: string) => unknown = (text) => text) {
  return (text: string): T => {
    const parsed = schema.safeParse(convert(text));
    if (parsed.success) return parsed.data;
    throw new InvalidArgumentError(`It ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
  };
}

/** The same for an option that may be given several times. */
export function valuesOf<T>(schema: Schema<T>) {
  const read = valueOf(schema);
  return (text: string, before: readonly T[] = []): T[] => [...before, read(text)];
}

/** A whole number within bounds, written in digits. */
export function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = numberIn(text);
    if (typeof value === 'number' && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** The number that a text of digits stands for; any other text is left for the schema to refuse. */
export function numberIn(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}
