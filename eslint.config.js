import { defineConfig, globalIgnores } from 'eslint/config';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** House rules that a syntax pattern can express. Each message says what to do instead. */
const everywhere = [
  {
    selector: 'TSEnumDeclaration',
    message: 'No enums: use a union of string literals, closed by unreachable().',
  },
];
const namedExports = [
  {
    selector: 'ExportDefaultDeclaration, ExportSpecifier[exported.name="default"]',
    message: 'Named exports only: a thing has one name, everywhere.',
  },
];
const noClockNoChance = [
  {
    selector:
      'MemberExpression[object.name="Date"][property.name="now"], NewExpression[callee.name="Date"][arguments.length=0], CallExpression[callee.name="Date"]',
    message: 'No clock in here: take the instant as an argument.',
  },
  {
    selector: 'MemberExpression[object.name="Math"][property.name="random"]',
    message: 'No chance in here: take the random value as an argument.',
  },
];

const printedInOnePlace = [
  {
    selector:
      'MemberExpression[object.name="process"][property.name=/^std(out|err)$/], MemberExpression[object.name="console"]',
    message: 'Print with terminal.ts: what others wrote must not reach a terminal as it is.',
  },
];

export default defineConfig(
  globalIgnores([
    'out/',
    '*.config.ts.*.mjs',
    'release/',
    'test-results/',
    '.stryker-tmp/',
    'test/fixtures/formats/',
  ]),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig/web.json', './tsconfig/lint.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      eqeqeq: 'error',
      'no-restricted-syntax': ['error', ...everywhere, ...namedExports],

      // Our worst bug is a dropped promise.
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      // Every case of a union is written down, so that a new one asks for its place; a default may still catch the impossible.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: false, requireDefaultForNonUnion: true },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],

      // There are no enums to find anything in, and it looks at every assignment: a tenth of the time.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      // The compiler itself takes no other object for a class with private fields, which ours have, but for errors. It looks
      // at every assignment as well: a quarter of the time.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',

      // `type` for unions and `interface` for shapes, as it reads best; schemas and their types share one name.
      '@typescript-eslint/consistent-type-definitions': 'off',
      // Ports and fastify handlers are async by contract, also where one of them has nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `return refuse(reason);` is a clear way out of a function that returns nothing.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // process.env['NAME'] shows that no type knows the name.
      '@typescript-eslint/dot-notation': ['error', { allowIndexSignaturePropertyAccess: true }],
    },
  },
  {
    // Tools read their configuration by its default export; declarations describe modules that are not ours.
    files: ['*.config.ts', '**/*.d.ts'],
    rules: { 'no-restricted-syntax': ['error', ...everywhere] },
  },
  {
    files: ['src/core/**/*.ts', 'src/contract/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...everywhere, ...namedExports, ...noClockNoChance] },
  },
  {
    // `exec` passes on what its child prints.
    files: ['src/cli/**/*.ts'],
    ignores: ['src/cli/terminal.ts', 'src/cli/start-child.ts'],
    rules: { 'no-restricted-syntax': ['error', ...everywhere, ...namedExports, ...printedInOnePlace] },
  },
  {
    files: ['src/renderer/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat.recommended],
  },
  {
    files: ['test/**/*.{ts,tsx}'],
    rules: {
      // A test that trips over undefined fails, which is what it is for.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
);
