import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '../tools/root.ts';

/** A fault that the lint has to find, and the same code without it, in which it may find nothing. */
export interface Fault {
  readonly name: string;
  /** Below the root, without its suffix; what holds for a file depends on where it is. */
  readonly place: string;
  readonly suffix?: '.ts' | '.tsx' | '.config.ts';
  /** As oxlint names it, or what it says. */
  readonly rule: string;
  readonly faulty: string;
  readonly sound: string;
}

const anyValue = "import { anything } from './planted.ts';\n";

/** One for each fault of our style that a linter can see. */
export const faults: readonly Fault[] = [
  {
    name: 'a dropped promise of an imported function',
    place: 'src/agent/dropped',
    rule: 'typescript(no-floating-promises)',
    faulty: "import { save } from './planted.ts';\nexport function run(): void {\n  save();\n}\n",
    sound:
      "import { save } from './planted.ts';\nexport async function run(): Promise<void> {\n  await save();\n}\n",
  },
  {
    name: 'a promise given to forEach',
    place: 'src/agent/for-each',
    rule: 'typescript(no-misused-promises)',
    faulty:
      "import { save } from './planted.ts';\nexport function run(ids: string[]): void {\n  ids.forEach(async () => save());\n}\n",
    sound:
      "import { save } from './planted.ts';\nexport async function run(ids: string[]): Promise<void> {\n  await Promise.all(ids.map(async () => save()));\n}\n",
  },
  {
    name: 'a promise as a condition',
    place: 'src/agent/condition',
    rule: 'typescript(no-misused-promises)',
    faulty:
      "import { isThere } from './planted.ts';\nexport const run = (): string => (isThere() ? 'yes' : 'no');\n",
    sound:
      "import { isThere } from './planted.ts';\nexport const run = async (): Promise<string> => ((await isThere()) ? 'yes' : 'no');\n",
  },
  {
    name: 'a promise where nothing is awaited',
    place: 'src/renderer/attribute',
    suffix: '.tsx',
    rule: 'typescript(no-misused-promises)',
    faulty:
      "import { save } from '../agent/planted.ts';\nexport const View = () => <button onClick={() => save()} />;\n",
    sound:
      "import { save } from '../agent/planted.ts';\nexport const View = () => <button onClick={() => void save()} />;\n",
  },
  {
    name: 'an await of what is no promise',
    place: 'src/agent/await',
    rule: 'typescript(await-thenable)',
    faulty: 'export const run = async (text: string): Promise<string> => await text;\n',
    sound: 'export const run = async (text: Promise<string>): Promise<string> => await text;\n',
  },
  {
    name: 'a promise returned out of a try',
    place: 'src/agent/return-in-try',
    rule: 'typescript(return-await)',
    faulty:
      "import { isThere } from './planted.ts';\nexport async function run(): Promise<boolean> {\n  try {\n    return isThere();\n  } catch {\n    return false;\n  }\n}\n",
    sound:
      "import { isThere } from './planted.ts';\nexport async function run(): Promise<boolean> {\n  try {\n    return await isThere();\n  } catch {\n    return false;\n  }\n}\n",
  },
  {
    name: 'a missed case of a union',
    place: 'src/core/missed-case',
    rule: 'typescript(switch-exhaustiveness-check)',
    faulty:
      "import type { State } from '../agent/planted.ts';\nexport function run(state: State): number {\n  switch (state) {\n    case 'on':\n      return 1;\n    default:\n      return 0;\n  }\n}\n",
    sound:
      "import type { State } from '../agent/planted.ts';\nexport function run(state: State): number {\n  switch (state) {\n    case 'on':\n      return 1;\n    case 'off':\n      return 0;\n  }\n}\n",
  },
  {
    name: 'a default export',
    place: 'src/store/default-export',
    rule: 'import(no-default-export)',
    faulty: 'export default function run(): void {\n  return;\n}\n',
    sound: 'export function run(): void {\n  return;\n}\n',
  },
  {
    name: 'a default export by another name',
    place: 'test/store/renamed-export',
    rule: 'import(no-default-export)',
    faulty: 'const one = 1;\nexport { one as default };\n',
    sound: 'const one = 1;\nexport { one as two };\n',
  },
  {
    name: 'any',
    place: 'src/store/any',
    rule: 'typescript(no-explicit-any)',
    faulty: 'export type Held = Map<string, any>;\n',
    sound: 'export type Held = Map<string, unknown>;\n',
  },
  {
    name: 'any in a variable',
    place: 'src/agent/any-assigned',
    rule: 'typescript(no-unsafe-assignment)',
    faulty: `${anyValue}export const taken: string = anything;\n`,
    sound: `${anyValue}export const taken: unknown = anything;\n`,
  },
  {
    name: 'any as an argument',
    place: 'src/agent/any-passed',
    rule: 'typescript(no-unsafe-argument)',
    faulty: `${anyValue}export const taken = Number.parseInt(anything);\n`,
    sound: `${anyValue}export const taken = Number.parseInt(String(anything));\n`,
  },
  {
    name: 'a call of any',
    place: 'src/agent/any-called',
    rule: 'typescript(no-unsafe-call)',
    faulty: `${anyValue}export const run = (): void => void anything();\n`,
    sound: `${anyValue}export const run = (): void => void anything;\n`,
  },
  {
    name: 'a member of any',
    place: 'src/agent/any-read',
    rule: 'typescript(no-unsafe-member-access)',
    faulty: `${anyValue}export const taken: unknown = anything.name;\n`,
    sound: `${anyValue}export const taken = (anything as { name: string }).name;\n`,
  },
  {
    name: 'any as a result',
    place: 'src/agent/any-returned',
    rule: 'typescript(no-unsafe-return)',
    faulty: `${anyValue}export function run(): string {\n  return anything;\n}\n`,
    sound: `${anyValue}export function run(): string {\n  return String(anything);\n}\n`,
  },
  {
    name: 'an error of a promise as any',
    place: 'src/agent/any-caught',
    rule: 'typescript(use-unknown-in-catch-callback-variable)',
    faulty:
      "import { save } from './planted.ts';\nexport const run = (): Promise<unknown> => save().catch((error) => String(error));\n",
    sound:
      "import { save } from './planted.ts';\nexport const run = (): Promise<unknown> => save().catch((error: unknown) => String(error));\n",
  },
  {
    name: 'a thrown text',
    place: 'src/store/thrown',
    rule: 'typescript(only-throw-error)',
    faulty: "export function run(): never {\n  throw 'no';\n}\n",
    sound: "export function run(): never {\n  throw new Error('no');\n}\n",
  },
  {
    name: 'an object as text',
    place: 'src/store/object-as-text',
    rule: 'typescript(no-base-to-string)',
    faulty: 'export const run = (one: { id: string }): string => String(one);\n',
    sound: 'export const run = (one: { id: number }): string => String(one.id);\n',
  },
  {
    name: 'a condition that is always the same',
    place: 'src/store/always',
    rule: 'typescript(no-unnecessary-condition)',
    faulty: "export const run = (name: string): string => name ?? '';\n",
    sound: "export const run = (name: string | undefined): string => name ?? '';\n",
  },
  {
    name: 'an assertion that a value is there',
    place: 'src/store/assertion',
    rule: 'typescript(no-non-null-assertion)',
    faulty: 'export const run = (names: string[]): string => names[0]!;\n',
    sound: 'export const run = (names: string[]): string | undefined => names[0];\n',
  },
  {
    name: 'something deprecated',
    place: 'src/agent/deprecated',
    rule: 'typescript(no-deprecated)',
    faulty: "import { old } from './planted.ts';\nexport const run = (): number => old();\n",
    sound: "import { current } from './planted.ts';\nexport const run = (): number => current();\n",
  },
  {
    name: 'a type imported as a value',
    place: 'src/agent/type-import',
    rule: 'typescript(consistent-type-imports)',
    faulty: "import { State } from './planted.ts';\nexport type Both = State | null;\n",
    sound: "import type { State } from './planted.ts';\nexport type Both = State | null;\n",
  },
  {
    name: 'an import that loads a module for its types',
    place: 'src/agent/type-side-effect',
    rule: 'typescript(no-import-type-side-effects)',
    faulty: "import { type State } from './planted.ts';\nexport type Both = State | null;\n",
    sound: "import type { State } from './planted.ts';\nexport type Both = State | null;\n",
  },
  {
    name: 'a comparison without types',
    place: 'src/store/loose',
    rule: 'eslint(eqeqeq)',
    faulty: 'export const run = (one: unknown): boolean => one == 1;\n',
    sound: 'export const run = (one: unknown): boolean => one === 1;\n',
  },
  {
    name: 'a conditional within a conditional',
    place: 'src/core/nested',
    rule: 'eslint(no-nested-ternary)',
    faulty:
      "export const run = (left: number): string => (left < 0 ? 'over' : left === 0 ? 'now' : 'later');\n",
    sound:
      "export function run(left: number): string {\n  if (left < 0) return 'over';\n  return left === 0 ? 'now' : 'later';\n}\n",
  },
  {
    name: 'a conditional within a conditional, drawn',
    place: 'src/renderer/nested',
    suffix: '.tsx',
    rule: 'eslint(no-nested-ternary)',
    faulty:
      'export function View({ names }: { names: string[] | undefined }) {\n  return <div>{names === undefined ? null : names.length === 0 ? <p>None</p> : <p>{names[0]}</p>}</div>;\n}\n',
    sound:
      'export function View({ names }: { names: string[] | undefined }) {\n  return <div>{names === undefined ? null : <p>{names[0]}</p>}</div>;\n}\n',
  },
  {
    name: 'a conditional within a conditional, in a test',
    place: 'test/core/nested',
    rule: 'eslint(no-nested-ternary)',
    faulty:
      "export const run = (left: number): string => (left < 0 ? 'over' : left === 0 ? 'now' : 'later');\n",
    sound: "export const run = (left: number): string => (left < 0 ? 'over' : 'later');\n",
  },
  {
    name: 'an unused variable',
    place: 'src/store/unused',
    rule: 'eslint(no-unused-vars)',
    faulty: 'export function run(): void {\n  const one = 1;\n}\n',
    sound: 'export function run(): void {\n  const _one = 1;\n}\n',
  },
  {
    name: 'a type error that is switched off',
    place: 'src/store/switched-off',
    rule: 'typescript(ban-ts-comment)',
    faulty: '// @ts-ignore\nexport const one: number = 1;\n',
    sound: '// One.\nexport const one = 1;\n',
  },
  {
    name: 'the clock in core',
    place: 'src/core/clock',
    rule: 'eslint(no-restricted-properties)',
    faulty: 'export const run = (): number => Date.now();\n',
    sound: 'export const run = (at: string): number => Date.parse(at);\n',
  },
  {
    name: 'the clock in core, taken out of its object',
    place: 'src/core/taken-clock',
    rule: 'eslint(no-restricted-properties)',
    faulty: 'const { now } = Date;\nexport const run = (): number => now();\n',
    sound: 'const { parse } = Date;\nexport const run = (at: string): number => parse(at);\n',
  },
  {
    name: 'chance in the contract',
    place: 'src/contract/chance',
    rule: 'eslint(no-restricted-properties)',
    faulty: 'export const run = (): number => Math.random();\n',
    sound: 'export const run = (one: number): number => Math.floor(one);\n',
  },
  {
    name: 'printing to the console in the command line',
    place: 'src/cli/console',
    rule: 'eslint(no-console)',
    faulty: "export function run(): void {\n  console.log('one');\n}\n",
    sound: 'export function run(): void {\n  return;\n}\n',
  },
  {
    name: 'printing to a stream in the command line',
    place: 'src/cli/stream',
    rule: 'eslint(no-restricted-properties)',
    faulty: "export function run(): void {\n  process.stdout.write('one');\n}\n",
    sound: 'export function run(): void {\n  process.exitCode = 1;\n}\n',
  },
  {
    name: 'a conditional hook',
    place: 'src/renderer/conditional-hook',
    suffix: '.tsx',
    rule: 'react-hooks(rules-of-hooks)',
    faulty:
      "import { useState } from 'react';\nexport function View({ isOn }: { isOn: boolean }) {\n  if (!isOn) return null;\n  const [text] = useState('');\n  return <p>{text}</p>;\n}\n",
    sound:
      "import { useState } from 'react';\nexport function View({ isOn }: { isOn: boolean }) {\n  const [text] = useState('');\n  return isOn ? <p>{text}</p> : null;\n}\n",
  },
  {
    name: 'a missed dependency of an effect',
    place: 'src/renderer/missed-dependency',
    suffix: '.tsx',
    rule: 'react-hooks(exhaustive-deps)',
    faulty:
      "import { useEffect } from 'react';\nexport function View({ title }: { title: string }) {\n  useEffect(() => {\n    document.title = title;\n  }, []);\n  return null;\n}\n",
    sound:
      "import { useEffect } from 'react';\nexport function View({ title }: { title: string }) {\n  useEffect(() => {\n    document.title = title;\n  }, [title]);\n  return null;\n}\n",
  },
  {
    name: 'a directive that switches off nothing',
    place: 'src/store/directive',
    rule: 'Unused oxlint-disable directive (no problems were reported).',
    faulty: '// oxlint-disable-next-line eqeqeq\nexport const one = 1;\n',
    sound: '// One.\nexport const one = 1;\n',
  },
];

