import { join } from 'node:path';
import ts from 'typescript';
import { type RouteName, routes } from '../../../src/contract/routes.ts';
import { root } from '../root.ts';

const clientFile = join(root, 'src/client/create-client.ts');
const refusalFile = join(root, 'src/client/read-refusal.ts');
/** Not on disk: asks the compiler for the types of every call. */
const callsFile = join(root, 'src/client/calls-of-every-route.ts');
const callsSource = `
import type { CallArguments, ReplyOf } from './create-client.ts';
import type { RouteName } from '../contract/routes.ts';
export type Calls = { [N in RouteName]: { arguments: CallArguments<N>; reply: ReplyOf<N> } };
`;

/**
 * The declarations of `import … from 'rotavox'`: one file that needs neither our sources nor the package of the schemas.
 *
 * The types of calls are written out as the compiler knows them, and named as in the contract. The rest is copied from the client.
 */
export function clientTypes(): string {
  const program = programOfClient();
  const checker = program.getTypeChecker();
  const writer = new TypeWriter(program);
  const calls = checker.getPropertiesOfType(writer.typeNamed(callsFile, 'Calls')).map((route) => {
    const { summary, method, path } = routes[route.name as RouteName];
    return `  /** ${summary} \`${method} ${path}\` */\n  ${writer.property(route)};`;
  });
  const copied = [
    ...['Connection', 'Sent', 'Answer', 'AudioBody', 'Outcome', 'Client'].map((name) =>
      writer.copied(clientFile, name),
    ),
    writer.copied(refusalFile, 'Refusal'),
  ];
  const fieldError = `export type FieldError = ${writer.written(
    writer.typeNamed(join(root, 'src/contract/problems.ts'), 'FieldError'),
  )};`;
  return [
    '/** Every call of the service: what it is given after its name, and its reply. */',
    `export interface Calls {\n${calls.join('\n')}\n}`,
    'export type RouteName = keyof Calls;',
    "export type CallArguments<N extends RouteName> = Calls[N]['arguments'];",
    "export type ReplyOf<N extends RouteName> = Calls[N]['reply'];",
    ...copied,
    fieldError,
    '/** A client of the service at an address. It keeps no state, so making one costs nothing. */',
    'export declare function createClient(connection: Connection): Client;',
    ...writer.named(),
    '',
  ].join('\n');
}

