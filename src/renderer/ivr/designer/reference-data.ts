import { useMemo } from 'react';
import type { PbxView } from '../../../contract/calls/pbx.ts';
import type { RecordingView } from '../../../contract/menu/recording.ts';
import { defaultSettings } from '../../../contract/service/settings.ts';
import type { IvrDocument } from '../../../contract/menu/ivr-draft.ts';
import type { ScheduleView } from '../../../contract/menu/schedule.ts';
import {
  type IvrDirectory,
  type KnownSpeech,
  type UnheardSound,
  writeReference,
} from '../../../contract/menu/ivr-reference.ts';
import { withStoredMenus } from '../../../core/calls/flow-of-stored.ts';
import type { Flow } from '../../../core/ivr/flow.ts';
import { routedTypes } from '../../../core/ivr/destination-route.ts';
import { outsideRules } from '../../../core/ivr/outside-number.ts';
import { withFlowPrompts } from '../../../core/ivr/flow-prompts.ts';
import { soundOfPrompt } from '../../../core/recording/pbx-sound.ts';
import { voiceFor } from '../../../core/speech/speech-request.ts';
import { recordingOfDraft, spokenAsOf } from '../../../core/speech/spoken-recording.ts';
import { extensions, smsTemplates } from '../../directory/use-directory.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import type { Resource } from '../../kit/live/resource.ts';
import { useLive } from '../../kit/live/use-live.ts';
import { pronunciations, silentPrompts } from '../../recordings/read-recordings.ts';
import { knownVoices } from '../../recordings/voice-fields.tsx';
import { presentSettings } from '../../settings/use-settings.ts';
import { storedMenus } from '../read-menus.ts';
import type { ReferenceData } from './use-designer.ts';

/** Not `allRecordings`: that includes where each is played, and would be read again after every save of a draft. */
const recordings: Resource<readonly RecordingView[]> = {
  key: ['designer', 'recordings'],
  // Settings and pronunciations: whether each would be spoken in another way now.
  about: ['recording.', 'settings.', 'pronunciations.'],
  read: async (signal) => {
    const reply = await askPortal('listRecordings', { signal });
    return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.recordings } : reply;
  },
};

/** Not `allPbxs`: that is read again after every call. */
const systems: Resource<readonly PbxView[]> = {
  key: ['designer', 'pbxs'],
  about: ['pbx.'],
  read: async (signal) => {
    const reply = await askPortal('listPbxs', { signal });
    return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.pbxs } : reply;
  },
};

/** Not `allSchedules`: that is read again after every save of a draft. */
const schedules: Resource<readonly ScheduleView[]> = {
  key: ['designer', 'schedules'],
  about: ['schedule.'],
  read: async (signal) => {
    const reply = await askPortal('listSchedules', { signal });
    return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.schedules } : reply;
  },
};

/**
 * What a call flow can refer to, kept up to date.
 *
 * Null until each list was read or failed: the designer works without a list, and then reports more references as unknown.
 */
export function useReferenceData(): ReferenceData | null {
  const lists = {
    recordings: useLive(recordings),
    extensions: useLive(extensions.live),
    smsTemplates: useLive(smsTemplates.live),
    menus: useLive(storedMenus),
    settings: useLive(presentSettings),
    pbxs: useLive(systems),
    schedules: useLive(schedules),
    voices: useLive(knownVoices),
    pronunciations: useLive(pronunciations),
  };
  const isAsking = Object.values(lists).some(
    ({ known, connection }) => known === undefined && connection.kind === 'asking',
  );
  const recorded = lists.recordings.known?.value ?? nothing;
  const called = lists.extensions.known?.value ?? nothing;
  const texts = lists.smsTemplates.known?.value ?? nothing;
  const stored = lists.menus.known?.value.menus ?? nothing;
  const parts = lists.menus.known?.value.parts;
  const pbxs = lists.pbxs.known?.value ?? nothing;
  const asked = lists.schedules.known?.value;
  const spokenBy = lists.voices.known?.value.voices ?? null;
  const said = lists.pronunciations.known?.value.pronunciations ?? nothing;
  const smsTemplatesEnabled = lists.settings.known?.value.sms_templates_enabled ?? false;
  const settings = lists.settings.known?.value ?? defaultSettings;
  const { speech_language, speech_voice } = settings;
  const outside = useMemo(() => outsideRules(settings), [settings]);
  const referenceData = useMemo<ReferenceData>(
    () => ({
      recordings: recorded,
      extensions: called,
      smsTemplates: texts,
      menus: stored,
      pbxs,
      smsTemplatesEnabled,
      outside,
      spokenAs: { speech_language, speech_voice },
      usualSpokenAs: { speech_language, speech_voice },
      voices: spokenBy,
      pronunciations: said,
      ...(asked === undefined ? {} : { schedules: asked }),
      ...(parts === undefined ? {} : { parts }),
    }),
    [
      parts,
      recorded,
      called,
      texts,
      stored,
      pbxs,
      asked,
      smsTemplatesEnabled,
      outside,
      speech_language,
      speech_voice,
      spokenBy,
      said,
    ],
  );
  return isAsking ? null : referenceData;
}

