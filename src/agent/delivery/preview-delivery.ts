import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type DeliveryPreview, maskedValue } from '../../contract/credential/credential-checks.ts';
import type { DeliveryTarget, DeliveryTargetOf } from '../../contract/credential/credential.ts';
import type { DeliveryFinding, InPlaceReason } from '../../contract/credential/delivery-finding.ts';
import type { DeliveryProblem } from '../../contract/credential/delivery-problem.ts';
import { unreachable } from '../../core/unreachable.ts';
import { type Vault, VaultUnavailable } from '../../core/vault.ts';
import { dotenvContentOf, entryProblem, fileContentOf, settingProblem, variableProblem } from './deliver.ts';
import { asFileTrouble, FileTrouble, systemCodeOf, VariableRefused } from './delivery-outcome.ts';
import type { DeliveryContext } from './deliver-to-hook.ts';
import { findProgram } from './find-program.ts';
import type { OwnPlaces } from './own-places.ts';
import { type ContentChange, findPlace, planReplacement, type Replacement } from './plan-replacement.ts';
import { assertOwnerCanStay, type FileOptions, inPlaceReason } from './replace-private-file.ts';
import { settingEditor } from './setting/edit-setting.ts';
import { SettingRefused } from './setting/setting-source.ts';
import { compareVariable, countLineBreaks, type VariableLine } from './dotenv-file.ts';

/** A preview without its sentences. */
export interface FoundDelivery extends Omit<DeliveryPreview, 'message' | 'place'> {
  readonly findings: readonly DeliveryFinding[];
  /** The path of a file behind all links, or the entry or command. */
  readonly place: string | DeliveryTargetOf<'keychain' | 'hook'>;
}

/**
 * What `deliver` would do with a target and a token, with the same code; writes and runs nothing.
 *
 * Contains neither this token nor the current content of the place. Like `deliver` it rejects only for bugs.
 */
export async function previewDelivery(
  target: DeliveryTarget,
  token: string,
  { vault, ownPlaces }: Pick<DeliveryContext, 'vault' | 'ownPlaces'>,
): Promise<FoundDelivery> {
  switch (target.kind) {
    case 'keychain':
      return previewKeychain(target, token, vault);
    case 'file':
      return previewFile(target, token, ownPlaces);
    case 'dotenv':
      return previewDotenv(target, token, ownPlaces);
    case 'setting':
      return previewSetting(target, token, ownPlaces);
    case 'hook':
      return previewHook(target);
    default:
      return unreachable(target);
  }
}

/** What `deliverToDotenv` would do: only the line of the variable. */
async function previewDotenv(
  target: DeliveryTargetOf<'dotenv'>,
  token: string,
  ownPlaces: OwnPlaces,
): Promise<FoundDelivery> {
  const { path, variable } = target;
  try {
    const planned = await previewReplacement(target, dotenvContentOf(path, variable, token), ownPlaces);
    const { place, old, content } = planned;
    const lines = compareVariable(old ?? Buffer.alloc(0), content, variable);
    const changed = lines.filter(({ isChanged }) => isChanged);
    return {
      possible: true,
      findings: [
        variableFinding(target, planned, lines),
        ...(old === null || changed.length === 0 ? [] : whatStays(changed)),
        ...fileRemarks(path, planned),
      ],
      place,
      exists: old !== null,
      lines: changed.map(({ number, before, after }) => ({ number, before, after })),
    };
  } catch (error) {
    if (error instanceof VariableRefused) return impossibleFile(path, variableProblem(error, path, variable));
    return previewTrouble(error, path);
  }
}

/** What `deliverToSetting` would do: only the line of the value. */
async function previewSetting(
  target: DeliveryTargetOf<'setting'>,
  token: string,
  ownPlaces: OwnPlaces,
): Promise<FoundDelivery> {
  const { path } = target;
  try {
    const edit = await settingEditor(target, token);
    const planned = await previewReplacement(target, (content) => edit(content).content, ownPlaces);
    const { place, old, content } = planned;
    const { line, before, after } = edit(old);
    const isSame = old?.equals(content) === true;
    return {
      possible: true,
      findings: [
        settingFinding(target, planned, { line, isSame, isNew: before === null }),
        ...(old === null || isSame ? [] : [{ code: 'rest_unchanged' } as const]),
        ...fileRemarks(path, planned),
      ],
      place,
      exists: old !== null,
      lines: isSame ? [] : [{ number: line, before, after }],
    };
  } catch (error) {
    if (error instanceof SettingRefused) return impossibleFile(path, settingProblem(error, target));
    return previewTrouble(error, path);
  }
}

