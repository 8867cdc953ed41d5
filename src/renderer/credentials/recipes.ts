import type { CredentialView, TargetView } from '../../contract/credential-view.ts';
import { defaultVariable } from '../../contract/credential.ts';
import { shellWord } from '../../contract/shell-word.ts';
import { unreachable } from '../../core/unreachable.ts';
import { placeText } from '../../text/credentials.ts';
import { recipeNotes, recipePlaces, recipesText } from '../../text/recipes.ts';

export const recipeKinds = ['shell', 'node', 'python', 'docker', 'systemd'] as const;
export type RecipeKind = (typeof recipeKinds)[number];

/** For `sh` and everything that understands it. */
function shellRecipe({ source, url }: RecipeOrder): Recipe {
  const variable = variableOf(source);
  return {
    place: recipePlaces.shell,
    text: `${readIn(source)} &&\n  ${callWith(variable, url, '\n  ')}${source.kind === 'dotenv' ? ')' : ''}`,
    run: null,
    note:
      source.kind === 'command'
        ? `${recipeNotes.shell} ${recipeNotes.exec(defaultVariable, `${source.commandLine} exec ${source.name}`)}`
        : recipeNotes.shell,
  };
}

/** The variable that has the value, where the shell reads it. */
function variableOf(source: RecipeSource): string {
  return source.kind === 'dotenv' ? source.variable : defaultVariable;
}

/** Reads the token into that variable; a dotenv file in a shell of its own, for it sets what else it has too. */
function readIn(source: RecipeSource): string {
  switch (source.kind) {
    case 'command':
      return `${defaultVariable}=$(${source.commandLine} get ${source.name})`;
    case 'file':
      return `${defaultVariable}=$(cat ${shellWord(source.path)})`;
    case 'dotenv':
      return `(. ${shellWord(source.path)}`;
    default:
      return unreachable(source);
  }
}

/**
 * For a container: the value goes through the environment of `docker`, which is told the variable's name only (`-e NAME`).
 *
 * Not by `--env-file`, which would take the quotes of a dotenv file for a part of the value; and not by mounting the
 * file, for a container goes on seeing the old one after it was replaced.
 */
function dockerRecipe({ source, url }: RecipeOrder): Recipe {
  return {
    place: recipePlaces.docker,
    text: around(source, runOf(variableOf(source), url)),
    run: null,
    note: source.kind === 'command' ? recipeNotes.dockerCommand : recipeNotes.dockerFile,
  };
}

function runOf(variable: string, url: string): string {
  const network = isOnThisMachine(url) ? '--network host ' : '';
  const script = shellWord(callWith(variable, url));
  return `docker run --rm -e ${variable} ${network}--entrypoint sh \\\n  curlimages/curl -c ${script}`;
}

function around(source: RecipeSource, run: string): string {
  switch (source.kind) {
    case 'command':
      return `${source.commandLine} exec ${source.name} -- \\\n  ${run}`;
    case 'file':
      return `${variableOf(source)}=$(cat ${shellWord(source.path)}) \\\n  ${run}`;
    case 'dotenv':
      return `(. ${shellWord(source.path)} && export ${source.variable} &&\n  ${run})`;
    default:
      return unreachable(source);
  }
}

/** A container has a loopback of its own. */
function isOnThisMachine(url: string): boolean {
  return /^https?:\/\/(?:localhost|127\.|\[::1\])/i.test(url);
}

/** For a service of the person's own systemd. */
function systemdRecipe(order: RecipeOrder): Recipe {
  const { name, source } = order;
  const unit = `${name}-call.service`;
  return {
    place: recipePlaces.systemd(unit),
    text: [
      '[Unit]',
      `Description=A call with the token ${name}`,
      '',
      '[Service]',
      'Type=oneshot',
      ...serviceOf(order),
    ].join('\n'),
    run: `systemctl --user daemon-reload && systemctl --user start ${unit}`,
    note: source.kind === 'command' ? recipeNotes.systemdCommand(unit) : recipeNotes.systemdFile(unit),
  };
}