function programOfClient(): ts.Program {
  const { config } = ts.readConfigFile(join(root, 'tsconfig/node.json'), (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(root, 'tsconfig'));
  const host = ts.createCompilerHost(options);
  const readFile = host.getSourceFile.bind(host);
  host.getSourceFile = (path, ...rest) =>
    path === callsFile ? ts.createSourceFile(path, callsSource, rest[0]) : readFile(path, ...rest);
  const fileExists = host.fileExists.bind(host);
  host.fileExists = (path) => path === callsFile || fileExists(path);
  const program = ts.createProgram([clientFile, refusalFile, callsFile], options, host);
  const [error] = program.getSemanticDiagnostics(program.getSourceFile(callsFile));
  if (error !== undefined) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'));
  return program;
}

/** Deeper than any type of the contract: one that contains itself would never end. */
const deepest = 40;

class TypeWriter {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;
  /** The names that the contract gives to types, by the type as it is written out. */
  readonly #names = new Map<string, string>();
  readonly #expanded = new Map<ts.Type, string>();
  /** The declarations that are needed, by name. */
  readonly #declarations = new Map<string, string>();
  #depth = 0;
  #namesAllowed = false;

  constructor(program: ts.Program) {
    this.#program = program;
    this.#checker = program.getTypeChecker();
    for (const file of program.getSourceFiles()) {
      if (!file.fileName.startsWith(join(root, 'src/contract/'))) continue;
      for (const statement of file.statements) {
        if (!ts.isTypeAliasDeclaration(statement) || statement.typeParameters !== undefined) continue;
        // Of a schema (`z.infer<…>`): what is written as a union may contain itself, and no call has it.
        if (!ts.isTypeReferenceNode(statement.type)) continue;
        const type = this.#checker.getTypeAtLocation(statement.name);
        if (!isShape(type)) continue;
        const written = this.#expandedText(type);
        if (written.length > 60 && !this.#names.has(written)) this.#names.set(written, statement.name.text);
      }
    }
    this.#namesAllowed = true;
  }

  /** The declarations that others refer to. */
  named(): string[] {
    return [...this.#declarations]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, text]) => `export type ${name} = ${text};`);
  }

  typeNamed(file: string, name: string): ts.Type {
    return this.#checker.getTypeAtLocation(this.#declaration(file, name).name);
  }

  /** A declaration as it is in the source, with its comments. */
  copied(file: string, name: string): string {
    return this.#declaration(file, name).getFullText().trim();
  }

  property(symbol: ts.Symbol): string {
    const name = /^[A-Za-z_$][\w$]*$/.test(symbol.name) ? symbol.name : JSON.stringify(symbol.name);
    const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
    return `${name}${isOptional ? '?' : ''}: ${this.written(this.#checker.getTypeOfSymbol(symbol))}`;
  }

  /** A type, by its name in the contract where it has one. */
  written(type: ts.Type): string {
    if (!this.#namesAllowed || !isShape(type)) return this.#writtenOut(type);
    const name = this.#names.get(this.#expandedText(type));
    if (name === undefined) return this.#writtenOut(type);
    if (!this.#declarations.has(name)) {
      this.#declarations.set(name, ''); // first, so that the order does not depend on what is in it
      this.#declarations.set(name, this.#writtenOut(type));
    }
    return name;
  }

  #declaration(file: string, name: string): ts.DeclarationStatement & { readonly name: ts.Identifier } {
    for (const statement of this.#program.getSourceFile(file)?.statements ?? []) {
      const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
      if (isType && statement.name.text === name) return statement;
    }
    throw new Error(`There is no type ${name} in ${file}`);
  }

  #expandedText(type: ts.Type): string {
    const known = this.#expanded.get(type);
    if (known !== undefined) return known;
    const allowed = this.#namesAllowed;
    this.#namesAllowed = false;
    const text = this.#writtenOut(type);
    this.#namesAllowed = allowed;
    this.#expanded.set(type, text);
    return text;
  }

  #writtenOut(type: ts.Type): string {
    this.#depth += 1;
    if (this.#depth > deepest) throw new Error(`A type contains itself: ${this.#checker.typeToString(type)}`);
    try {
      return this.#text(type);
    } finally {
      this.#depth -= 1;
    }
  }

  #text(type: ts.Type): string {
    const checker = this.#checker;
    if (type.isUnion()) return this.#union(type.types);
    // A text with a brand of the contract: a text.
    const bare = type.isIntersection() ? type.types.find((one) => !isShape(one)) : undefined;
    if (bare !== undefined) return this.written(bare);
    if (checker.isTupleType(type)) return this.#tuple(type as ts.TypeReference);
    if (checker.isArrayType(type)) {
      const [element] = checker.getTypeArguments(type as ts.TypeReference);
      return `(${element === undefined ? 'unknown' : this.written(element)})[]`;
    }
    if (!isShape(type) || this.#isOfRuntime(type))
      return checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
    const fields = checker.getPropertiesOfType(type).map((symbol) => this.property(symbol));
    const indexes = checker
      .getIndexInfosOfType(type)
      .map(({ keyType, type: value }) => `[key: ${this.written(keyType)}]: ${this.written(value)}`);
    return `{ ${[...indexes, ...fields].join('; ')} }`;
  }

  #union(types: readonly ts.Type[]): string {
    const texts = types.map((type) => this.written(type));
    const isBoolean = texts.includes('true') && texts.includes('false');
    const others = texts.filter((text) => !isBoolean || (text !== 'true' && text !== 'false'));
    return [...new Set([...(isBoolean ? ['boolean'] : []), ...others])].join(' | ');
  }

  #tuple(type: ts.TypeReference): string {
    const { elementFlags } = type.target as ts.TupleType;
    const elements = this.#checker.getTypeArguments(type).map((element, index) => {
      const isOptional = ((elementFlags[index] ?? 0) & ts.ElementFlags.Optional) !== 0;
      return `${isOptional ? 'input?' : 'input'}: ${this.written(element)}`;
    });
    return `[${elements.join(', ')}]`;
  }

  /** Whether it is the runtime's, such as `AbortSignal`, which has the same name everywhere. */
  #isOfRuntime(type: ts.Type): boolean {
    if (type.getSymbol()?.name === '__type') return false; // one without a name, such as a `Record`
    const files = type.getSymbol()?.declarations?.map((declaration) => declaration.getSourceFile()) ?? [];
    return files.some(
      (file) =>
        this.#program.isSourceFileDefaultLibrary(file) ||
        file.fileName.includes('/node_modules/@types/node/'),
    );
  }
}

function isShape(type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0 || type.isUnion();
}