function settingFinding(
  { key, mode }: DeliveryTargetOf<'setting'>,
  { place, old }: PossibleReplacement,
  { line, isSame, isNew }: { readonly line: number; readonly isSame: boolean; readonly isNew: boolean },
): DeliveryFinding {
  if (old === null) return { code: 'setting_created', place, key, ...modeOf(mode) };
  if (isSame) return { code: 'setting_unchanged', place, key, line };
  return { code: isNew ? 'setting_added' : 'setting_changed', place, key, line };
}

function variableFinding(
  { variable, mode }: DeliveryTargetOf<'dotenv'>,
  { place, old }: PossibleReplacement,
  all: readonly VariableLine[],
): DeliveryFinding {
  const changedLines = all.filter(({ isChanged }) => isChanged);
  const [lines, changed] = [all, changedLines].map((some) => some.map(({ number }) => number)) as [
    number[],
    number[],
  ];
  if (changed.length === 0) return { code: 'variable_unchanged', place, variable, lines };
  if (old === null) return { code: 'variable_created', place, variable, ...modeOf(mode) };
  if (changedLines.some(({ before }) => before === null)) {
    const needsLineBreak = old.length > 0 && !/[\r\n]$/.test(old.toString('latin1'));
    return { code: 'variable_added', place, variable, lines: changed, needsLineBreak };
  }
  return { code: 'variable_changed', place, variable, lines, changed };
}

function whatStays(changed: readonly VariableLine[]): DeliveryFinding[] {
  const [only, ...more] = changed;
  const spans = changed.filter(({ lineCount }) => lineCount > 1);
  return [
    ...(only === undefined || more.length > 0 ? [] : lineRemarks(only)),
    ...spans.map(({ number: line, lineCount }) => ({ code: 'lines_joined', line, lineCount }) as const),
    { code: 'rest_unchanged' },
  ];
}

/** What stays and what changes on the one line. */
function lineRemarks({ quotes, isExported, hasComment }: VariableLine): DeliveryFinding[] {
  if (quotes === null) return [];
  const isSameQuote = quotes.before === quotes.after;
  const parts = [
    ...(isExported ? (['export'] as const) : []),
    ...(isSameQuote && quotes.before !== '' ? (['quotes'] as const) : []),
    ...(hasComment ? (['comment'] as const) : []),
  ];
  return [
    ...(parts.length === 0 ? [] : [{ code: 'line_keeps', quote: quotes.before, parts } as const]),
    ...(isSameQuote ? [] : [{ code: 'line_gets_quotes', quote: quotes.after } as const]),
  ];
}

/** What `deliverToFile` would do. */
async function previewFile(
  target: DeliveryTargetOf<'file'>,
  token: string,
  ownPlaces: OwnPlaces,
): Promise<FoundDelivery> {
  const { path, newline } = target;
  try {
    const planned = await previewReplacement(target, () => fileContentOf(token, newline), ownPlaces);
    const { place, old, content } = planned;
    const isSame = old?.equals(content) === true;
    return {
      possible: true,
      findings: [fileFinding(target, planned, isSame), ...fileRemarks(path, planned)],
      place,
      exists: old !== null,
      lines: isSame ? [] : [{ number: null, before: old === null ? null : maskedValue, after: maskedValue }],
    };
  } catch (error) {
    return previewTrouble(error, path);
  }
}

/** `0640` as `640`. */
function modeOf(mode: string | undefined): { readonly mode?: string } {
  return mode === undefined ? {} : { mode: mode.slice(-3) };
}

function fileFinding(
  { newline, mode }: DeliveryTargetOf<'file'>,
  { place, old }: PossibleReplacement,
  isSame: boolean,
): DeliveryFinding {
  const lineBreak = newline === undefined ? {} : { newline };
  if (isSame) return { code: 'file_unchanged', place };
  if (old === null) return { code: 'file_created', place, ...modeOf(mode), ...lineBreak };
  return { code: 'file_replaced', place, lineCount: lineCountOf(old), ...lineBreak };
}

/** Enough to see whether a person wants to keep this file. */
function lineCountOf(old: Buffer): number {
  if (old.length === 0) return 0;
  const text = old.toString('latin1');
  return countLineBreaks(text) + (/[\r\n]$/.test(text) ? 0 : 1);
}

