import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { doors, floors, keepers } from './floors.ts';

/** A planted file. `breaks` is the wall it climbs, or null for a guest who may come in. */
export interface Visitor {
  readonly file: string;
  readonly imports: string;
  readonly breaks: string | null;
  readonly form: ImportForm;
}

type ImportForm = 'value' | 'type' | 'reexport' | 'dynamic';

const forms: readonly ImportForm[] = ['value', 'type', 'reexport', 'dynamic'];

const statements: Record<ImportForm, (from: string) => string> = {
  value: (from) => `import { thing } from '${from}';\nexport const used = thing;\n`,
  type: (from) => `import type { Thing } from '${from}';\nexport type Used = Thing;\n`,
  reexport: (from) => `export * from '${from}';\n`,
  dynamic: (from) => `export const used = () => import('${from}');\n`,
};

/**
 * A visitor for every wall and every opening of the table.
 *
 * What each should break is worked out here from the table by plain lookups, not from the rules made of it: a
 * mistake in a rule's pattern cannot hide itself.
 */
export function visitors(): Visitor[] {
  const planted = [
    ...roomVisitors(),
    ...doorVisitors(),
    ...packageVisitors(),
    ...builtinVisitors(),
    ...outsiders(),
  ];
  // Each way to write an import is tried on the same wall; the rest is planted with plain imports.
  const written = forms.map((form) => ({
    file: `src/store/trespasser-by-${form}.ts`,
    imports: '../service/resident.ts',
    breaks: 'of the house',
    form,
  }));
  return [...planted.map((visitor) => ({ ...visitor, form: 'value' as const })), ...written];
}

/** Writes the house of residents, the packages they know, two files in a circle, and the visitors. */
export async function plantVisitors(root: string, planted: readonly Visitor[]): Promise<void> {
  for (const room of Object.keys(floors)) {
    await plant(root, `src/${room}/resident.ts`, 'export const thing = 1;\nexport type Thing = number;\n');
  }
  await plant(root, 'test/resident.ts', 'export const thing = 1;\n');
  await plant(
    root,
    'src/core/circle-a.ts',
    "import { b } from './circle-b.ts';\nexport const a = () => b;\n",
  );
  await plant(
    root,
    'src/core/circle-b.ts',
    "import { a } from './circle-a.ts';\nexport const b = () => a;\n",
  );

  const names = [...new Set([...allowedPackages(), ...keptPackages(), 'left-pad'])];
  const dependencies = Object.fromEntries(names.map((name) => [name, '1.0.0']));
  await plant(root, 'package.json', JSON.stringify({ type: 'module', dependencies }));
  for (const name of names) {
    await plant(root, `node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }));
    await plant(root, `node_modules/${name}/index.js`, 'module.exports = { thing: 1 };\n');
  }

  for (const { file, imports, form } of planted) await plant(root, file, statements[form](imports));
}

type Unwritten = Omit<Visitor, 'form'>;

function roomVisitors(): Unwritten[] {
  return pairs(Object.keys(floors), Object.keys(floors)).map(([room, other]) => ({
    file: `src/${room}/visits-room-${other}.ts`,
    imports: `../${other}/resident.ts`,
    breaks: room === other || floors[room]?.rooms.includes(other) ? null : `${room} imports`,
  }));
}

function doorVisitors(): Unwritten[] {
  return doors.flatMap(({ file, room: behind }) => {
    const up = '../'.repeat(file.split('/').length - 2);
    return [
      { file, imports: `${up}${behind}/resident.ts`, breaks: null },
      // A door is for the one file: the one beside it stays out.
      {
        file: join(dirname(file), 'beside-the-door.ts'),
        imports: `${up}${behind}/resident.ts`,
        breaks: 'imports',
      },
    ];
  });
}

function packageVisitors(): Unwritten[] {
  const closed = pairs(Object.keys(floors), ['left-pad', ...allowedPackages()]).flatMap(([room, name]) => {
    const packages = floors[room]?.packages ?? 'any';
    if (keptPackages().includes(name)) return [];
    const breaks = packages === 'any' || packages.includes(name) ? null : `${room} imports`;
    return [{ file: `src/${room}/visits-package-${name}.ts`, imports: name, breaks }];
  });
  const kept = keepers.flatMap(({ packages, folders }) =>
    packages.map(exampleOf).flatMap((name) => [
      ...folders.map((folder) => ({ file: `${folder}/keeps-${slug(name)}.ts`, imports: name, breaks: null })),
      ...Object.keys(floors)
        .filter((room) => !folders.includes(`src/${room}`))
        .map((room) => ({ file: `src/${room}/takes-${slug(name)}.ts`, imports: name, breaks: 'only in' })),
    ]),
  );
  return [...closed, ...kept];
}

function builtinVisitors(): Unwritten[] {
  return pairs(Object.keys(floors), ['node:fs', 'path']).map(([room, name]) => ({
    file: `src/${room}/visits-builtin-${slug(name)}.ts`,
    imports: name,
    breaks: floors[room]?.builtins ? null : "none of Node's modules",
  }));
}

function outsiders(): Unwritten[] {
  return Object.keys(floors).map((room) => ({
    file: `src/${room}/visits-tests.ts`,
    imports: '../../test/resident.ts',
    breaks: 'outside',
  }));
}

function allowedPackages(): string[] {
  return Object.values(floors).flatMap(({ packages }) => (packages === 'any' ? [] : packages));
}

function keptPackages(): string[] {
  return keepers.flatMap(({ packages }) => packages.map(exampleOf));
}

/** A scope is tried with a package of it. */
function exampleOf(name: string): string {
  return name.endsWith('/') ? `${name}example` : name;
}

function slug(name: string): string {
  return name.replace(/[^a-z0-9]+/g, '-').replace(/^-/, '');
}

function pairs(left: readonly string[], right: readonly string[]): [string, string][] {
  return left.flatMap((a) => [...new Set(right)].map((b): [string, string] => [a, b]));
}

async function plant(root: string, file: string, text: string): Promise<void> {
  await mkdir(join(root, dirname(file)), { recursive: true });
  await writeFile(join(root, file), text);
}
