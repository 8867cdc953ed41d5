import { readFile, stat } from 'node:fs/promises';
import { buffer, text } from 'node:stream/consumers';
import { inputProblem } from '../text/cli.ts';
import { wrongUsage } from './command-failure.ts';
import { commandIo } from './command-io.ts';

/**
 * The bytes of a file, or of stdin for `-`. Throws a failure with exit code 2 when it cannot be read or is larger.
 *
 * The size is checked first, so that a large file is not read into memory.
 */
export async function readFileBytes(file: string, limitBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const name = file === '-' ? inputProblem.stdin : file;
  const tooLarge = () => wrongUsage(inputProblem.tooLarge(name, limitBytes / (1024 * 1024)));
  try {
    if (file !== '-' && (await stat(file)).size > limitBytes) throw tooLarge();
    const bytes = new Uint8Array(file === '-' ? await buffer(commandIo().stdin) : await readFile(file));
    if (bytes.length > limitBytes) throw tooLarge();
    return bytes;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw wrongUsage(inputProblem.unreadable(name, code));
  }
}

/** A file's text, as UTF-8 and without a byte order mark. */
export async function readFileText(file: string, limitBytes: number): Promise<string> {
  return new TextDecoder().decode(await readFileBytes(file, limitBytes));
}

/** The JSON in a file, or on stdin for `-`. Throws a failure with exit code 2 when it cannot be read. */
export async function readJsonFile(file: string): Promise<unknown> {
  const name = file === '-' ? inputProblem.stdin : file;
  let content: string;
  try {
    content = file === '-' ? await text(commandIo().stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw wrongUsage(inputProblem.unreadable(name, (error as NodeJS.ErrnoException).code ?? 'unknown'));
  }
  try {
    return JSON.parse(content.replace(/^\ufeff/, ''));
  } catch (error) {
    throw wrongUsage(inputProblem.notJson(name, (error as Error).message));
  }
}