/** The same for one call flow: its texts may be spoken in a way of their own. */
export function useFlowData(data: ReferenceData, { speech }: Pick<IvrDocument, 'speech'>): ReferenceData {
  const said = JSON.stringify(speech);
  return useMemo(
    () => ({ ...data, spokenAs: spokenAsOf(data.usualSpokenAs, speech) }),
    // oxlint-disable-next-line react/exhaustive-deps -- another object that says the same changes nothing
    [data, said],
  );
}

/** The same by id, for the checks. `sounds`: what telephone systems say to prompts that are not here. */
export function directoryOf(
  referenceData: ReferenceData,
  sounds: NonNullable<IvrDirectory['sounds']> = new Map(),
): IvrDirectory {
  const ids = (list: readonly { readonly id: string }[]): ReadonlySet<string> =>
    new Set(list.map(({ id }) => id));
  return {
    recordings: ids(referenceData.recordings),
    extensions: ids(referenceData.extensions),
    menus: ids(referenceData.menus),
    smsTemplates: ids(referenceData.smsTemplates),
    routedTypes: new Set(routedTypes(referenceData.pbxs)),
    smsTemplatesEnabled: referenceData.smsTemplatesEnabled,
    outside: referenceData.outside,
    sounds,
    speech: knownSpeech(referenceData),
    ...(referenceData.parts === undefined ? {} : { flowParts: ids(referenceData.parts) }),
    ...(referenceData.schedules === undefined
      ? {}
      : { schedules: new Map(referenceData.schedules.map((one) => [one.id, one])) }),
  };
}

/** A call flow and everything stored that it leads to, as callers meet it. */
export function withAllStored(
  flow: Flow,
  { menus, parts = [], schedules, extensions: listed }: StoredData,
): Flow {
  return withStoredMenus(flow, byId(menus), {
    flowParts: byId(parts),
    extensions: byId(listed),
    ...(schedules === undefined ? {} : { schedules: byId(schedules) }),
  });
}

type StoredData = Pick<ReferenceData, 'menus' | 'parts' | 'schedules' | 'extensions'>;

export function byId<T extends { readonly id: string }>(list: readonly T[]): ReadonlyMap<T['id'], T> {
  return new Map(list.map((one) => [one.id, one]));
}

/** How texts are spoken here. While the voices are not known, nothing is said against them. */
export function knownSpeech({
  recordings: known,
  spokenAs,
  voices: by,
  pronunciations: said,
}: SpeechData): KnownSpeech {
  const asked = { language: spokenAs.speech_language, voice: spokenAs.speech_voice };
  return {
    ...asked,
    hasVoice: by === null || voiceFor(asked, by) !== null,
    pronunciations: said,
    spoken: {
      has: (text) =>
        recordingOfDraft(known, writeReference({ type: 'outbound_tts', id: text }), spokenAs) !== null,
    },
  };
}

export type SpeechData = Pick<ReferenceData, 'recordings' | 'spokenAs' | 'voices' | 'pronunciations'>;

/** What telephone systems say to the recordings of a call flow that are not here; empty until they were asked. */
export function useSounds(
  document: IvrDocument,
  { recordings: known }: ReferenceData,
): NonNullable<IvrDirectory['sounds']> {
  const ids = useMemo(() => new Set(known.map(({ id }) => String(id))), [known]);
  const prompts = useMemo(
    () => promptsIn(document).filter((prompt) => soundOfPrompt(prompt, ids) !== null),
    [document, ids],
  );
  const checked = useLive(silentPrompts(prompts, document.speech)).known?.value;
  return useMemo(() => {
    const sounds = new Map<string, UnheardSound | null>(checked?.prompts.map((prompt) => [prompt, null]));
    for (const { prompt, reason, pbx } of checked?.silent ?? []) {
      if (reason === 'no_sound' || reason === 'unknown_sound') sounds.set(prompt, { reason, pbx });
    }
    return sounds;
  }, [checked]);
}

/** Every prompt of a call flow, once, as menus write them. */
function promptsIn(document: IvrDocument): string[] {
  const menus = Object.values(document.nodes).filter((node) => node.kind === 'menu');
  const prompts = menus.flatMap((menu) => {
    const { recording, invalid_recording, timeout_retry_recording, timeout_recording } = withFlowPrompts(
      document,
      menu,
    );
    return [recording, invalid_recording, timeout_retry_recording, timeout_recording];
  });
  const messages = Object.values(document.nodes).map((node) =>
    node.kind === 'message' ? node.recording : null,
  );
  return [...new Set([...prompts, ...messages])].filter((prompt) => prompt !== null);
}

const nothing: readonly never[] = [];
