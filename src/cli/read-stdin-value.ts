import type { Readable } from 'node:stream';
import { wrongUsage } from './command-failure.ts';

/** The longest value that the contract takes, with some room for white space around it. */
const limitBytes = 8 * 1024;

/**
 * A value that is piped in: all of stdin, without one line break at its end.
 *
 * Throws wrong usage for more than 8 KB, which is some other file.
 */
export async function readStdinValue(stdin: Readable = process.stdin): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > limitBytes) throw wrongUsage('More than 8 KB came on stdin, which cannot be a value.');
  }
  return Buffer.concat(chunks)
    .toString()
    .replace(/\r?\n$/, '');
}
