import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HostError } from './host-error.ts';
import { RuntimeFile } from '../contract/portal.ts';
import { replaceFileSync } from '../store/durable-file.ts';

/** Tells the CLI where the service is and gives it the key; there only while the service runs. 0600. */
export function writeRuntimeFile(folder: string, content: RuntimeFile): () => void {
  const path = join(folder, 'runtime.json');
  try {
    replaceFileSync(path, JSON.stringify(content));
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new HostError(
      'DATA_DIR_UNUSABLE',
      `${path} cannot be written (${code}). Without it no command finds the service. Make the folder yours to write to.`,
      { cause },
    );
  }
  return () => {
    if (isMine(path, content)) rmSync(path, { force: true });
  };
}

function isMine(path: string, content: RuntimeFile): boolean {
  try {
    return RuntimeFile.parse(JSON.parse(readFileSync(path, 'utf8'))).portal_key === content.portal_key;
  } catch {
    return false;
  }
}
