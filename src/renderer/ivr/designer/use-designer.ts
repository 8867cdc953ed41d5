import { createContext, useContext, useSyncExternalStore } from 'react';

import type { Extension, SmsTemplate } from '../../../contract/menu/directory.ts';
import type { StoredIvr } from '../../../contract/menu/ivr.ts';
import type { DraftId } from '../../../contract/menu/ivr-draft.ts';
import type { OutsideRules } from '../../../contract/calls/outside-calls.ts';
import type { PbxView } from '../../../contract/calls/pbx.ts';
import type { RecordingView } from '../../../contract/menu/recording.ts';
import type { Pronunciation, Voice } from '../../../contract/menu/speech.ts';
import type { FlowPart, ScheduleView } from '../../../contract/menu/schedule.ts';
import type { DraftCheck } from '../../../core/ivr/check-draft.ts';
import type { SpokenAs } from '../../../core/speech/spoken-recording.ts';
import { invariant } from '../../../core/unreachable.ts';
import type { DesignerState, DesignerStore } from './designer-store.ts';

/** What a call flow can refer to, kept up to date while the window is open. */
export interface ReferenceData {
  readonly recordings: readonly RecordingView[];
  readonly extensions: readonly Extension[];
  readonly smsTemplates: readonly Pick<SmsTemplate, 'id' | 'name'>[];
  readonly smsTemplatesEnabled: boolean;
  /** What menus may do with outside numbers. */
  readonly outside: OutsideRules;
  /** How the texts of this call flow are spoken. */
  readonly spokenAs: SpokenAs;
  /** How those of other menus are, and of this one where it does not say it. */
  readonly usualSpokenAs: SpokenAs;
  /** The voices of this computer; null while they are not known. */
  readonly voices: readonly Voice[] | null;
  /** How words are said that voices read wrong. */
  readonly pronunciations: readonly Pronunciation[];
  /** The telephone systems that are connected, or should be. */
  readonly pbxs: readonly Pick<PbxView, 'name' | 'destinations'>[];
  /** The stored menus of this service. */
  readonly menus: readonly StoredIvr[];
  /** Opening hours and messages of published call flows. Absent while they are not known. */
  readonly parts?: readonly FlowPart[];
  /** Absent while they are not known. */
  readonly schedules?: readonly ScheduleView[];
}

/** What every part of the designer uses. */
export interface Designer {
  readonly draftId: DraftId;
  readonly store: DesignerStore;
  readonly referenceData: ReferenceData;
  /** The checks of the current document. */
  readonly check: DraftCheck;
  /** Saves unsaved edits and returns the revision, or null if they could not be saved. */
  readonly saveNow: () => Promise<number | null>;
}

export const DesignerContext = createContext<Designer | null>(null);

export function useDesigner(): Designer {
  const designer = useContext(DesignerContext);
  invariant(designer !== null, 'only used inside the designer');
  return designer;
}

/** A piece of the designer's state; the component renders again only when that piece changes. */
export function useDesignerState<T>(pick: (state: DesignerState) => T): T {
  const { store } = useDesigner();
  return useSyncExternalStore(store.subscribe, () => pick(store.state()));
}
