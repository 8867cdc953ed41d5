import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type DeliveryPreview, maskedValue } from '../../contract/credential-checks.ts';
import type { DeliveryTarget, DeliveryTargetOf } from '../../contract/credential.ts';
import { shellWord } from '../../core/shell-word.ts';
import { unreachable } from '../../core/unreachable.ts';
import { type Vault, VaultUnavailable } from '../../core/vault.ts';
import { explainNoStart } from './deliver-to-hook.ts';
import { dotenvContentOf, entryWords, fileContentOf, refusalWords, whyNoEntry } from './deliver.ts';
import { VariableRefused } from './delivery-outcome.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { asFileTrouble, FileTrouble, systemCodeOf } from './file-trouble.ts';
import { findProgram } from './find-program.ts';
import type { OwnPlaces } from './own-places.ts';
import { type ContentChange, findPlace, planReplacement, type Replacement } from './plan-replacement.ts';
import { assertOwnerCanStay } from './replace-private-file.ts';
import { compareVariable, countLineBreaks, type Quote, type VariableLine } from './dotenv-file.ts';

/**
 * What `deliver` would do with a target and a value, found by the same code; writes and runs nothing.
 *
 * No value is in it, neither this one nor one that lies in the place. Like `deliver` it rejects for bugs only.
 */
export async function previewDelivery(
  target: DeliveryTarget,
  value: string,
  { vault, ownPlaces }: Pick<DeliveryContext, 'vault' | 'ownPlaces'>,
): Promise<DeliveryPreview> {
  switch (target.kind) {
    case 'keychain':
      return previewKeychain(target, value, vault);
    case 'file':
      return previewFile(target, value, ownPlaces);
    case 'dotenv':
      return previewDotenv(target, value, ownPlaces);
    case 'hook':
      return previewHook(target);
    default:
      return unreachable(target);
  }
}

/** What `deliverToDotenv` would do: the line of the variable, and nothing of any other. */
async function previewDotenv(
  target: DeliveryTargetOf<'dotenv'>,
  value: string,
  ownPlaces: OwnPlaces,
): Promise<DeliveryPreview> {
  const { path, variable } = target;
  try {
    const planned = await previewReplacement(path, dotenvContentOf(variable, value), ownPlaces);
    const { place, old, content } = planned;
    const lines = compareVariable(old ?? Buffer.alloc(0), content, variable);
    const changed = lines.filter(({ isChanged }) => isChanged);
    const sentences =
      changed.length === 0
        ? [
            `${variable} has the present value in ${place} already (${lineWords(lines)}): nothing would change.`,
          ]
        : [whatHappens(variable, planned, lines), ...whatStays(planned, changed)];
    return {
      possible: true,
      message: [...sentences, ...fileRemarks(path, planned)].join(' '),
      place,
      exists: old !== null,
      lines: changed.map(({ number, before, after }) => ({ number, before, after })),
    };
  } catch (error) {
    if (error instanceof VariableRefused) return impossibleFile(path, refusalWords(error, path, variable));
    return previewTrouble(error, path);
  }
}

function whatHappens(
  variable: string,
  { place, old }: PossibleReplacement,
  lines: readonly VariableLine[],
): string {
  const changed = lines.filter(({ isChanged }) => isChanged);
  if (old === null) {
    return `${place} is not there yet: it is made for its owner only (mode 600), with ${variable} in it.`;
  }
  if (changed.some(({ before }) => before === null)) {
    const gap = old.length === 0 || /[\r\n]$/.test(old.toString('latin1')) ? '' : ', after a line break';
    return `${variable} is not in ${place} yet: it is added at the end, as ${lineWords(changed)}${gap}.`;
  }
  if (lines.length === 1)
    return `In ${place}, ${lineWords(changed)} changes: ${variable} gets the new value.`;
  return (
    `In ${place}, ${variable} stands on ${lineWords(lines)}; readers take the last one. ` +
    `${capitalised(lineWords(changed))} ${changed.length === 1 ? 'changes' : 'change'}, so that no old value is left.`
  );
}

