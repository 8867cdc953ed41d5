import { useMemo } from 'react';
import type { PbxView } from '../../../contract/pbx.ts';
import type { RecordingView } from '../../../contract/recording.ts';
import { type IvrDirectory, readReference } from '../../../contract/ivr-reference.ts';
import { routedTypes } from '../../../core/ivr/destination-route.ts';
import { extensions, smsTemplates } from '../../directory/directory.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import type { Resource } from '../../kit/live/resource.ts';
import { useLive } from '../../kit/live/use-live.ts';
import { presentSettings } from '../../settings/use-settings.ts';
import { storedMenus } from '../read-menus.ts';
import type { ReferenceData } from './use-designer.ts';
import { recordingText } from '../../../text/designer-inspector.ts';
import { referenceInSentence } from '../../../text/phone-menu.ts';
import { lengthText } from '../../../text/time.ts';

/** Not `allRecordings`: that includes where each is played, and would be read again after every save of a draft. */
const recordings: Resource<readonly RecordingView[]> = {
  key: ['designer', 'recordings'],
  about: ['recording.'],
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
  };
  const isAsking = Object.values(lists).some(
    ({ known, connection }) => known === undefined && connection.kind === 'asking',
  );
  const recorded = lists.recordings.known?.value ?? nothing;
  const called = lists.extensions.known?.value ?? nothing;
  const texts = lists.smsTemplates.known?.value ?? nothing;
  const stored = lists.menus.known?.value.menus ?? nothing;
  const pbxs = lists.pbxs.known?.value ?? nothing;
  const smsTemplatesEnabled = lists.settings.known?.value.sms_templates_enabled ?? false;
  const referenceData = useMemo<ReferenceData>(
    () => ({
      recordings: recorded,
      extensions: called,
      smsTemplates: texts,
      menus: stored,
      pbxs,
      smsTemplatesEnabled,
    }),
    [recorded, called, texts, stored, pbxs, smsTemplatesEnabled],
  );
  return isAsking ? null : referenceData;
}

/** The same by id, for the checks. */
export function directoryOf(referenceData: ReferenceData): IvrDirectory {
  const ids = (list: readonly { readonly id: string }[]): ReadonlySet<string> =>
    new Set(list.map(({ id }) => id));
  return {
    recordings: ids(referenceData.recordings),
    extensions: ids(referenceData.extensions),
    menus: ids(referenceData.menus),
    smsTemplates: ids(referenceData.smsTemplates),
    routedTypes: new Set(routedTypes(referenceData.pbxs)),
    smsTemplatesEnabled: referenceData.smsTemplatesEnabled,
  };
}

const nothing: readonly never[] = [];

/** The name and the length of a recording; null if it is not here, which the checks report. */
export function recordingTitle(id: string, recordings: ReferenceData['recordings']): string | null {
  const recording = recordings.find((known) => String(known.id) === id);
  if (recording === undefined) return null;
  const { name, duration_ms: durationMs } = recording;
  return durationMs === null ? name : recordingText.known(name, lengthText(durationMs));
}

/** A prompt as the body writes it: the name of a recording that is here, what is spoken, or the reference. */
export function promptTitle(prompt: string, recordings: ReferenceData['recordings']): string {
  const reference = readReference(prompt);
  if (reference === null) return prompt;
  if (reference.type === 'outbound_tts') return recordingText.spoken(reference.id);
  return recordingTitle(reference.id, recordings) ?? referenceInSentence(prompt);
}
