import { ReactFlowProvider } from '@xyflow/react';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';

import type { IvrDraft } from '../../../../contract/ivr-draft.ts';
import { checkDraft } from '../../../../core/ivr/check-draft.ts';
import type { LiveView } from '../../../kit/live/resource.ts';
import { DesignerStore } from '../designer-store.ts';
import { useSaver } from '../saving/use-saver.ts';
import { directoryOf } from '../surroundings.ts';
import { type Designer, DesignerContext, type Surroundings } from '../use-designer.ts';
import { RoomLayout } from './room-layout.tsx';

/** The designer with a draft in it: what is drawn, what is proved of it, and how it is kept. */
export function DesignerRoom({
  draft,
  isGone,
  live,
  surroundings,
}: {
  /** As the service has it, whoever saved it. */
  draft: IvrDraft;
  isGone: boolean;
  live: LiveView<unknown>;
  surroundings: Surroundings;
}) {
  const [store] = useState(() => new DesignerStore(draft.document));
  const saver = useSaver(store, draft);
  const document = useSyncExternalStore(store.subscribe, () => store.state().document);
  const directory = useMemo(() => directoryOf(surroundings), [surroundings]);
  const check = useMemo(() => checkDraft(document, directory), [document, directory]);
  const designer = useMemo<Designer>(
    () => ({ draftId: draft.id, store, surroundings, check, saveNow: () => saver.saveNow() }),
    [draft.id, store, surroundings, check, saver],
  );

  useEffect(() => {
    if (isGone) saver.lost();
  }, [isGone, saver]);
  useEffect(() => {
    globalThis.document.title = `${document.name} — Rotavox`;
  }, [document.name]);

  return (
    <DesignerContext value={designer}>
      <ReactFlowProvider>
        <RoomLayout live={live} saver={saver} />
      </ReactFlowProvider>
    </DesignerContext>
  );
}
