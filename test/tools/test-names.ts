/**
 * The names of all tests, with the command that runs each: `node test/tools/test-names.ts > before`.
 *
 * With a file of an earlier run it says what differs: which tests are new, which are gone, and which run with the other
 * command now: `node test/tools/test-names.ts before`. A test is known by its words; the file it is in may change.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { root } from './root.ts';
import { steps } from './steps.ts';
import { longTag } from './suites.ts';

interface VitestName {
  readonly name: string;
  readonly file: string;
  readonly projectName: string;
}

interface JourneySuite {
  readonly title: string;
  readonly specs: readonly {
    readonly title: string;
    readonly file: string;
    readonly tests: readonly { readonly projectName: string }[];
  }[];
  /** Those of a `describe`. */
  readonly suites?: readonly JourneySuite[];
}

const execute = promisify(execFile);

const before = process.argv[2];
const names = [...(await vitestNames()), ...(await journeyNames())].sort();
const lines =
  before === undefined ? names : differences(readFileSync(before, 'utf8').trim().split('\n'), names);
console.log(lines.join('\n'));

async function vitestNames(): Promise<string[]> {
  const long = new Set((await listed(`--tagsFilter=${longTag}`)).map(keyOf));
  return (await listed()).map((test) =>
    line(test.projectName, relative(root, test.file), test.name, long.has(keyOf(test))),
  );
}

function keyOf({ projectName, file, name }: VitestName): string {
  return JSON.stringify([projectName, file, name]);
}

async function listed(...filter: readonly string[]): Promise<readonly VitestName[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rotavox-names-'));
  try {
    const file = join(folder, 'vitest.json');
    // Read by running the files: many tests are made from tables.
    await output('vitest', 'list', '--staticParse=false', `--json=${file}`, ...filter);
    return JSON.parse(readFileSync(file, 'utf8')) as readonly VitestName[];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function journeyNames(): Promise<string[]> {
  const listed = await output('playwright', 'test', '--list', '--reporter=json');
  const { suites } = JSON.parse(listed) as { readonly suites: readonly JourneySuite[] };
  return suites.flatMap((suite) => namesBelow(suite));
}

function namesBelow(suite: JourneySuite, above: readonly string[] = []): string[] {
  return [
    ...suite.specs.flatMap(({ file, title, tests }) =>
      tests.map(({ projectName }) =>
        line(projectName, join('test/journeys', file), [...above, title].join(' > ')),
      ),
    ),
    ...(suite.suites ?? []).flatMap((inner) => namesBelow(inner, [...above, inner.title])),
  ];
}

function line(step: string, file: string, name: string, isTagged = false): string {
  const isLong = isTagged || steps.find((one) => one.name === step)?.isLong === true;
  return [isLong ? 'npm run test:long' : 'npm test', step, file, name.replaceAll('\n', ' ')].join('\t');
}

async function output(command: string, ...args: string[]): Promise<string> {
  const { stdout } = await execute(`${root}/node_modules/.bin/${command}`, args, {
    cwd: root,
    maxBuffer: 256 * 1024 * 1024,
  });
  return stdout;
}

/** One line for each test that is not where it was, and the numbers. */
function differences(earlier: readonly string[], later: readonly string[]): string[] {
  const gone = byWords(without(earlier, later));
  const added = byWords(without(later, earlier));
  const moved: string[] = [];
  const removed: string[] = [];
  for (const [words, lost] of gone) {
    const found = added.get(words) ?? [];
    for (const was of lost) {
      const is = found.shift();
      if (is === undefined) removed.push(`removed\t${was}`);
      else moved.push(`moved\t${placeOf(was)}\t->\t${is}`);
    }
  }
  const written = [...added.values()].flat().map((one) => `new\t${one}`);
  return [
    ...removed,
    ...written,
    ...moved,
    `${earlier.length} tests before, ${later.length} now: ${removed.length} removed, ${written.length} new, ${moved.length} moved`,
  ];
}

/** The lines of one list that the other has not, counted: two tests may have the same words. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(other, (left.get(other) ?? 0) + 1);
  return lines.filter((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count <= 0;
  });
}

function byWords(lines: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const one of lines) {
    const words = one.split('\t')[3] ?? '';
    found.set(words, [...(found.get(words) ?? []), one]);
  }
  return found;
}

function placeOf(one: string): string {
  return one.split('\t').slice(0, 3).join('\t');
}
