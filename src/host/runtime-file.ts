import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HostError } from './host-error.ts';
import { RuntimeFile } from '../contract/service/portal.ts';
import { replaceFileSync } from '../store/durable-file.ts';
import { hostText } from '../text/service/host-text.ts';

export interface RuntimeFileHandle {
  /** Writes it again if it is missing: without it the CLI cannot find the running service. */
  restore(): void;
  remove(): void;
}

/** The address and the key of the running service, for the CLI. Exists only while the service runs. Mode 0600. */
export function writeRuntimeFile(folder: string, content: RuntimeFile): RuntimeFileHandle {
  const path = join(folder, 'runtime.json');
  write(path, content);
  return {
    restore() {
      if (!isMine(path, content)) write(path, content);
    },
    remove() {
      if (isMine(path, content)) rmSync(path, { force: true });
    },
  };
}

function write(path: string, content: RuntimeFile): void {
  try {
    replaceFileSync(path, JSON.stringify(content));
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new HostError('DATA_DIR_UNUSABLE', hostText.runtimeFileRefused(path, code), { cause });
  }
}

function isMine(path: string, content: RuntimeFile): boolean {
  try {
    return RuntimeFile.parse(JSON.parse(readFileSync(path, 'utf8'))).portal_key === content.portal_key;
  } catch {
    return false;
  }
}
