import { readFile, stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { decodeText } from '../contract/decode-text.ts';
import { inputProblem } from '../text/cli/cli.ts';
import { readAsText, textFaultText } from '../text/text-file.ts';
import { wrongUsage } from './command-failure.ts';
import { commandIo } from './command-io.ts';
import { say } from './terminal.ts';

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

/**
 * A file's text, in any encoding that can be read for certain. One that had to be guessed is told on stderr.
 *
 * Throws a failure with exit code 2 for what would lose letters.
 */
export async function readFileText(file: string, limitBytes: number): Promise<string> {
  const name = file === '-' ? inputProblem.stdin : file;
  const read = decodeText(await readFileBytes(file, limitBytes));
  if (!read.ok) throw wrongUsage(textFaultText(name, read.fault));
  if (read.isGuess && read.encoding !== 'utf-8') say(readAsText(name, read.encoding));
  return read.text;
}
