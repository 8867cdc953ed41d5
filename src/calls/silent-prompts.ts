import pLimit from 'p-limit';
import { readReference } from '../contract/menu/ivr-reference.ts';
import type { SilentPrompt } from '../contract/calls/pbx.ts';
import type { FlowSpeech } from '../contract/menu/speech.ts';
import type { RecordingId } from '../contract/menu/recording.ts';
import { namedSound, pbxSound } from '../core/recording/pbx-sound.ts';
import { spokenAsOf, spokenRecordingOf, spokenTextOf } from '../core/speech/spoken-recording.ts';
import type { State } from '../core/state.ts';
import type { FoundPrompt, MissingPrompt } from './prompts.ts';

/** A telephone system that can be asked for its sounds. */
export interface SoundOwner {
  readonly name: string;
  /** Null: it cannot tell, or is not connected. */
  readonly hasSound: (sound: string) => Promise<boolean | null>;
}

/** So many questions at once, which calls have to share the connection with. */
const askedAtOnce = 4;

/**
 * Which of these prompts callers do not hear, or perhaps not, each once and in their order.
 *
 * `find` is what calls use, so that nothing is promised here that a call does otherwise. A sound of the telephone system is asked
 * for on each one; where none can tell, that is said instead.
 */
export async function silentPrompts(
  prompts: readonly string[],
  find: (prompt: string) => Promise<FoundPrompt | MissingPrompt>,
  owners: readonly SoundOwner[],
): Promise<SilentPrompt[]> {
  const limit = pLimit(askedAtOnce);
  const found = await Promise.all(
    Array.from(new Set(prompts), (prompt) =>
      limit(async () => silenceOf(prompt, await find(prompt), owners)),
    ),
  );
  return found.flat();
}

async function silenceOf(
  prompt: string,
  found: FoundPrompt | MissingPrompt,
  owners: readonly SoundOwner[],
): Promise<SilentPrompt[]> {
  if (typeof found === 'string') return [{ prompt, reason: found, pbx: null }];
  const { sound } = found;
  if (sound === undefined) return [];
  const answers = await Promise.all(
    owners.map(async ({ name, hasSound }) => ({ name, has: await hasSound(sound) })),
  );
  const without = answers.filter(({ has }) => has === false);
  if (without.length > 0) return without.map(({ name }) => ({ prompt, reason: 'no_sound', pbx: name }));
  return answers.some(({ has }) => has === true) ? [] : [{ prompt, reason: 'unknown_sound', pbx: null }];
}

/** What is known of a prompt where there is no telephone system: nothing is read or converted for one. */
export function findWithoutPbx(
  { recordings, settings }: Pick<State, 'recordings' | 'settings'>,
  speech?: FlowSpeech,
): (prompt: string) => Promise<FoundPrompt | MissingPrompt> {
  return (prompt) => {
    const text = spokenTextOf(prompt);
    const { type, id } = readReference(prompt) ?? { type: '', id: '' };
    const isHere =
      text === null
        ? type !== 'sound' && recordings.has(id as RecordingId)
        : spokenRecordingOf(recordings.values(), text, spokenAsOf(settings, speech)) !== null;
    if (isHere) return Promise.resolve({ media: '', seconds: 0 });
    if (text !== null) return Promise.resolve('not_speech');
    const sound = type === 'sound' ? namedSound(prompt) : pbxSound(id);
    return Promise.resolve(sound === null ? 'gone' : { media: '', seconds: 0, sound });
  };
}
