import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter } from 'vitest/node';
import { failedOnce, type Outcome, ProgressFile } from './outcome.ts';
import { longTag } from './suites.ts';

/** What we read of a file that vitest ran. */
export interface VitestModule {
  readonly relativeModuleId: string;
  /** Its path. */
  readonly moduleId: string;
  ok(): boolean;
  errors(): readonly VitestError[];
  readonly children: {
    allTests(): Iterable<VitestTest>;
    allSuites(): Iterable<{ readonly fullName: string; errors(): readonly VitestError[] }>;
  };
}

interface VitestTest extends VitestPart {
  readonly tags: readonly string[];
  result(): VitestResult;
}

/** A test, or a `describe` around it. */
interface VitestPart {
  readonly fullName: string;
  /** Where it is written. */
  readonly location?: Place | undefined;
  /** What it is in: a `describe`, or the file itself. */
  readonly parent?: VitestPart | object;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

interface VitestResult {
  readonly state: string;
  readonly errors?: readonly VitestError[] | undefined;
  /** What `skip` was told. */
  readonly note?: string | undefined;
}

interface VitestError {
  readonly message: string;
  readonly stack?: string;
}

/** What we read of a test that Playwright ran. */
export interface Journey {
  outcome(): 'expected' | 'unexpected' | 'flaky' | 'skipped';
  readonly results: readonly { readonly errors: readonly Message[] }[];
  readonly annotations: readonly { readonly type: string; readonly description?: string }[];
}

interface Message {
  readonly message?: string;
}

/** Writes what a vitest run does and comes to into a progress file. */
export function outcomeReporter(path: string): Reporter {
  const file = new ProgressFile(path);
  let filter: readonly string[] = [];
  return {
    onInit({ config }) {
      filter = config.tagsFilter ?? [];
    },
    onTestModuleQueued: ({ relativeModuleId }) => file.begin(relativeModuleId),
    onTestModuleEnd: ({ relativeModuleId }) => file.end(relativeModuleId),
    onTestCaseReady: (test) => file.begin(`${test.module.relativeModuleId} › ${test.fullName}`),
    onTestCaseResult(test) {
      const { state } = test.result();
      const name = `${test.module.relativeModuleId} › ${test.fullName}`;
      if (!isForThisRun(test.tags, filter)) file.end(name);
      else if (state !== 'pending') file.end(name, state, testNote(test.module, test));
    },
    onHookStart: (hook) => file.begin(hookName(hook)),
    onHookEnd: (hook) => file.end(hookName(hook)),
    onTestRunEnd(modules, strayErrors, reason) {
      file.finish(readVitestRun(modules, strayErrors, reason, filter));
    },
  };
}

type HookContext = Parameters<NonNullable<Reporter['onHookStart']>>[0];

function hookName({ name, entity }: HookContext): string {
  const [file, ...parts] =
    entity.type === 'module' ? [entity.relativeModuleId] : [entity.module.relativeModuleId, entity.fullName];
  return [file, ...parts, name].join(' › ');
}

/**
 * Counts a vitest run. Tests that its filter by tags leaves to another run are no part of it.
 *
 * A file that could not be loaded, or a hook that failed, leaves tests out, and an error outside of any test fails
 * none: each counts as one failed test, else a broken suite would look like a short one.
 */
export function readVitestRun(
  modules: readonly VitestModule[],
  strayErrors: readonly VitestError[],
  reason: 'passed' | 'interrupted' | 'failed',
  filter: readonly string[] = [],
): Outcome {
  const tests = modules.flatMap((module) =>
    [...module.children.allTests()]
      .filter(({ tags }) => isForThisRun(tags, filter))
      .map((test) => ({ module, test })),
  );
  const count = (wanted: string): number => tests.filter(({ test }) => test.result().state === wanted).length;
  const notesOf = (wanted: (state: string) => boolean): string[] =>
    tests
      .filter(({ test }) => wanted(test.result().state))
      .flatMap(({ module, test }) => testNote(module, test) ?? []);
  const failures = [
    ...notesOf((state) => state === 'failed'),
    ...modules.flatMap(failuresAroundTests),
    ...strayErrors.map((error) => failure('an error outside of any test', wordsOf(error))),
  ];
  if (tests.length === 0 && failures.length === 0) return failedOnce('could not run: it has no tests');
  if (reason !== 'passed' && failures.length === 0) failures.push(`no test failed, but the run ${reason}`);
  return {
    passed: count('passed'),
    failed: failures.length,
    skipped: tests.length - count('passed') - count('failed'),
    notes: [...failures, ...notesOf((state) => state !== 'failed')],
  };
}

/** By the two filters that the test command uses. */
function isForThisRun(tags: readonly string[], filter: readonly string[]): boolean {
  if (filter.includes(longTag)) return tags.includes(longTag);
  return !(filter.includes(`!${longTag}`) && tags.includes(longTag));
}

/** What a reader has to know of a test: how it failed, or why it was skipped. */
function testNote({ relativeModuleId, moduleId }: VitestModuleName, test: VitestTest): string | undefined {
  const { state, errors, note } = test.result();
  const name = `${relativeModuleId} › ${test.fullName}`;
  if (state === 'passed') return undefined;
  if (state === 'failed') return failure(name, wordsOf(errors?.[0]));
  return skipped(name, note ?? whySkipped(moduleId, test));
}

type VitestModuleName = Pick<VitestModule, 'relativeModuleId' | 'moduleId'>;

/** The condition of `skipIf` or `runIf` as it is written at the test or around it; vitest does not pass on a reason. */
function whySkipped(path: string, test: VitestPart): string | undefined {
  const lines = readFileSync(path, 'utf8').split('\n');
  for (
    let part: VitestPart | undefined = test;
    part?.location;
    part = part.parent as VitestPart | undefined
  ) {
    const { line, column } = part.location;
    // Up to the place where it is called; a chain of calls may begin some lines above.
    const before = [...lines.slice(Math.max(0, line - 4), line - 1), lines[line - 1]?.slice(0, column)];
    const [, how, rest] = /.*\.(skipIf|runIf)\((.*)/su.exec(before.join(' ')) ?? [];
    if (rest === undefined) continue;
    const end = endOfArgument(rest);
    // That of another test, above this one.
    if (/\b(?:it|test|describe)\b/u.test(rest.slice(end))) continue;
    return `${how === 'runIf' ? 'runs only if' : 'skipped if'} ${rest.slice(0, end)}`;
  }
  return undefined;
}

/** Where the parenthesis closes that is open at the beginning. */
function endOfArgument(text: string): number {
  let open = 1;
  for (const { 0: bracket, index } of text.matchAll(/[()]/gu)) {
    open += bracket === '(' ? 1 : -1;
    if (open === 0) return index;
  }
  return text.length;
}

/** Of loading the file, and of hooks that run once for a file or a `describe`. */
function failuresAroundTests(module: VitestModule): string[] {
  const where = module.relativeModuleId;
  const said = [
    ...module.errors().map((error) => failure(`${where} could not run`, wordsOf(error))),
    ...[...module.children.allSuites()].flatMap((suite) =>
      suite.errors().map((error) => failure(`${where} › ${suite.fullName} could not run`, wordsOf(error))),
    ),
  ];
  const hasFailedTest = [...module.children.allTests()].some((test) => test.result().state === 'failed');
  return module.ok() || hasFailedTest || said.length > 0 ? said : [failure(`${where} could not run`)];
}

function wordsOf(error: VitestError | undefined): string | undefined {
  return error?.stack ?? error?.message;
}

/** Counts a Playwright run. A flaky journey failed: it did so once, and a user would have met it. */
export function readJourneys(
  journeys: readonly { readonly name: string; readonly journey: Journey }[],
  errors: readonly Message[],
): Outcome {
  if (journeys.length + errors.length === 0) return failedOnce('could not run: it has no tests');
  const count = (...wanted: string[]): number =>
    journeys.filter(({ journey }) => wanted.includes(journey.outcome())).length;
  return {
    passed: count('expected'),
    failed: count('unexpected', 'flaky') + errors.length,
    skipped: count('skipped'),
    notes: [
      ...journeys.flatMap(({ name, journey }) => journeyNote(name, journey) ?? []),
      ...errors.map(({ message }) => firstLine(message)),
    ],
  };
}

/** What a reader has to know of a journey: how it failed, or why it was skipped. */
export function journeyNote(name: string, journey: Journey): string | undefined {
  const { results, annotations } = journey;
  const state = journey.outcome();
  if (state === 'expected') return undefined;
  if (state !== 'skipped') return failure(name, messageOf(results.flatMap(({ errors }) => errors)));
  const why = annotations.find(({ type }) => type === 'skip' || type === 'fixme')?.description;
  return skipped(name, why ?? (results.length === 0 ? 'the run ended before it' : undefined));
}

/** Of a test that took too long, Playwright says by a second error what it was doing, and by the log of that call what it waited for. */
function messageOf(errors: readonly Message[]): string | undefined {
  const messages = errors.flatMap(({ message }) => message ?? []);
  if (!/\btimeout\b/iu.test(messages[0] ?? '')) return messages[0];
  return messages.join('\n').replace(/^Call log:$/gmu, 'It was at:');
}

/** What a reader of the last screenful needs: which test, and what it saw. Call logs and stacks are further up. */
function failure(test: string, message = 'no reason given'): string {
  const lines = stripVTControlCharacters(message).trim().split('\n');
  const end = lines.findIndex((line) => /^(Call log:|\s+at )/u.test(line));
  const said = lines.slice(0, end === -1 ? undefined : end).filter((line) => line.trim() !== '');
  return [test, ...said.slice(0, 12).map((line) => `    ${line}`)].join('\n');
}

/** In one line. */
function skipped(test: string, why = 'no reason given'): string {
  return `skipped: ${test}: ${why.replace(/\s+/gu, ' ').trim()}`;
}

function firstLine(message = 'no reason given'): string {
  return message.trim().split('\n')[0] ?? '';
}
