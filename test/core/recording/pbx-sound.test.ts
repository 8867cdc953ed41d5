import { expect, it } from 'vitest';
import { pbxSound, soundOfPrompt } from '../../../src/core/recording/pbx-sound.ts';

it.each([
  ['custom/welcome', 'custom/welcome'],
  ['vm-goodbye', 'vm-goodbye'],
  ['en/custom/opening_hours.2', 'en/custom/opening_hours.2'],
  // Asterisk adds the ending itself, and finds no `welcome.wav.wav`.
  ['custom/welcome.wav', 'custom/welcome'],
  ['custom/welcome.WAV', 'custom/welcome'],
  ['custom/welcome.sln16', 'custom/welcome'],
  ['/var/lib/asterisk/sounds/custom/welcome.gsm', '/var/lib/asterisk/sounds/custom/welcome'],
])('the recording %s is a sound of the telephone system', (id, sound) => {
  expect(pbxSound(id)).toBe(sound);
});

it.each([
  '',
  '/',
  '.',
  '../spool/asterisk/voicemail/default/101/INBOX/msg0000',
  'custom/../../spool/asterisk/monitor/call',
  '/var/spool/asterisk/voicemail/default/101/INBOX/msg0000',
  '/var/lib/asterisk/sounds/../../../spool/x',
  'http://192.0.2.1/sound.wav',
  'custom/a&custom/b',
  'custom/a,custom/b',
  'custom/${EXTEN}',
  'custom//a',
  'custom/',
  'a b',
  'ä',
  'a'.repeat(201),
])('no sound is played for the recording %j', (id) => {
  expect(pbxSound(id)).toBeNull();
});

it('a prompt is a sound of the telephone system when it is a recording that is not stored here', () => {
  const stored = new Set(['welcome']);
  expect(soundOfPrompt('recording||bye', stored)).toBe('bye');
  expect(soundOfPrompt('recording||welcome', stored)).toBeNull();
  expect(soundOfPrompt('outbound_tts||custom/welcome', stored)).toBeNull();
  expect(soundOfPrompt('recording||custom/welcome', null)).toBe('custom/welcome');
  expect(soundOfPrompt('recording||welcome', null)).toBeNull();
});
