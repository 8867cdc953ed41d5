import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { wrongUsage } from './command-failure.ts';

/** The JSON in a file, or on stdin for `-`. Throws a failure with exit code 2 when it cannot be read. */
export async function readJsonFile(file: string): Promise<unknown> {
  const name = file === '-' ? 'What came on stdin' : file;
  let content: string;
  try {
    content = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw wrongUsage(`${name} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`);
  }
  try {
    return JSON.parse(content.replace(/^\ufeff/, ''));
  } catch (error) {
    throw wrongUsage(`${name} is not JSON: ${(error as Error).message}.`);
  }
}