/** Places where what is a fault elsewhere is none. */
export const exceptions: readonly Omit<Fault, 'rule' | 'faulty'>[] = [
  {
    name: 'a default export that a tool reads',
    place: 'planted',
    suffix: '.config.ts',
    sound: 'export default {};\n',
  },
  {
    name: 'an assertion that a value is there, in a test',
    place: 'test/store/assertion',
    sound: 'export const run = (names: string[]): string => names[0]!;\n',
  },
  {
    name: 'the clock outside of core',
    place: 'src/agent/clock',
    sound: 'export const run = (): number => Date.now();\n',
  },
  {
    name: 'the terminal',
    place: 'src/cli/terminal',
    sound: "export const run = (): boolean => process.stdout.write('one');\n",
  },
];

/** Where the code with the fault lies, below the root. */
export function faultyFile({ place, suffix = '.ts' }: Pick<Fault, 'place' | 'suffix'>): string {
  return `${place}-faulty${suffix}`;
}

/** Where the code without the fault, or of an exception, lies. */
export function soundFile({ place, suffix = '.ts' }: Pick<Fault, 'place' | 'suffix'>): string {
  return `${place}${suffix}`;
}

/** What is linted of the planted checkout: oxlint would look into packages that are linked. */
export const plantedPaths = ['src', 'test', 'planted.config.ts'];

/** Writes a checkout with the configuration of this one, its packages, and the faults. */
export async function plantFaults(folder: string): Promise<void> {
  for (const name of ['.oxlintrc.json', 'tsconfig.json', 'tsconfig'])
    await cp(join(root, name), join(folder, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  await plant(
    folder,
    'src/agent/planted.ts',
    [
      'export const save = async (): Promise<void> => undefined;',
      'export const isThere = async (): Promise<boolean> => true;',
      'export const anything = JSON.parse(String(1));',
      "export type State = 'on' | 'off';",
      '/** @deprecated Use current. */',
      'export const old = (): number => 1;',
      'export const current = (): number => 1;',
      '',
    ].join('\n'),
  );
  for (const fault of faults) {
    await plant(folder, faultyFile(fault), fault.faulty);
    await plant(folder, soundFile(fault), fault.sound);
  }
  for (const exception of exceptions) await plant(folder, soundFile(exception), exception.sound);
}

async function plant(folder: string, file: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
}
