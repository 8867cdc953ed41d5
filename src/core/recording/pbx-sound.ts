import { type KnownIds, readReference } from '../../contract/menu/ivr-reference.ts';

const longest = 200;
/** Endings of sound files. Asterisk adds them itself, and finds nothing when they are given. */
const ending =
  /\.(?:wav|wav16|wav49|gsm|ulaw|ul|mu|pcm|alaw|al|g722|g729|sln\d{0,3}|mp3|ogg|opus|siren7|siren14)$/i;

/**
 * The sound of a telephone system that a recording stands for by its id, such as `custom/welcome`: as Asterisk plays it, without
 * the ending of its file. Null when no sound can have this name.
 *
 * Names within the sounds folder, and whole paths in a folder `sounds`. Nothing else that a telephone system has can be heard with
 * them, such as messages of a voicemail. Names consist of characters that mean nothing to a dialplan (`&` and `,` join sounds).
 */
// see decisions/calls-through-asterisk.md
export function pbxSound(id: string): string | null {
  const name = id.replace(ending, '');
  if (name.length > longest || !/^\/?[A-Za-z0-9_](?:[A-Za-z0-9_.+-]|\/(?=[A-Za-z0-9_]))*$/.test(name))
    return null;
  return name.startsWith('/') && !/\/sounds\/./.test(name) ? null : name;
}

/** The same for a prompt that names a sound (`sound||custom/welcome`): never a whole path. Null for any other prompt. */
export function namedSound(prompt: string): string | null {
  const reference = readReference(prompt);
  if (reference?.type !== 'sound') return null;
  return reference.id.startsWith('/') || reference.id.includes('..') ? null : pbxSound(reference.id);
}

/**
 * The same for a prompt as a menu writes it; null for speech, and for a recording that is stored here. `sound||welcome` is one also where a
 * recording has the id `welcome`; `recording||welcome` is one where none has.
 *
 * Null as the recordings: they are not known. An uploaded recording has no slash in its id, so only ids with one are certain then.
 */
export function soundOfPrompt(prompt: string, recordings: KnownIds | null): string | null {
  const reference = readReference(prompt);
  if (reference?.type === 'sound') return namedSound(prompt);
  if (reference?.type !== 'recording') return null;
  const isElsewhere = recordings === null ? reference.id.includes('/') : !recordings.has(reference.id);
  return isElsewhere ? pbxSound(reference.id) : null;
}