const quoteNames: Readonly<Record<Quote, string>> = {
  '': 'no quotes',
  "'": 'single quotes',
  '"': 'double quotes',
  '`': 'backticks',
};

function whatStays({ old }: PossibleReplacement, changed: readonly VariableLine[]): string[] {
  if (old === null) return [];
  const [only, ...more] = changed;
  const sentences = only === undefined || more.length > 0 ? [] : lineRemarks(only);
  const spans = changed.filter(({ lineCount }) => lineCount > 1);
  for (const { number, lineCount } of spans) {
    sentences.push(`The old value on line ${number} goes over ${lineCount} lines, which become one.`);
  }
  sentences.push('Everything else in the file stays as it is.');
  return sentences;
}

/** What the one line that changes keeps, and what it does not. */
function lineRemarks({ quotes, isExported, hasComment }: VariableLine): string[] {
  if (quotes === null) return [];
  const isSameQuote = quotes.before === quotes.after;
  const kept = [
    ...(isExported ? ['its export prefix'] : []),
    ...(isSameQuote && quotes.before !== '' ? [`its ${quoteNames[quotes.before]}`] : []),
    ...(hasComment ? ['its comment'] : []),
  ];
  return [
    ...(kept.length === 0 ? [] : [`It keeps ${listWords(kept)}.`]),
    ...(isSameQuote ? [] : [`It gets ${quoteNames[quotes.after]}, which this value needs.`]),
  ];
}

function lineWords(changed: readonly VariableLine[]): string {
  const numbers = changed.map(({ number }) => String(number));
  return `${numbers.length === 1 ? 'line' : 'lines'} ${listWords(numbers)}`;
}

function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What `deliverToFile` would do. */
async function previewFile(
  { path }: DeliveryTargetOf<'file'>,
  value: string,
  ownPlaces: OwnPlaces,
): Promise<DeliveryPreview> {
  try {
    const planned = await previewReplacement(path, () => fileContentOf(value), ownPlaces);
    const { place, old, content } = planned;
    const isSame = old?.equals(content) === true;
    return {
      possible: true,
      message: [whatHappensToFile(planned, isSame), ...fileRemarks(path, planned)].join(' '),
      place,
      exists: old !== null,
      lines: isSame ? [] : [{ number: null, before: old === null ? null : maskedValue, after: maskedValue }],
    };
  } catch (error) {
    return previewTrouble(error, path);
  }
}

function whatHappensToFile({ place, old }: PossibleReplacement, isSame: boolean): string {
  if (isSame) return `${place} has the present value already: nothing would change.`;
  if (old === null) {
    return `${place} is not there yet: it is made for its owner only (mode 600), with the value and a line break in it.`;
  }
  return `Everything in ${place} (${sizeWords(old)}) is replaced by the value and a line break.`;
}

/** Enough to see whether this is a file that somebody wants to keep. */
function sizeWords(old: Buffer): string {
  if (old.length === 0) return 'it is empty now';
  const text = old.toString('latin1');
  const lines = countLineBreaks(text) + (/[\r\n]$/.test(text) ? 0 : 1);
  return lines === 1 ? 'one line now' : `${lines} lines now`;
}

/** What `deliverToHook` would start. It is not started: what a command does, nobody can take back. */
async function previewHook({
  command,
  pass,
  variable,
  time_limit_seconds: timeLimitSeconds,
}: DeliveryTargetOf<'hook'>): Promise<DeliveryPreview> {
  const [program = '', ...args] = command;
  const found = await findProgram(program);
  if (!found.ok) {
    return {
      possible: false,
      message: `${explainNoStart(found.code, program)} Nothing was run.`,
      place: command.map(shellWord).join(' '),
      exists: found.code === 'EACCES',
      lines: [],
    };
  }
  const way = pass === 'stdin' ? 'on its stdin' : `in the variable ${variable} of its environment`;
  const given =
    args.length === 0 ? 'no arguments' : args.length === 1 ? 'one argument' : `${args.length} arguments`;
  return {
    possible: true,
    message:
      `${found.path} is run with ${given}, without a shell, and has ${timeLimitSeconds} s. ` +
      `The value comes ${way}, never among its arguments. It was found and may be run; it was not run now.`,
    place: [found.path, ...args].map(shellWord).join(' '),
    exists: true,
    lines: [],
  };
}

