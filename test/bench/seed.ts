import { join } from 'node:path';
import { runScript } from './child-process.ts';

/** Fills a data folder in a separate process, whose memory is then freed. */
export async function seedDataDir(
  dataDir: string,
  { tokens, events }: { readonly tokens: number; readonly events: number },
): Promise<void> {
  const args = [join(import.meta.dirname, 'seed-writer.ts'), dataDir, String(tokens), String(events)];
  await runScript({ args }, 300_000);
}
