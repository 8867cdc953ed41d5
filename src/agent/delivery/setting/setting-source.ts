/**
 * What every format of a settings file gives: its values, the place of one of them, and how a new one is written there.
 *
 * Nothing here writes a whole file anew: a value is replaced, or a line is added, and all other bytes stay. `edit-setting.ts` uses this.
 */
import type { SettingReason } from '../../../contract/credential/delivery-problem.ts';

/** Names and numbers from the outermost map to the value. */
export type SettingPath = readonly (string | number)[];

/** A settings file that was read. Positions are those of its text. */
export interface SettingsText {
  /** Maps are `Map`, lists are arrays: to find entries of lists, and to compare before and after. */
  readonly values: unknown;
  /** Null: there is no such value. Throws `SettingRefused` for a value that cannot be replaced. */
  readonly find: (path: SettingPath) => FoundSetting | null;
  /** The texts with the value added, the best first. One that is read otherwise than expected is not used. */
  readonly add: (path: SettingPath, value: string) => string[];
}

export interface FoundSetting {
  /** The value with its quotes. */
  readonly start: number;
  readonly end: number;
  /** What it says now. */
  readonly text: string;
  /** The name and the sign before the value, as a preview shows it; empty for an entry of a list. */
  readonly label: string;
  /** The quotes around the value. */
  readonly quotes: readonly [open: string, close: string];
  /** How a text can be written there, its present style first. */
  readonly write: (value: string) => string[];
}

/** What an alias of YAML stands for. Comparing looks at its name only. */
export class Shared {
  readonly name: string;
  readonly #values: unknown;

  constructor(name: string, values: unknown) {
    this.name = name;
    this.#values = values;
  }

  static resolve(values: unknown): unknown {
    return values instanceof Shared ? values.#values : values;
  }
}

/** A value of a settings file is not set. */
export class SettingRefused extends Error {
  readonly reason: SettingReason;
  /** The line that shows why; null: none does. */
  readonly line: number | null;

  constructor(reason: SettingReason, line: number | null = null, options?: { readonly cause?: unknown }) {
    super(`The setting cannot be changed: ${reason}`, options);
    this.name = 'SettingRefused';
    this.reason = reason;
    this.line = line;
  }
}

/** The number of the line of a position, from 1. */
export function lineAt(text: string, position: number): number {
  return (text.slice(0, position).match(/\r\n|\n|\r/g)?.length ?? 0) + 1;
}

export function lineBreakOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

/** The end of the line of a position, before its line break. */
export function endOfLineAt(text: string, position: number): number {
  const rest = text.slice(position).search(/[\r\n]/);
  return rest === -1 ? text.length : position + rest;
}

/** The blanks at the beginning of the line of a position. */
export function indentAt(text: string, position: number): string {
  const before = text.slice(0, position);
  const start = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? '';
}

/** The text with lines added after the line of a position; a last line without a line break gets none. */
export function insertAfterLine(text: string, position: number, lines: readonly string[]): string {
  const end = endOfLineAt(text, position);
  const lineBreak = lineBreakOf(text);
  return text.slice(0, end) + lines.map((line) => lineBreak + line).join('') + text.slice(end);
}

/** The text with whole lines at its end. */
export function appendLines(text: string, lines: readonly string[]): string {
  const lineBreak = lineBreakOf(text);
  const ends = text === '' || /[\r\n]$/.test(text);
  return text + (ends ? '' : lineBreak) + lines.map((line) => line + lineBreak).join('');
}

/** A text in double quotes as JSON, YAML and TOML read it. */
export function inDoubleQuotes(value: string): string {
  return JSON.stringify(value).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Objects as maps, so that no name in a file means anything to JavaScript. */
export function asMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asMaps);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return new Map(Object.entries(value).map(([name, one]) => [name, asMaps(one)]));
}