/** The command that `deliverToHook` would start. It is not started, because its effects cannot be undone. */
async function previewHook(target: DeliveryTargetOf<'hook'>): Promise<FoundDelivery> {
  const { command, pass, variable, time_limit_seconds: seconds } = target;
  const [program = '', ...args] = command;
  const found = await findProgram(program);
  if (!found.ok) {
    const end = { kind: 'not_started', systemCode: found.code } as const;
    const problem: DeliveryProblem = { code: 'hook', program, end, output: '' };
    return impossible(problem, target, { exists: found.code === 'EACCES' });
  }
  return {
    possible: true,
    findings: [
      {
        code: 'command_found',
        program: found.path,
        argumentCount: args.length,
        seconds,
        variable: pass === 'stdin' ? null : variable,
      },
    ],
    place: { ...target, command: [found.path, ...args] },
    exists: true,
    lines: [],
  };
}

/** What `deliverToKeychain` would do. */
async function previewKeychain(
  target: DeliveryTargetOf<'keychain'>,
  token: string,
  vault: Vault,
): Promise<FoundDelivery> {
  const { service, account } = target;
  const obstacle = entryProblem(target, vault);
  if (obstacle !== null) return impossible(obstacle, target);
  try {
    const found = await vault.read({ service, account });
    const exists = found !== null;
    const code = entryChange(found, token);
    const line = { number: null, before: exists ? maskedValue : null, after: maskedValue };
    return {
      possible: true,
      findings: [{ code, service, account }],
      place: target,
      exists,
      lines: found === token ? [] : [line],
    };
  } catch (error) {
    if (!(error instanceof VaultUnavailable)) throw error;
    return impossible({ code: 'entry_not_readable', service, account, problem: error.problem }, target);
  }
}

interface PossibleReplacement extends Replacement {
  /** The real place of the file. */
  readonly place: string;
  /** Why it is written in place; null: it is replaced. */
  readonly inPlace: InPlaceReason | null;
}

/**
 * What `replacePrivateFile` would do before it writes: the same file, the same content, the same problems.
 *
 * Throws `FileTrouble` with the problem of the real attempt, and errors of `change`. A full disk is only found by
 * writing.
 */
async function previewReplacement(
  { path, ...options }: Pick<DeliveryTargetOf<'file'>, 'path'> & FileOptions,
  change: ContentChange,
  ownPlaces: OwnPlaces,
): Promise<PossibleReplacement> {
  try {
    const place = await findPlace(path, ownPlaces);
    const planned = await planReplacement(place, path, change, ownPlaces);
    const inPlace = planned.before === null ? null : await inPlaceReason(place, planned.before, options);
    if (inPlace === null) {
      // A new file replaces the old one, so the permissions of the folder decide.
      await access(dirname(place), constants.W_OK | constants.X_OK);
      if (planned.before !== null) await assertOwnerCanStay(place, planned.before);
    } else await access(place, constants.W_OK);
    return { ...planned, place, inPlace };
  } catch (error) {
    throw asFileTrouble(error, path);
  }
}

/** What a delivery does with the entry that was found in the keychain. */
function entryChange(found: string | null, token: string) {
  if (found === token) return 'entry_unchanged';
  return found === null ? 'entry_created' : 'entry_replaced';
}

/** The preview of a target that cannot receive a token. */
function impossible(
  problem: DeliveryProblem,
  place: FoundDelivery['place'],
  { exists = false } = {},
): FoundDelivery {
  return { possible: false, findings: [{ code: 'impossible', problem }], place, exists, lines: [] };
}

async function impossibleFile(path: string, problem: DeliveryProblem): Promise<FoundDelivery> {
  return impossible(problem, path, { exists: await isThere(path) });
}

/** The preview of a file that cannot be written; any error except `FileTrouble` is thrown again. */
async function previewTrouble(error: unknown, path: string): Promise<FoundDelivery> {
  if (error instanceof FileTrouble) return impossibleFile(path, error.problem);
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

/** What a person should know about a file apart from its content: where a link leads, and who can read it. */
function fileRemarks(path: string, { place, before, inPlace }: PossibleReplacement): DeliveryFinding[] {
  const link: DeliveryFinding[] = place === resolve(path) ? [] : [{ code: 'through_link', path }];
  if (before === null) return link;
  const mode = Number(before.mode) & 0o777;
  const isOpen = process.platform !== 'win32' && (mode & 0o044) !== 0;
  return [
    ...link,
    ...(inPlace === null ? [] : [{ code: 'written_in_place', reason: inPlace } as const]),
    { code: 'mode_kept', mode: mode.toString(8).padStart(3, '0') },
    ...(isOpen ? [{ code: 'readable_by_others', place } as const] : []),
  ];
}
