import { join } from 'node:path';

/** The checkout. */
export const root = join(import.meta.dirname, '../..');

/** Where Node keeps the compiled code of the thousand processes that tests start, also that of TypeScript files without their types. */
export const compileCache = join(root, 'node_modules/.cache/rotavox-test-compile');
