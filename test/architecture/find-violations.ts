import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';
import { catalogue, exceptions, layers, soleUsers } from './layers.ts';

export interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: string;
}

export interface Inspection {
  /** Every file that was read, relative to the root. */
  readonly files: readonly string[];
  readonly violations: readonly Violation[];
}

/**
 * Reads the imports of `<root>/src` and holds them against the layers.
 *
 * Imports of types count too: a type is a promise as much as a function is.
 */
export async function findViolations(root: string): Promise<Inspection> {
  const { output } = await cruise(['src'], {
    baseDir: root,
    validate: true,
    ruleSet: { forbidden: floorRules() },
    tsPreCompilationDeps: true,
    // Without this, a stale answer of an earlier cruise in the same process could be given.
    cache: false,
    doNotFollow: { path: 'node_modules' },
  });
  if (typeof output === 'string') throw new Error(`dependency-cruiser answered with text: ${output}`);
  return {
    files: filesRead(output),
    violations: output.summary.violations.map(({ from, to, rule }) => ({ from, to, rule: rule.name })),
  };
}

function filesRead({ modules }: ICruiseResult): string[] {
  return modules.map((module) => module.source).filter((source) => source.startsWith('src/'));
}

/** The layers table as dependency-cruiser rules. Rule names say what was broken: they are the error a writer sees. */
function floorRules(): IForbiddenRuleType[] {
  return [
    ...Object.keys(layers).flatMap(rulesOfModule),
    ...soleUsers.map(({ packages, folders }) => ({
      name: `${packages.join(' and ')} only in ${folders.join(' and ')}`,
      severity: 'error' as const,
      from: { path: '^src/', pathNot: folders.map(inside) },
      to: { path: packages.map(inPackage) },
    })),
    {
      name: 'src does not import what lies outside it',
      severity: 'error',
      from: { path: '^src/' },
      // The package's own facts and its resources are not code.
      to: { pathNot: ['^src/', '^resources/', '^package\\.json$'], dependencyTypes: ['local'] },
    },
    {
      name: 'what is known of services imports only the contract',
      severity: 'error',
      from: { path: catalogue.parts },
      to: { pathNot: [catalogue.parts, inside(`src/${catalogue.imports}`)] },
    },
    {
      name: 'no cycles',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
  ];
}

function rulesOfModule(module: string): IForbiddenRuleType[] {
  const layer = layers[module];
  if (layer === undefined) throw new Error(`no layer for ${module}`);
  const from = { path: inside(`src/${module}`) };
  const open = (catalogue.closedTo as readonly string[]).includes(module) ? [] : [exactly(catalogue.file)];

  const rules: IForbiddenRuleType[] = [
    {
      name: `${module} imports ${listed(layer.modules)} of src`,
      severity: 'error',
      from: {
        ...from,
        pathNot: exceptions.filter(allowsFrom(module)).map((exception) => exactly(exception.file)),
      },
      to: {
        path: '^src/',
        pathNot: [...[module, ...layer.modules].map((one) => inside(`src/${one}`)), ...open],
      },
    },
    ...exceptions.filter(allowsFrom(module)).map((exception) => ({
      name: `${exception.file} imports ${listed([...layer.modules, exception.module])} of src`,
      severity: 'error' as const,
      from: { path: exactly(exception.file) },
      to: {
        path: '^src/',
        pathNot: [
          ...[module, ...layer.modules, exception.module].map((one) => inside(`src/${one}`)),
          ...open,
        ],
      },
    })),
  ];
  if (layer.packages !== 'any') {
    rules.push({
      name: `${module} imports ${listed(layer.packages)} of npm`,
      severity: 'error',
      from,
      to: {
        pathNot: ['^src/', ...layer.packages.map(inPackage)],
        dependencyTypesNot: ['core', 'local'],
      },
    });
  }
  if (!layer.builtins) {
    rules.push({
      name: `${module} imports none of Node's modules`,
      severity: 'error',
      from,
      to: { dependencyTypes: ['core'] },
    });
  }
  return rules;
}

function allowsFrom(module: string): (exception: { file: string }) => boolean {
  return (exception) => exception.file.startsWith(`src/${module}/`);
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : `only ${names.join(', ')}`;
}

function inside(folder: string): string {
  return `^${escaped(folder)}/`;
}

function exactly(file: string): string {
  return `^${escaped(file)}$`;
}

/** Matches a package found in node_modules, its types, and, when it is not installed, its bare name. */
function inPackage(name: string): string {
  const end = name.endsWith('/') ? '' : '(/|$)';
  return `(^|node_modules/)(@types/)?${escaped(name)}${end}`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
