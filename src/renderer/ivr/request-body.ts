import type { Ivr } from '../../contract/menu/ivr.ts';

/** What the service has added to the body that it was given. */
const added: ReadonlySet<string> = new Set(['id', 'version', 'created_at', 'updated_at']);

/** The body that makes this very menu, for `POST /v1/ivr`. */
export function requestBodyOf(ivr: Ivr): Record<string, unknown> {
  return Object.fromEntries(Object.entries(ivr).filter(([field]) => !added.has(field)));
}

/** A body as people write it: a field a line, lists in one. */
export function bodyText(body: object): string {
  const lines = Object.entries(body).map(([field, value]) => `  ${JSON.stringify(field)}: ${inLine(value)}`);
  return `{\n${lines.join(',\n')}\n}`;
}

function inLine(value: unknown): string {
  return Array.isArray(value)
    ? `[${value.map((part) => JSON.stringify(part)).join(', ')}]`
    : JSON.stringify(value);
}