function serviceOf(order: RecipeOrder): string[] {
  const { source, url } = order;
  const variable = variableOf(source);
  const call = callWith(variable, url);
  if (source.kind === 'command') {
    // The command line is written for a shell, which also finds programs by their names; systemd wants their whole paths.
    return [runByShell(`exec ${source.commandLine} exec ${source.name} -- sh -c ${shellWord(call)}`)];
  }
  const path = unitPath(source.path);
  // What systemd cannot read for us, the shell reads.
  if (path === null) return [runByShell(shellRecipe(order).text)];
  return source.kind === 'file'
    ? [
        `LoadCredential=token:${path}`,
        runByShell(`${variable}=$(cat "$CREDENTIALS_DIRECTORY/token") && ${call}`),
      ]
    : [`EnvironmentFile=${path}`, runByShell(call)];
}

function runByShell(script: string): string {
  return `ExecStart=/bin/sh -c ${unitWord(script)}`;
}

/** For Node 22 and later: an ES module. */
function nodeRecipe({ source, url }: RecipeOrder): Recipe {
  return {
    place: recipePlaces.node,
    text: [
      ...importsOf(source),
      '',
      `const token = ${reading(source)};`,
      `const reply = await fetch(${textLiteral(url)}, {`,
      '  headers: { authorization: `Bearer ${token}` },',
      '});',
      'console.log(await reply.json());',
    ].join('\n'),
    run: 'node call.mjs',
    note: recipeNotes.longRunning,
  };
}

function importsOf(source: RecipeSource): string[] {
  if (source.kind === 'command') return ["import { execSync } from 'node:child_process';"];
  const readFile = "import { readFileSync } from 'node:fs';";
  return source.kind === 'file' ? [readFile] : [readFile, "import { parseEnv } from 'node:util';"];
}

function reading(source: RecipeSource): string {
  switch (source.kind) {
    case 'command':
      // Through a shell: on Windows npm is no program but a script.
      return `execSync(${textLiteral(`${source.commandLine} get ${source.name}`)}, { encoding: 'utf8' }).trim()`;
    case 'file':
      return `readFileSync(${textLiteral(source.path)}, 'utf8').trim()`;
    case 'dotenv':
      return `parseEnv(readFileSync(${textLiteral(source.path)}, 'utf8')).${source.variable}`;
    default:
      return unreachable(source);
  }
}

/** For Python 3.8 and later, with nothing to install. */
function pythonRecipe({ source, url }: RecipeOrder): Recipe {
  return {
    place: recipePlaces.python,
    text: [
      ...pythonImports(source),
      'from urllib.request import Request, urlopen',
      '',
      ...pythonReading(source),
      `call = Request(${textLiteral(url)}, headers={'Authorization': f'Bearer {token}'})`,
      'print(urlopen(call).read().decode())',
    ].join('\n'),
    run: 'python3 call.py',
    note: recipeNotes.longRunning,
  };
}

function pythonImports(source: RecipeSource): string[] {
  if (source.kind === 'command') return ['import subprocess'];
  const path = 'from pathlib import Path';
  return source.kind === 'file' ? [path] : ['import re', path];
}

function pythonReading(source: RecipeSource): string[] {
  switch (source.kind) {
    case 'command': {
      const command = textLiteral(`${source.commandLine} get ${source.name}`);
      return [`token = subprocess.check_output(${command}, shell=True, text=True).strip()`];
    }
    case 'file':
      return [`token = Path(${textLiteral(source.path)}).read_text().strip()`];
    case 'dotenv':
      // The last assignment counts, as for every reader; a token has no character that would have to be unescaped.
      return [
        `lines = Path(${textLiteral(source.path)}).read_text()`,
        `token = re.findall(r'''^\\s*(?:export\\s+)?${source.variable}\\s*=\\s*["'\`]?([\\w.~+/=-]+)''', lines, re.M)[-1]`,
      ];
    default:
      return unreachable(source);
  }
}

