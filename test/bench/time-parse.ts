/**
 * The simplest alternative: `node time-parse.ts <file>` reads one JSON file as a whole, parses it, and prints
 * `{ parseMs }`.
 */
import { readFileSync } from 'node:fs';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('a file is needed');
const before = performance.now();
const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
const parseMs = performance.now() - before;
if (typeof value !== 'object' || value === null) throw new Error('the file holds no object');
console.log(JSON.stringify({ parseMs }));