/** What `deliverToKeychain` would do. */
async function previewKeychain(
  target: DeliveryTargetOf<'keychain'>,
  value: string,
  vault: Vault,
): Promise<DeliveryPreview> {
  const place = entryWords(target);
  const impossible = (message: string): DeliveryPreview => ({
    possible: false,
    message,
    place,
    exists: false,
    lines: [],
  });
  const obstacle = whyNoEntry(target, vault);
  if (obstacle !== null) return impossible(obstacle);
  try {
    const { service, account } = target;
    const present = await vault.read({ service, account });
    const exists = present !== null;
    const message =
      present === value
        ? `The ${place} has the present value already: nothing would change.`
        : exists
          ? `The ${place} is there: its value is replaced.`
          : `There is no ${place} yet: it is made.`;
    const line = { number: null, before: exists ? maskedValue : null, after: maskedValue };
    return { possible: true, message, place, exists, lines: present === value ? [] : [line] };
  } catch (error) {
    if (error instanceof VaultUnavailable)
      return impossible(`The ${place} cannot be read now: ${error.message}`);
    throw error;
  }
}

/** A replacement that could be made now, and where. */
interface PossibleReplacement extends Replacement {
  /** The real place of the file. */
  readonly place: string;
}

/**
 * What `replacePrivateFile` would do, up to where it writes: the same file, the same content, the same obstacles.
 *
 * Throws `FileTrouble` with the sentence of the real attempt, and what `change` throws. That the disk is full is met only
 * by writing.
 */
async function previewReplacement(
  path: string,
  change: ContentChange,
  ownPlaces: OwnPlaces,
): Promise<PossibleReplacement> {
  try {
    const place = await findPlace(path, ownPlaces);
    const planned = await planReplacement(place, path, change, ownPlaces);
    // A new file takes the place of the old one, so it is the folder that has to let us.
    await access(dirname(place), constants.W_OK | constants.X_OK);
    if (planned.before !== null) await assertOwnerCanStay(place, planned.before);
    return { ...planned, place };
  } catch (error) {
    throw asFileTrouble(error, path);
  }
}

/** The preview of a file that cannot get its content. */
async function impossibleFile(path: string, message: string): Promise<DeliveryPreview> {
  return { possible: false, message, place: path, exists: await isThere(path), lines: [] };
}

/** Says of the trouble with a file what a person needs; anything else is thrown on. */
async function previewTrouble(error: unknown, path: string): Promise<DeliveryPreview> {
  if (error instanceof FileTrouble) return impossibleFile(path, error.message);
  throw error;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (systemCodeOf(error) === null) throw error;
    return false;
  }
}

/** What a person should know of a file besides its content: where a link leads, and who can read it. */
function fileRemarks(path: string, { place, before }: PossibleReplacement): string[] {
  const remarks: string[] = [];
  if (place !== resolve(path)) remarks.push(`${path} leads there through a link, which stays.`);
  if (before === null) return remarks;
  const mode = Number(before.mode) & 0o777;
  const shown = mode.toString(8).padStart(3, '0');
  remarks.push(`Its owner and its mode (${shown}) stay.`);
  const isOpen = process.platform !== 'win32' && (mode & 0o044) !== 0;
  if (isOpen) remarks.push('Others on this machine can read it; `chmod 600` keeps it to its owner.');
  return remarks;
}
