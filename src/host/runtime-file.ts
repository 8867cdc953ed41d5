import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RuntimeFile } from '../contract/portal.ts';

/** Tells the CLI where the service is and gives it the key; there only while the service runs. 0600. */
export function writeRuntimeFile(folder: string, content: RuntimeFile): () => void {
  const path = join(folder, 'runtime.json');
  writeFileSync(`${path}.new`, JSON.stringify(content), { mode: 0o600 });
  renameSync(`${path}.new`, path);
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
