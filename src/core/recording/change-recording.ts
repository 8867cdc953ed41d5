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
import { type HeardPrompt, spokenAsOf, spokenRecordingOf, spokenTextOf } from '../speech/spoken-recording.ts';
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

/** What stored menus and messages play, as they write it. */
export function* storedPrompts({
  ivrs,
  flowParts,
}: Pick<State, 'ivrs' | 'flowParts'>): Generator<HeardPrompt> {
  for (const ivr of ivrs.values())
    for (const field of playingFields) yield { prompt: ivr[field], speech: ivr.speech };
  for (const part of flowParts.values())
    if (part.kind === 'message') yield { prompt: part.recording, speech: part.speech };
}

/** What drafts play, as they write it. */
export function* draftPrompts({ drafts }: Pick<State, 'drafts'>): Generator<HeardPrompt> {
  for (const { prompt, speech } of promptsOfDrafts(drafts.values())) yield { prompt, speech };
}

function* promptsOfDrafts(
  drafts: Iterable<Draft>,
): Generator<HeardPrompt & { readonly id: string; readonly name: string; readonly field: string }> {
  for (const { id, document } of drafts) {
    const { name, nodes, prompts, speech } = document;
    for (const [which, prompt] of Object.entries(prompts ?? {}))
      if (prompt !== null) yield { id, name, prompt, speech, field: `prompts.${which}` };
    for (const node of Object.values(nodes)) {
      if (node.kind === 'message' && node.recording !== null)
        yield { id, name, prompt: node.recording, speech, field: `nodes.${node.id}.recording` };
      if (node.kind !== 'menu') continue;
      for (const field of playingFields) {
        const prompt = node[field];
        if (prompt !== null) yield { id, name, prompt, speech, field: `nodes.${node.id}.${field}` };
      }
    }
  }
}

/** Where each recording is played or heard for a text, in stored menus and in drafts; those that are not used are left out. */
export function recordingUses({
  ivrs,
  flowParts,
  drafts,
  recordings,
  settings,
}: State): ReadonlyMap<string, readonly RecordingUse[]> {
  const uses = new Map<string, RecordingUse[]>();
  const byText = Map.groupBy(recordings.values(), ({ speech }) => speech?.text);
  const playedBy = ({ prompt, speech }: HeardPrompt): string | null => {
    const text = spokenTextOf(prompt);
    if (text !== null)
      return spokenRecordingOf(byText.get(text) ?? [], text, spokenAsOf(settings, speech))?.id ?? null;
    const reference = readReference(prompt);
    return reference?.type === 'recording' ? reference.id : null;
  };
  const noteText = (prompt: HeardPrompt, use: RecordingUse) => {
    const id = playedBy(prompt);
    if (id !== null) uses.set(id, [...(uses.get(id) ?? []), use]);
  };
  for (const ivr of ivrs.values())
    for (const field of playingFields)
      noteText(
        { prompt: ivr[field], speech: ivr.speech },
        { kind: 'ivr', id: ivr.id, name: ivr.name, field },
      );
  for (const part of flowParts.values())
    if (part.kind === 'message')
      noteText(
        { prompt: part.recording, speech: part.speech },
        { kind: 'ivr', id: part.id, name: part.name, field: 'recording' },
      );
  for (const { id, name, prompt, speech, field } of promptsOfDrafts(drafts.values()))
    noteText({ prompt, speech }, { kind: 'draft', id, name, field });
  return uses;
}

/** So long the program keeps what it has made and nothing plays. */
const unusedKeptMs = 30 * dayMs;

/** When the program removes a recording; null: it stays. */
export function removedAt({ unused_since: since }: Pick<Recording, 'unused_since'>): string | null {
  return since === null ? null : isoInstant(instantMs(since) + unusedKeptMs);
}

/** What the program made and nothing plays now: what `removeUnused` would note, or remove. */
function* unusedOf(
  { recordings }: State,
  uses: ReadonlyMap<string, unknown>,
  nowMs: number,
): Generator<Recording> {
  for (const recording of recordings.values()) {
    const { id, unused_since: since, speech } = recording;
    if (speech?.automatic !== true || uses.has(id)) continue;
    if (since === null || nowMs - instantMs(since) >= unusedKeptMs) yield recording;
  }
}

/** Whether `removeUnused` has to know which recordings are named by versions: to read all of them takes time. */
export function hasUnused(state: State, nowMs: number): boolean {
  return unusedOf(state, recordingUses(state), nowMs).next().done !== true;
}

/** The ids of the recordings that a version of a menu or of a call flow names, as an event has it. */
export function recordingsNamedIn(data: unknown): string[] {
  if (typeof data === 'string') {
    const reference = readReference(data);
    return reference?.type === 'recording' ? [reference.id] : [];
  }
  return typeof data === 'object' && data !== null ? Object.values(data).flatMap(recordingsNamedIn) : [];
}

/**
 * Notes which recordings that the program made are not played any more, and removes those that have not been for 30 days. Never one of
 * a person, and none that a call may still play: a call keeps the menus with which it began.
 *
 * What a version names by its id, as a person has chosen it, is kept: whoever restores that version must not restore silence. A text in
 * a version can be spoken again.
 */
export function removeUnused(
  state: State,
  {
    callsSince,
    inVersions,
  }: { readonly callsSince: readonly string[]; readonly inVersions: ReadonlySet<string> },
  nowMs: number,
): Decision<readonly Recording[]> {
  const uses = recordingUses(state);
  const unused: RecordingId[] = [];
  const kept: Recording[] = [];
  const removed: Recording[] = [];
  for (const recording of unusedOf(state, uses, nowMs)) {
    const { id, unused_since: since } = recording;
    if (inVersions.has(id)) kept.push(recording);
    else if (since === null) unused.push(id);
    else if (callsSince.every((begun) => instantMs(begun) > instantMs(since))) removed.push(recording);
  }
  const used = Array.from(state.recordings.values())
    .filter(({ id, unused_since: since }) => since !== null && uses.has(id))
    .map(({ id }) => id);
  const bySystem = { subject: 'recordings', actor: { kind: 'system' } } as const;
  const about = ({ id, name }: Recording) => ({ ...bySystem, data: { recording_id: id, name } });
  const events: EventDraft[] = [
    ...removed.map((one) => ({ kind: 'recording.removed', ...about(one) }) as const),
    ...kept.map((one) => ({ kind: 'recording.kept', ...about(one) }) as const),
  ];
  if (unused.length + used.length > 0)
    events.push({ kind: 'recording.use_changed', ...bySystem, data: { unused, used } });
  return { events, value: removed };
}
