import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { VoiceId } from '../../src/contract/menu/speech.ts';
import { EngineSpeaker } from '../../src/speech/engine-speaker.ts';
import { FliteEngine } from '../../src/speech/flite-engine.ts';
import { onPath } from '../../src/speech/program-engine.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { longTag } from '../tools/suites.ts';
import { missingPackage } from './tried-engines.ts';

/** Of `pocketsphinx-en-us`. */
const model = '/usr/share/pocketsphinx/model/en-us';
const missing =
  (await missingPackage('pocketsphinx', () => onPath('pocketsphinx_continuous'))) ??
  (await missingPackage('pocketsphinx-en-us', () => Promise.resolve(existsSync(model) ? model : null)));

const text =
  'Welcome to Example. For sales, press 1. For technical support, press 2. For our opening hours, press star. To hear this again, press 9.';
const said =
  'welcome to example for sales press one for technical support press two for our opening hours press star to hear this again press nine'.split(
    ' ',
  );
/** That could as well have been said. */
const notSaid = 'pound four five billing department operator goodbye human resources'.split(' ');

/** What a recogniser hears in a file that has words of a menu, in any order. */
async function heardIn(wav: Uint8Array): Promise<readonly string[]> {
  const folder = makeFolder();
  const sound = join(folder, 'sound.wav');
  const grammar = join(folder, 'menu.gram');
  const words = [...new Set([...said, ...notSaid])];
  await writeFile(sound, wav);
  await writeFile(grammar, `#JSGF V1.0;\ngrammar menu;\npublic <menu> = (${words.join(' | ')})+;\n`);
  const { stdout } = await promisify(execFile)('pocketsphinx_continuous', [
    ...['-infile', sound, '-jsgf', grammar, '-logfn', '/dev/null'],
    ...['-hmm', join(model, 'en-us'), '-dict', join(model, 'cmudict-en-us.dict')],
  ]);
  return stdout.split(/\s+/).filter((word) => word !== '');
}

/** How many words have to be changed, left out or put in between. */
function wordsWrong(one: readonly string[], other: readonly string[]): number {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (const [nth, word] of one.entries()) {
    const next = [nth + 1];
    for (const [place, heard] of other.entries()) {
      const changed = (row[place] ?? 0) + (word === heard ? 0 : 1);
      next.push(Math.min(changed, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

it('a recogniser understands what the voice that is built in says', { tags: [longTag] }, async ({ skip }) => {
  skip(missing !== null, missing ?? '');
  const speaker = new EngineSpeaker([new FliteEngine()]);
  const made = await speaker.speak(
    { text, language: 'en-US', voice: VoiceId.parse('flite/slt'), rate: 1 },
    new AbortController().signal,
  );
  await speaker.close();
  if (!made.ok) throw new Error(JSON.stringify(made.refusal));
  const heard = await heardIn(made.value.wav);
  expect(said).toHaveLength(24);
  expect([heard, wordsWrong(said, heard) <= 4]).toEqual([heard, true]);
  const whole = heard.join(' ');
  for (const phrase of ['press star', 'technical support', 'opening hours']) expect(whole).toContain(phrase);
  for (const phrase of ['press pound', 'billing department', 'human resources'])
    expect(whole).not.toContain(phrase);
});
