/**
 * Makes the sample recordings of `resources/recordings`: `node test/tools/render-recordings.ts`.
 *
 * Run it after changing `test/tools/recordings/sample-sounds.ts`. They are checked in because the windows are bundled
 * with them; `test/renderer/recordings/sample-recordings.test.ts` fails when they are not what is written there.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { encodeWav } from '../../src/core/recording/wav.ts';
import { sampleSounds } from './recordings/sample-sounds.ts';

const folder = join(import.meta.dirname, '..', '..', 'resources', 'recordings');

mkdirSync(folder, { recursive: true });
for (const [name, sound] of Object.entries(sampleSounds))
  writeFileSync(join(folder, `${name}.wav`), encodeWav(sound()));
