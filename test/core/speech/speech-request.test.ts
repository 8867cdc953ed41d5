import { expect, it } from 'vitest';
import { VoiceId } from '../../../src/contract/menu/speech.ts';
import { voiceFor } from '../../../src/core/speech/speech-request.ts';

function voice(id: string, language: string) {
  return { id: VoiceId.parse(id), language };
}

/** In the order of their engines: a pack, what is built in, what the system has. */
const known = [
  voice('pack/anna', 'de-DE'),
  voice('flite/slt', 'en-US'),
  { ...voice('say/Samantha', 'en-US'), personal_use_only: true as const },
  { ...voice('say/Alva', 'sv-SE'), personal_use_only: true as const },
  voice('espeak-ng/en-us', 'en-US'),
  voice('espeak-ng/en-gb', 'en-GB'),
  voice('espeak-ng/de', 'de'),
  voice('espeak-ng/hi', 'hi'),
];

it.each([
  ['de-DE', 'pack/anna'],
  ['en-US', 'flite/slt'],
  // The country counts more than the engine; another country is better than silence.
  ['en-GB', 'espeak-ng/en-gb'],
  ['en-AU', 'flite/slt'],
  ['de-AT', 'pack/anna'],
  ['hi-IN', 'espeak-ng/hi'],
  ['fr-FR', null],
  // What is for personal use only speaks where a person chose it.
  ['sv-SE', null],
])('for %s, the first voice is %s', (language, id) => {
  expect(voiceFor({ language, voice: null }, known)?.id ?? null).toBe(id);
});

it.each(['espeak-ng/en-us', 'say/Samantha', 'say/Alva'])('takes the voice that was chosen: %s', (id) => {
  expect(voiceFor({ language: 'en-US', voice: VoiceId.parse(id) }, known)?.id).toBe(id);
});

it('has no other voice for one that was chosen and is gone', () => {
  expect(voiceFor({ language: 'en-US', voice: VoiceId.parse('flite/gone') }, known)).toBeNull();
});
