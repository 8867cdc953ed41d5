import type { Voice, VoiceId } from '../../contract/menu/speech.ts';
import type { OfferedVoice, VoicePack, VoicePackList } from '../../contract/menu/voice-pack.ts';

/** A voice as it is listed: one that is there, one that was added and does not speak, or one that can be added. */
export interface VoiceRow {
  readonly id: VoiceId;
  readonly name: string;
  readonly language: string;
  readonly quality: Voice['quality'];
  /** Null: of the voices that are added, which all have the same. */
  readonly engine: string | null;
  readonly licence: string | null;
  readonly bytes: number | null;
  readonly isPersonalOnly: boolean;
  readonly pack: VoicePack | null;
  readonly offered: OfferedVoice | null;
}

/** All voices: natural ones first, and those to add last. */
export function voiceRows(
  voices: readonly Voice[],
  { packs, offered }: Pick<VoicePackList, 'packs' | 'offered'>,
): readonly VoiceRow[] {
  const packOf = new Map(packs.map((pack) => [pack.voice, pack]));
  const there = voices.map((one): VoiceRow => {
    const pack = packOf.get(one.id) ?? null;
    const { id, name, language, quality, engine, licence, personal_use_only: personal } = one;
    const bytes = pack?.bytes ?? null;
    return {
      id,
      name,
      language,
      quality,
      engine,
      licence,
      bytes,
      isPersonalOnly: personal === true,
      pack,
      offered: null,
    };
  });
  const known = new Set(voices.map(({ id }) => id));
  const natural = { quality: 'natural', engine: null, isPersonalOnly: false } as const;
  const silent = packs
    .filter(({ voice }) => !known.has(voice))
    .map((pack): VoiceRow => {
      const { voice, name, language, licence, bytes } = pack;
      return { ...natural, id: voice, name, language, licence, bytes, pack, offered: null };
    });
  const more = offered.map((one): VoiceRow => {
    const { voice, name, language, licence, bytes } = one;
    return { ...natural, id: voice, name, language, licence, bytes, pack: null, offered: one };
  });
  const first = there.toSorted((one, other) => rankOf(one) - rankOf(other));
  return [...first, ...silent, ...more];
}

function rankOf({ quality, isPersonalOnly }: VoiceRow): number {
  if (isPersonalOnly) return 2;
  return quality === 'natural' ? 0 : 1;
}

/** From so many languages on, those that one engine for all languages speaks are in a list of their own. */
const manyLanguages = 12;

/** An engine of a hundred languages would hide the few that matter. */
export function splitLanguages(
  languages: readonly string[],
  rows: readonly Pick<VoiceRow, 'language' | 'engine'>[],
  usual: string,
): { readonly main: readonly string[]; readonly more: readonly string[] } {
  if (languages.length <= manyLanguages) return { main: languages, more: [] };
  const byEngine = Map.groupBy(rows, ({ engine }) => engine);
  const isWide = (engine: string | null): boolean =>
    new Set(byEngine.get(engine)?.map(({ language }) => language)).size > manyLanguages;
  const wide = new Set([...byEngine.keys()].filter((engine) => engine !== null && isWide(engine)));
  const kept = new Set(rows.filter(({ engine }) => !wide.has(engine)).map(({ language }) => language));
  const isMain = (language: string): boolean => language === usual || kept.has(language);
  return { main: languages.filter(isMain), more: languages.filter((one) => !isMain(one)) };
}
