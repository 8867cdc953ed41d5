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
import { instantMs, isoInstant } from '../iso-instant.ts';
import type { Decision } from '../ledger.ts';
import type { Draft } from '../ivr/draft/draft.ts';
import { done, refused, type Result } from '../result.ts';
import { spokenRecordingOf, spokenTextOf } from '../speech/spoken-recording.ts';
import type { State } from '../state.ts';
import { dayMs } from '../token/token-record.ts';

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
  return { speech: null, unused_since: null, ...stored };
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
  const recording: Recording = {
    id,
    name,
    ...audio,
    speech,
    unused_since: null,
    created_at: now,
    updated_at: now,
  };
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
  if (found.value.speech?.automatic === true) return keepRecording(state, { id, name }, nowMs);
  const recording = { ...found.value, name, updated_at: isoInstant(nowMs) };
  const data = { recording_id: recording.id, name };
  return { events: [{ kind: 'recording.renamed', ...about, data }], value: done(recording) };
}

/** Makes a recording of the program one of a person, which stays when nothing plays it. */
export function keepRecording(
  state: State,
  { id, name: wanted }: { id: string; name?: string | undefined },
  nowMs: number,
): RecordingOutcome {
  const found = findRecording(state, id);
  if (!found.ok || found.value.speech?.automatic !== true) return { events: [], value: found };
  const name = wanted ?? found.value.name;
  const recording = {
    ...found.value,
    ...keptByPerson(found.value),
    name,
    updated_at: isoInstant(nowMs),
  };
  const data = { recording_id: recording.id, name };
  return { events: [{ kind: 'recording.kept', ...about, data }], value: done(recording) };
}

/** What a person keeps stays, whether anything plays it or not. */
export function keptByPerson({ speech }: Recording): Pick<Recording, 'speech' | 'unused_since'> {
  return { speech: speech === null ? null : { ...speech, automatic: false }, unused_since: null };
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
  const recording: Recording = {
    ...found.value,
    ...audio,
    speech,
    // What is not of the program stays.
    unused_since: speech?.automatic === true ? found.value.unused_since : null,
    updated_at: isoInstant(nowMs),
  };
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

/** What stored menus play, as they write it. */
export function* storedPrompts({ ivrs }: Pick<State, 'ivrs'>): Generator<string> {
  for (const ivr of ivrs.values()) for (const field of playingFields) yield ivr[field];
}

/** What drafts play, as they write it. */
export function* draftPrompts({ drafts }: Pick<State, 'drafts'>): Generator<string> {
  for (const { prompt } of promptsOfDrafts(drafts.values())) yield prompt;
}

function* promptsOfDrafts(drafts: Iterable<Draft>): Generator<{
  readonly id: string;
  readonly name: string;
  readonly prompt: string;
  readonly field: string;
}> {
  for (const { id, document } of drafts) {
    const { name, nodes, prompts } = document;
    for (const [which, prompt] of Object.entries(prompts ?? {}))
      if (prompt !== null) yield { id, name, prompt, field: `prompts.${which}` };
    for (const node of Object.values(nodes)) {
      if (node.kind !== 'menu') continue;
      for (const field of playingFields) {
        const prompt = node[field];
        if (prompt !== null) yield { id, name, prompt, field: `nodes.${node.id}.${field}` };
      }
    }
  }
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
  const noteText = (prompt: string, use: RecordingUse) => {
    const id = playedBy(prompt);
    if (id !== null) uses.set(id, [...(uses.get(id) ?? []), use]);
  };
  for (const ivr of ivrs.values())
    for (const field of playingFields)
      noteText(ivr[field], { kind: 'ivr', id: ivr.id, name: ivr.name, field });
  for (const { id, name, prompt, field } of promptsOfDrafts(drafts.values()))
    noteText(prompt, { kind: 'draft', id, name, field });
  return uses;
}

/** So long the program keeps what it has made and nothing plays. */
const unusedKeptMs = 30 * dayMs;

/** When the program removes a recording; null: it stays. */
export function removedAt({ unused_since: since }: Pick<Recording, 'unused_since'>): string | null {
  return since === null ? null : isoInstant(instantMs(since) + unusedKeptMs);
}

/**
 * Notes which recordings that the program made are not played any more, and removes those that have not been for 30 days. Never one of
 * a person, and none that a call may still play: a call keeps the menus with which it began.
 */
export function removeUnused(
  state: State,
  { callsSince }: { readonly callsSince: readonly string[] },
  nowMs: number,
): Decision<readonly Recording[]> {
  const uses = recordingUses(state);
  const unused: RecordingId[] = [];
  const used: RecordingId[] = [];
  const removed: Recording[] = [];
  for (const recording of state.recordings.values()) {
    const { id, unused_since: since, speech } = recording;
    if (speech?.automatic !== true) continue;
    if (uses.has(id)) {
      if (since !== null) used.push(id);
    } else if (since === null) unused.push(id);
    else if (
      nowMs - instantMs(since) >= unusedKeptMs &&
      callsSince.every((begun) => instantMs(begun) > instantMs(since))
    )
      removed.push(recording);
  }
  const bySystem = { subject: 'recordings', actor: { kind: 'system' } } as const;
  const events: EventDraft[] = removed.map(({ id, name }) => ({
    kind: 'recording.removed',
    ...bySystem,
    data: { recording_id: id, name },
  }));
  if (unused.length + used.length > 0)
    events.push({ kind: 'recording.use_changed', ...bySystem, data: { unused, used } });
  return { events, value: removed };
}