const recipes: Record<RecipeKind, (order: RecipeOrder) => Recipe> = {
  shell: shellRecipe,
  node: nodeRecipe,
  python: pythonRecipe,
  docker: dockerRecipe,
  systemd: systemdRecipe,
};

/** The recipe of a kind. */
export function recipeFor(kind: RecipeKind, order: RecipeOrder): Recipe {
  return recipes[kind](order);
}

/**
 * Recipes: how a program gets the token of a credential, to copy and to run as they are.
 *
 * Each really calls the service with the token and prints what it says, so that whoever pastes it sees at once that it
 * works, and then puts their own call in its place. No value ever stands in the arguments of a program, where anybody on
 * the machine could read it: it goes through standard input, the environment, or stays inside the program. Paths and
 * command lines may hold anything: each goes through the quoting of the syntax that it comes to stand in, and where that
 * has none, the recipe takes another way.
 */
/** Something to paste, and what to know about it. */
export interface Recipe {
  /** Where it is pasted. */
  readonly place: string;
  readonly text: string;
  /** What runs it, typed into a terminal; null where it is typed there itself. */
  readonly run: string | null;
  /** What to know afterwards; commands in backticks. */
  readonly note: string;
}

/** What a recipe is made from. */
export interface RecipeOrder {
  readonly name: string;
  readonly source: RecipeSource;
  /** What the recipe asks with the token: the service about the token itself. */
  readonly url: string;
}

/** Where a recipe has the value from. */
export type RecipeSource =
  /** The command line, as it is called on this machine. */
  | { readonly kind: 'command'; readonly commandLine: string; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'dotenv'; readonly path: string; readonly variable: string };

/** Where the recipes of a credential can have its value from: the command line where there is one, then its files. */
export function recipeSources(
  {
    name,
    targets,
  }: Pick<CredentialView, 'name'> & { readonly targets: readonly Pick<TargetView, 'target'>[] },
  commandLine: string | null,
): RecipeSource[] {
  return [
    ...(commandLine === null ? [] : [{ kind: 'command' as const, commandLine, name }]),
    ...targets.flatMap(({ target }): RecipeSource[] => {
      if (target.kind === 'file') return [{ kind: 'file', path: target.path }];
      return target.kind === 'dotenv'
        ? [{ kind: 'dotenv', path: target.path, variable: target.variable }]
        : [];
    }),
  ];
}

/** A source as a person tells it from the others. */
export function sourceName(source: RecipeSource): string {
  return source.kind === 'command' ? recipesText.commandLine : placeText(source);
}

/**
 * The shell's part of a call with a token: prints what the service says.
 *
 * `printf` is the shell's own, and curl reads the header from its standard input (`-H @-`, since 7.55): the value is no
 * argument of anything.
 * `between` is what stands between the two, for a script of several lines.
 */
function callWith(variable: string, url: string, between = ' '): string {
  return `printf "Authorization: Bearer %s" "$${variable}" |${between}curl -sS -H @- ${shellWord(url)}`;
}

/** A text as JavaScript and Python read it back: in single quotes where it needs nothing else. */
function textLiteral(text: string): string {
  return /^[^'\\\p{Cc}\u2028\u2029]*$/u.test(text) ? `'${text}'` : JSON.stringify(text);
}

/**
 * A word of a systemd unit's command line, whatever is in it.
 *
 * In single quotes a backslash still escapes, `%` begins a specifier and `$` a variable (systemd.service(5), “Command
 * lines”). A line break would end the setting.
 */
function unitWord(word: string): string {
  const escaped = word
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll('%', '%%')
    .replaceAll('$', '$$$$')
    .replace(
      /[\u0001-\u001f\u007f]/g,
      (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`,
    );
  return `'${escaped}'`;
}

/**
 * A path in a setting of a unit that takes nothing but a path; null where none can be written there.
 *
 * Such a setting knows no quotes: a line break or a last backslash would make something else of the next line, and a last
 * blank is left out.
 */
function unitPath(path: string): string | null {
  return /[\u0001-\u001f\u007f]|[\\ ]$/.test(path) ? null : path.replaceAll('%', '%%');
}
