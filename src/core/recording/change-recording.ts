import type { EventDraft } from '../../contract/history/audit-event.ts';
import type { ProblemCode } from '../../contract/problems.ts';
import type {
  Recording,
  RecordingId,
  RecordingProblem,
  RecordingUse,
  StoredRecording,
} from '../../contract/menu/recording.ts';
import { readReference } from '../../contract/menu/ivr-reference.ts';
import type { RecordingSpeech } from '../../contract/menu/speech.ts';
import { isoInstant } from '../iso-instant.ts';
import type { Decision } from '../ledger.ts';
import { done, refused, type Result } from '../result.ts';
import { spokenRecordingOf, spokenTextOf } from '../speech/spoken-recording.ts';
import type { State } from '../state.ts';

/** Why an owner's request about a recording is refused. */
export interface RecordingRefusal {
  readonly problem: Extract<ProblemCode, 'not_found' | 'conflict' | 'bad_request' | 'store_unavailable'>;
  readonly found: RecordingProblem;
}

export type RecordingOutcome = Decision<Result<Recording, RecordingRefusal>>;

/** What an audio file is, for the record. */
export type Audio = Pick<Recording, 'format' | 'bytes' | 'duration_ms' | 'digest'>;

/** A recording as events and state files have it. */
export function recordingOf(stored: StoredRecording): Recording {
  return { speech: null, ...stored };
}

/** The program itself acts when it speaks what menus have. */
function aboutSpeech(
  speech: RecordingSpeech | null,
): Pick<EventDraft<'recording.added'>, 'subject' | 'actor'> {
  return speech?.automatic === true ? { ...about, actor: { kind: 'system' } } : about;
}

const about = { subject: 'recordings', actor: { kind: 'owner' } } as const;

/** `speech`: what the audio was made of. */
export function addRecording(
  { recordings }: State,
  {
    id,
    name,
    audio,
    speech = null,
  }: { id: RecordingId; name: string; audio: Audio; speech?: RecordingSpeech | null },
  nowMs: number,
): RecordingOutcome {
  if (recordings.has(id)) {
    return { events: [], value: refused({ problem: 'conflict', found: { kind: 'id_taken', id } }) };
  }
  const now = isoInstant(nowMs);
  const recording: Recording = { id, name, ...audio, speech, created_at: now, updated_at: now };
  const event: EventDraft<'recording.added'> = {
    kind: 'recording.added',
    ...aboutSpeech(speech),
    data: { recording },
  };
  return { events: [event], value: done(recording) };
}

export function renameRecording(
  state: State,
  { id, name }: { id: string; name: string },
  nowMs: number,
): RecordingOutcome {
  const found = findRecording(state, id);
  if (!found.ok || found.value.name === name) return { events: [], value: found };
  const recording = { ...found.value, name, updated_at: isoInstant(nowMs) };
  const data = { recording_id: recording.id, name };
  return { events: [{ kind: 'recording.renamed', ...about, data }], value: done(recording) };
}

/** Replaces the audio of a recording; the same audio of the same text is no change. */
export function replaceRecording(
  state: State,
  { id, audio, speech = null }: { id: string; audio: Audio; speech?: RecordingSpeech | null },
  nowMs: number,
): RecordingOutcome {
  const found = findRecording(state, id);
  if (!found.ok) return { events: [], value: found };
  const isSame = found.value.digest === audio.digest && found.value.speech?.key === speech?.key;
  if (isSame) return { events: [], value: found };
  const recording: Recording = { ...found.value, ...audio, speech, updated_at: isoInstant(nowMs) };
  const event: EventDraft<'recording.replaced'> = {
    kind: 'recording.replaced',
    ...aboutSpeech(speech),
    data: { recording },
  };
  return { events: [event], value: done(recording) };
}

/** Removes a recording that nothing plays, because a caller must not hear silence instead. */
export function removeRecording(state: State, id: string): RecordingOutcome {
  const found = findRecording(state, id);
  if (!found.ok) return { events: [], value: found };
  const recording = found.value;
  const uses = recordingUses(state).get(recording.id) ?? [];
  if (uses.length > 0)
    return {
      events: [],
      value: refused({ problem: 'conflict', found: { kind: 'played', name: recording.name, uses } }),
    };
  const data = { recording_id: recording.id, name: recording.name };
  return { events: [{ kind: 'recording.removed', ...about, data }], value: found };
}

export function findRecording({ recordings }: State, id: string): Result<Recording, RecordingRefusal> {
  const recording = recordings.get(id as RecordingId);
  return recording === undefined
    ? refused({ problem: 'not_found', found: { kind: 'not_found' } })
    : done(recording);
}

/** The fields of a menu that play a recording, stored or in a draft. */
export const playingFields = [
  'recording',
  'invalid_recording',
  'timeout_retry_recording',
  'timeout_recording',
] as const;
type Playing = Readonly<Record<(typeof playingFields)[number], string | null>>;

/** What stored menus play, as they write it. */
export function* storedPrompts({ ivrs }: Pick<State, 'ivrs'>): Generator<string> {
  for (const ivr of ivrs.values()) for (const field of playingFields) yield ivr[field];
}

/** Where each recording is played or heard for a text, in stored menus and in drafts; those that are not used are left out. */
export function recordingUses({
  ivrs,
  drafts,
  recordings,
  settings,
}: State): ReadonlyMap<string, readonly RecordingUse[]> {
  const uses = new Map<string, RecordingUse[]>();
  const spoken = [...recordings.values()].filter(({ speech }) => speech !== null);
  const playedBy = (prompt: string): string | null => {
    const text = spokenTextOf(prompt);
    if (text !== null) return spokenRecordingOf(spoken, text, settings)?.recording.id ?? null;
    const reference = readReference(prompt);
    return reference?.type === 'recording' ? reference.id : null;
  };
  const noteText = (prompt: string | null, use: RecordingUse) => {
    const id = prompt === null ? null : playedBy(prompt);
    if (id !== null) uses.set(id, [...(uses.get(id) ?? []), use]);
  };
  const note = (menu: Playing, useOf: (field: string) => RecordingUse) => {
    for (const field of playingFields) noteText(menu[field], useOf(field));
  };
  for (const ivr of ivrs.values()) {
    note(ivr, (field) => ({ kind: 'ivr', id: ivr.id, name: ivr.name, field }));
  }
  for (const { id, document } of drafts.values()) {
    for (const [which, text] of Object.entries(document.prompts ?? {})) {
      noteText(text, { kind: 'draft', id, name: document.name, field: `prompts.${which}` });
    }
    for (const node of Object.values(document.nodes)) {
      if (node.kind !== 'menu') continue;
      note(node, (field) => ({
        kind: 'draft',
        id,
        name: document.name,
        field: `nodes.${node.id}.${field}`,
      }));
    }
  }
  return uses;
}
