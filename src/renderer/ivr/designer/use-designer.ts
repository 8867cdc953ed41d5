import { createContext, useContext, useSyncExternalStore } from 'react';

import type { Extension, SmsTemplate } from '../../../contract/directory.ts';
import type { Ivr } from '../../../contract/ivr.ts';
import type { DraftId } from '../../../contract/ivr-draft.ts';
import type { RecordingView } from '../../../contract/recording.ts';
import type { DraftCheck } from '../../../core/ivr/check-draft.ts';
import { invariant } from '../../../core/unreachable.ts';
import type { DesignerState, DesignerStore } from './designer-store.ts';

/** What a drawing can refer to: kept up to date while the window is open. */
export interface ReferenceData {
  readonly recordings: readonly RecordingView[];
  readonly extensions: readonly Extension[];
  readonly smsTemplates: readonly Pick<SmsTemplate, 'id' | 'name'>[];
  readonly smsTemplatesEnabled: boolean;
  /** The stored menus of this service. */
  readonly menus: readonly Ivr[];
}

/** What every part of the designer's window can ask for. */
export interface Designer {
  readonly draftId: DraftId;
  readonly store: DesignerStore;
  readonly referenceData: ReferenceData;
  /** What is proved of the present document; made anew with each edit. */
  readonly check: DraftCheck;
  /** Saves what is not saved yet and answers the revision that is, or null when it could not be saved. */
  readonly saveNow: () => Promise<number | null>;
}

export const DesignerContext = createContext<Designer | null>(null);

export function useDesigner(): Designer {
  const designer = useContext(DesignerContext);
  invariant(designer !== null, 'this is drawn inside the designer');
  return designer;
}

/** A piece of the designer's state; drawn again only when that piece is another one. */
export function useDesignerState<T>(pick: (state: DesignerState) => T): T {
  const { store } = useDesigner();
  return useSyncExternalStore(store.subscribe, () => pick(store.state()));
}
