import { recordingAudioPath } from '../../contract/address.ts';
import { speechPreview } from '../../contract/downloads.ts';
import type { RecordingView } from '../../contract/menu/recording.ts';
import { noAnswerText } from '../../text/window/connection.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { Resource } from '../kit/live/resource.ts';
import type { PortalReply } from '../kit/portal-reply.ts';
import type { SilentPrompt } from '../../contract/calls/pbx.ts';

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

/** What a text sounds like, or why it cannot be spoken now. Nothing is stored. Throws when its signal ends it. */
export async function askSpeech(text: string, signal?: AbortSignal): Promise<PortalReply<Blob>> {
  const { method, path } = speechPreview;
  try {
    const body = JSON.stringify({ text });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(path, { method, headers, body, signal: signal ?? null });
    if (answer.ok) return { kind: 'ok', value: await answer.blob() };
    if (answer.status === 401) return { kind: 'signed-out' };
    const said: unknown = await answer.json();
    const { message } = said as { readonly message?: string };
    return { kind: 'refused', reason: message ?? noAnswerText.notReached };
  } catch (error) {
    // The service does not answer, or something else did in its place.
    if (error instanceof TypeError || error instanceof SyntaxError)
      return { kind: 'unreachable', reason: noAnswerText.notReached };
    throw error;
  }
}

/** The same for playing only; null when it cannot be spoken now. */
export async function readSpeech(text: string, signal?: AbortSignal): Promise<Blob | null> {
  const made = await askSpeech(text, signal);
  return made.kind === 'ok' ? made.value : null;
}

export interface CheckedPrompts {
  /** Those that were asked about: an earlier answer is shown until the next one is there. */
  readonly prompts: readonly string[];
  readonly silent: readonly SilentPrompt[];
}

/** Which of these prompts callers do not hear, as menus write them. Asked again when recordings or telephone systems change. */
export function silentPrompts(prompts: readonly string[]): Resource<CheckedPrompts> {
  return {
    key: ['silent prompts', ...prompts],
    about: ['recording.', 'pbx.'],
    keepsPrevious: true,
    read: async (signal) => {
      if (prompts.length === 0) return { kind: 'ok', value: { prompts, silent: [] } };
      const reply = await askPortal('checkPrompts', { body: { prompts: [...prompts] }, signal });
      return reply.kind === 'ok' ? { kind: 'ok', value: { prompts, silent: reply.value.silent } } : reply;
    },
  };
}
