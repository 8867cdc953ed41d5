import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RuntimeFile } from '../../src/contract/service/portal.ts';

/** The runtime file of a running host. */
export function runtimeFileOf(dataDir: string): RuntimeFile {
  return RuntimeFile.parse(JSON.parse(readFileSync(join(dataDir, 'runtime.json'), 'utf8')));
}
