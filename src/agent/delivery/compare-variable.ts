import { maskedValue } from '../../contract/credential-checks.ts';
import type { Quote } from './quote-value.ts';
import { type Assignment, countLineBreaks, readAssignments } from './read-assignments.ts';

/** A line that gives a variable its value, as it is and as it becomes, without any value. */
export interface VariableLine {
  /** Where it stands now; for a new one, where it will stand. From 1. */
  readonly number: number;
  /** Null: it is new. */
  readonly before: string | null;
  readonly after: string;
  /** What stood around the old value, and what stands around the new; null for a new line. */
  readonly quotes: { readonly before: Quote; readonly after: Quote } | null;
  readonly isExported: boolean;
  readonly hasComment: boolean;
  /** How many lines the old value goes over; 1 for a new line. */
  readonly lineCount: number;
  /** False where it has the new value already. */
  readonly isChanged: boolean;
}

/**
 * The lines of a variable in a dotenv file and in what `setVariable` has made of it; no other line differs.
 *
 * Shown are the variable's name with its prefix, sign and quotes. Everything else on the line may be a secret, also a
 * comment, and is masked or left out.
 */
export function compareVariable(before: Buffer, after: Buffer, variable: string): VariableLine[] {
  const [oldText, newText] = [before.toString('latin1'), after.toString('latin1')];
  const old = assignmentsOf(oldText, variable);
  return assignmentsOf(newText, variable).map((now, place) => {
    const was = old[place];
    return {
      number: (was ?? now).line,
      before: was === undefined ? null : maskedLine(oldText, was),
      after: maskedLine(newText, now),
      quotes: was === undefined ? null : { before: was.quote, after: now.quote },
      isExported: /^[ \t]*export[ \t]/.test(headOf(newText, now)),
      hasComment: hasComment(newText, now),
      lineCount: was === undefined ? 1 : countLineBreaks(oldText.slice(was.start, was.end)) + 1,
      isChanged: was === undefined || wholeLine(oldText, was) !== wholeLine(newText, now),
    };
  });
}

function assignmentsOf(text: string, variable: string): Assignment[] {
  return readAssignments(text).filter((assignment) => assignment.variable === variable);
}

function maskedLine(text: string, assignment: Assignment): string {
  const { quote, written } = assignment;
  const value = `${quote}${written === '' ? '' : maskedValue}${quote}`;
  return `${headOf(text, assignment)}${value}${hasComment(text, assignment) ? ' # …' : ''}`;
}

/** What stands before the value: blanks, `export`, the name and its sign, and nothing else. */
function headOf(text: string, { from, start }: Assignment): string {
  return text.slice(from, start);
}

function hasComment(text: string, { end }: Assignment): boolean {
  return text.slice(end, endOfLine(text, end)).includes('#');
}

function wholeLine(text: string, { from, end }: Assignment): string {
  return text.slice(from, endOfLine(text, end));
}

function endOfLine(text: string, at: number): number {
  const rest = text.slice(at).search(/[\r\n]/);
  return rest === -1 ? text.length : at + rest;
}
