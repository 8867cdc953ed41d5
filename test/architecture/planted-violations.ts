import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { catalogue, exceptions, layers, soleUsers } from './layers.ts';

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
export function attempts(): Visitor[] {
  const planted = [
    ...roomVisitors(),
    ...doorVisitors(),
    ...catalogueVisitors(),
    ...packageVisitors(),
    ...builtinVisitors(),
    ...outsiders(),
  ];
  // Each way to write an import is tried on the same wall; the rest is planted with plain imports.
  const written = forms.map((form) => ({
    file: `src/store/trespasser-by-${form}.ts`,
    imports: '../service/resident.ts',
    breaks: 'of src',
    form,
  }));
  return [...planted.map((visitor) => ({ ...visitor, form: 'value' as const })), ...written];
}

/** Writes the source of residents, the packages they know, two files in a circle, and the attempts. */
export async function plantViolations(root: string, planted: readonly Visitor[]): Promise<void> {
  for (const module of Object.keys(layers)) {
    await plant(root, `src/${module}/resident.ts`, 'export const thing = 1;\nexport type Thing = number;\n');
  }
  await plant(root, 'src/providers/provider-port.ts', 'export const thing = 1;\n');
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
  return pairs(Object.keys(layers), Object.keys(layers)).map(([module, other]) => ({
    file: `src/${module}/visits-module-${other}.ts`,
    imports: `../${other}/resident.ts`,
    breaks: module === other || layers[module]?.modules.includes(other) ? null : `${module} imports`,
  }));
}

function doorVisitors(): Unwritten[] {
  return exceptions.flatMap(({ file, module: behind }) => {
    const up = '../'.repeat(file.split('/').length - 2);
    return [
      { file, imports: `${up}${behind}/resident.ts`, breaks: null },
      // A exception is for the one file: the one beside it stays out.
      {
        file: join(dirname(file), 'beside-the-exception.ts'),
        imports: `${up}${behind}/resident.ts`,
        breaks: 'imports',
      },
    ];
  });
}

/** Who may read what is known of services, and what that may be made of. */
function catalogueVisitors(): Unwritten[] {
  const facts = 'src/providers/example/facts.ts';
  return [
    ...Object.keys(layers).map((module) => ({
      file: `src/${module}/reads-the-catalogue.ts`,
      imports: '../providers/catalogue.ts',
      breaks: (catalogue.closedTo as readonly string[]).includes(module) ? `${module} imports` : null,
    })),
    { file: catalogue.file, imports: '../contract/resident.ts', breaks: null },
    { file: 'src/providers/sample/facts.ts', imports: '../example/facts.ts', breaks: null },
    { file: facts, imports: '../../contract/resident.ts', breaks: null },
    ...['../../core/resident.ts', '../provider-port.ts', 'zod', 'node:fs'].map((imports, place) => ({
      file: `src/providers/example-${place}/words.ts`,
      imports,
      breaks: 'only the contract',
    })),
  ];
}

function packageVisitors(): Unwritten[] {
  const closed = pairs(Object.keys(layers), ['left-pad', ...allowedPackages()]).flatMap(([module, name]) => {
    const packages = layers[module]?.packages ?? 'any';
    if (keptPackages().includes(name)) return [];
    const breaks = packages === 'any' || packages.includes(name) ? null : `${module} imports`;
    return [{ file: `src/${module}/visits-package-${name}.ts`, imports: name, breaks }];
  });
  const kept = soleUsers.flatMap(({ packages, folders }) =>
    packages.map(exampleOf).flatMap((name) => [
      ...folders.map((folder) => ({ file: `${folder}/keeps-${slug(name)}.ts`, imports: name, breaks: null })),
      ...Object.keys(layers)
        .filter((module) => !folders.includes(`src/${module}`))
        .map((module) => ({
          file: `src/${module}/takes-${slug(name)}.ts`,
          imports: name,
          breaks: 'only in',
        })),
    ]),
  );
  return [...closed, ...kept];
}

function builtinVisitors(): Unwritten[] {
  return pairs(Object.keys(layers), ['node:fs', 'path']).map(([module, name]) => ({
    file: `src/${module}/visits-builtin-${slug(name)}.ts`,
    imports: name,
    breaks: layers[module]?.builtins ? null : "none of Node's modules",
  }));
}

function outsiders(): Unwritten[] {
  return Object.keys(layers).map((module) => ({
    file: `src/${module}/visits-tests.ts`,
    imports: '../../test/resident.ts',
    breaks: 'outside',
  }));
}

function allowedPackages(): string[] {
  return Object.values(layers).flatMap(({ packages }) => (packages === 'any' ? [] : packages));
}

function keptPackages(): string[] {
  return soleUsers.flatMap(({ packages }) => packages.map(exampleOf));
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
