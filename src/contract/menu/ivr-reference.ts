import type { OutsideRules } from '../calls/outside-calls.ts';
import type { ScheduleHours, ScheduleId } from './schedule.ts';
import type { Pronunciation, VoiceId } from './speech.ts';

/** A recording or a destination as the body names it: `recording||42`, `extension||101`, `hangup`. */
export interface Reference {
  readonly type: string;
  readonly id: string;
}

/**
 * Splits `<type>||<id>`; null when it is not written like that.
 *
 * Only the writing is looked at: which types there are, and what an id may be, is judged by the body's schema. `hangup`
 * needs no id, so it may stand alone.
 */
export function readReference(text: string): Reference | null {
  if (text === 'hangup') return { type: 'hangup', id: '' };
  const place = text.indexOf('||');
  return place < 1 ? null : { type: text.slice(0, place), id: text.slice(place + 2) };
}

export function writeReference({ type, id }: Reference): string {
  return type === 'hangup' && id === '' ? type : `${type}||${id}`;
}

/** Whether two texts mean the same: `hangup` and `hangup||` do. */
export function isSameReference(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(text: string): string {
  const reference = readReference(text);
  return reference === null ? text : writeReference(reference);
}

/** Ids that are known: a set of them, or what holds the things themselves. */
export interface KnownIds {
  has(id: string): boolean;
}

/**
 * What is known beside the flow: what its references can be compared with.
 *
 * A reference that is not here is no error: it may live on the telephone system.
 */
export interface IvrDirectory {
  readonly recordings: KnownIds;
  readonly extensions: KnownIds & { keys(): Iterable<string> };
  /** Absent where schedules are not known: then opening hours are not compared. */
  readonly schedules?: { get(id: ScheduleId): ScheduleHours | undefined };
  readonly menus: KnownIds;
  /** Opening hours and messages that are stored here. Absent where they are not known. */
  readonly flowParts?: KnownIds;
  readonly smsTemplates: KnownIds;
  /** The types of destinations that every telephone system has a place for (`RoutedType`). */
  readonly routedTypes: KnownIds;
  readonly smsTemplatesEnabled: boolean;
  /** What menus may do with outside numbers. Absent where that is not known: then only the numbers are judged. */
  readonly outside?: OutsideRules;
  /**
   * What telephone systems say to prompts that are no recordings here, as menus write them: why callers do not hear it; null: they do.
   * Absent where they were not asked.
   */
  readonly sounds?: ReadonlyMap<string, UnheardSound | null>;
  /** How the texts of menus are spoken. Absent where that is not known: then they are not compared. */
  readonly speech?: KnownSpeech;
}

/** How texts are spoken on this computer. */
export interface KnownSpeech {
  /** BCP 47. */
  readonly language: string;
  /** Null: the first voice of the language. */
  readonly voice: VoiceId | null;
  readonly hasVoice: boolean;
  /** How words are said that voices read wrong: they may have letters that the voice can read. */
  readonly pronunciations: readonly Pronunciation[];
  /** The texts that have a recording, which callers hear whatever voices there are. */
  readonly spoken: KnownIds;
}

/** A recording that is not here, and why callers do not hear a sound of a telephone system instead, or may not. */
export interface UnheardSound {
  /** No sound can have its name; the telephone system has none of this name; it is not known whether it has. */
  readonly reason: 'gone' | 'no_sound' | 'unknown_sound';
  /** The telephone system without it. */
  readonly pbx: string | null;
}
