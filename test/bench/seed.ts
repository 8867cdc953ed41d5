import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runScript } from './child-process.ts';

/**
 * Fills a data folder in a separate process, whose memory is then freed.
 *
 * Returns Active tokens in random order: all of them, or 300,000.
 */
export async function seedDataDir(
  dataDir: string,
  { tokens, events }: { readonly tokens: number; readonly events: number },
): Promise<string[]> {
  const valuesFile = `${dataDir}.values`;
  await runScript(
    {
      args: [
        join(import.meta.dirname, 'seed-writer.ts'),
        dataDir,
        String(tokens),
        String(events),
        valuesFile,
      ],
    },
    300_000,
  );
  const values = readFileSync(valuesFile, 'utf8').split('\n');
  rmSync(valuesFile);
  return values;
}
