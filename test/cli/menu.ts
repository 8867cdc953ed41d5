import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The body of the spec's section 2.3, with the sample's numeric forms and extra fields. */
export const menu = {
  name: 'Main menu',
  description: 'Where to?',
  recording: 'recording||1',
  timeout: 5,
  option: [1, 2],
  destination: ['extension||101', 'extension||102'],
  incorrect_count: '3',
  invalid_recording: 'recording||2',
  recording_invalid: 'recording||2',
  invalid_destination: 'extension||103',
  timeout_retry_recording: 'recording||3',
  timeout_recording: 'recording||4',
  timeout_destination: 'extension||104',
  timeout_tries: 2,
  timeout_retries: 2,
};

/** A file with this content, removed after the test. */
export async function fileWith(content: unknown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rotavox-file-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'menu.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}
