import { recordingAudioPath } from '../../contract/address.ts';
import { speechPreview } from '../../contract/downloads.ts';
import type { RecordingView } from '../../contract/menu/recording.ts';
import type { PronunciationList } from '../../contract/menu/speech.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { Resource } from '../kit/live/resource.ts';
import type { SpeakText, SpokenPrompt } from '../../contract/menu/recording.ts';
import type { FlowSpeech } from '../../contract/menu/speech.ts';
import { type HeardPrompt, spokenTexts } from '../../core/speech/spoken-recording.ts';
import { readFile } from '../kit/read-portal.ts';
import type { PbxSound, SilentPrompt } from '../../contract/calls/pbx.ts';

/** The recordings by name, and where each is played: also a change of a menu or a draft changes that. */
export const allRecordings: Resource<readonly RecordingView[]> = {
  key: ['recordings'],
  about: ['recording.', 'ivr.', 'draft.'],
  read: async (signal) => {
    const reply = await askPortal('listRecordings', { signal });
    if (reply.kind !== 'ok') return reply;
    const byName = (one: RecordingView, other: RecordingView): number =>
      one.name.localeCompare(other.name) || one.id.localeCompare(other.id);
    return { kind: 'ok', value: reply.value.recordings.toSorted(byName) };
  },
};

/** The audio file of a recording; null when it cannot be had now. */
export async function readAudio(id: string, signal: AbortSignal): Promise<ArrayBuffer | null> {
  return (await (await readAudioFile(id, signal))?.arrayBuffer()) ?? null;
}

/** The same for playing: an audio element cannot send the page key, and 20 MiB at most need not be read in parts. */
export async function readAudioFile(id: string, signal?: AbortSignal): Promise<Blob | null> {
  try {
    const answer = await fetch(recordingAudioPath(id), { signal: signal ?? null, cache: 'no-store' });
    return answer.ok ? await answer.blob() : null;
  } catch (error) {
    if (error instanceof TypeError) return null; // the service does not answer
    throw error;
  }
}

/** What a text sounds like, for playing only; null when it cannot be spoken now, or its signal ends it. */
export async function readSpeech(asked: SpeakText, signal?: AbortSignal): Promise<Blob | null> {
  const made = await readFile(speechPreview.path, { posted: asked, signal });
  return made.kind === 'ok' ? made.value.content : null;
}

/** The words that are said otherwise than they are written. */
export const pronunciations: Resource<PronunciationList> = {
  key: ['pronunciations'],
  about: ['pronunciation', 'recording.'],
  read: (signal) => askPortal('listPronunciations', { signal }),
};

export interface CheckedPrompts {
  /** Those that were asked about: an earlier answer is shown until the next one is there. */
  readonly prompts: readonly string[];
  readonly silent: readonly SilentPrompt[];
}

/** The sounds that telephone systems have, each once, with what is said in it. They are only asked for where one is chosen. */
export function pbxSounds(isAsked: boolean): Resource<readonly PbxSound[]> {
  return {
    key: ['pbx sounds', String(isAsked)],
    about: ['pbx.'],
    read: async (signal) => {
      if (!isAsked) return { kind: 'ok', value: [] };
      const reply = await askPortal('listPbxSounds', { signal });
      if (reply.kind !== 'ok') return reply;
      const all = reply.value.pbxs.flatMap(({ sounds }) => sounds ?? []);
      return { kind: 'ok', value: [...new Map(all.map((sound) => [sound.name, sound])).values()] };
    },
  };
}

/** What callers would hear of texts, spoken as their call flow has it: also letters that no voice can read. */
function checkedTexts(texts: readonly string[], speech?: FlowSpeech): Resource<readonly SpokenPrompt[]> {
  return {
    key: ['checked texts', JSON.stringify(speech ?? null), ...texts],
    about: ['recording.', 'settings.', 'pronunciations.', 'voice'],
    keepsPrevious: true,
    read: async (signal) => {
      if (texts.length === 0) return { kind: 'ok', value: [] };
      const body = { texts: [...texts], ...speech };
      const reply = await askPortal('checkTexts', { body, signal });
      return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.prompts } : reply;
    },
  };
}

/** Which of these prompts callers do not hear, as menus write them. Asked again when recordings or telephone systems change. */
export function silentPrompts(prompts: readonly string[], speech?: FlowSpeech): Resource<CheckedPrompts> {
  return {
    key: ['silent prompts', JSON.stringify(speech ?? null), ...prompts],
    about: ['recording.', 'pbx.'],
    keepsPrevious: true,
    read: async (signal) => {
      if (prompts.length === 0) return { kind: 'ok', value: { prompts, silent: [] } };
      const reply = await askPortal('checkPrompts', {
        body: { prompts: [...prompts], ...(speech === undefined ? {} : { speech }) },
        signal,
      });
      return reply.kind === 'ok' ? { kind: 'ok', value: { prompts, silent: reply.value.silent } } : reply;
    },
  };
}

/** The same of prompts that are not all spoken alike, each once: what callers do not hear, and texts with what is said of them. */
export function unheardPrompts(heard: readonly HeardPrompt[]): Resource<{
  readonly silent: readonly SilentPrompt[];
  readonly texts: readonly SpokenPrompt[];
}> {
  const groups = [...Map.groupBy(heard, ({ speech }) => JSON.stringify(speech ?? null)).values()];
  const asked = groups.map((group) => {
    const prompts = [...new Set(group.map(({ prompt }) => prompt))];
    return { prompts, speech: group[0]?.speech };
  });
  return {
    key: ['unheard prompts', JSON.stringify(asked)],
    about: ['recording.', 'settings.', 'pronunciations.', 'voice', 'pbx.'],
    keepsPrevious: true,
    read: async (signal) => {
      const silent = new Map<string, SilentPrompt>();
      const texts: SpokenPrompt[] = [];
      for (const { prompts, speech } of asked) {
        const unheard = await silentPrompts(prompts, speech).read(signal);
        if (unheard.kind !== 'ok') return unheard;
        const checked = await checkedTexts(spokenTexts(prompts), speech).read(signal);
        if (checked.kind !== 'ok') return checked;
        for (const one of unheard.value.silent) silent.set(JSON.stringify(one), one); // a recording is the same everywhere
        texts.push(...checked.value);
      }
      return { kind: 'ok', value: { silent: [...silent.values()], texts } };
    },
  };
}
