import { ReactFlowProvider } from '@xyflow/react';
import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { IvrDraft } from '../../../contract/ivr-draft.ts';
import { checkDraft } from '../../../core/ivr/check-draft.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { desktop } from '../../kit/desktop.ts';
import { WayBack } from '../../kit/link.tsx';
import type { LiveView, Resource } from '../../kit/live/resource.ts';
import { useLive } from '../../kit/live/use-live.ts';
import { Notice } from '../../kit/notice.tsx';
import { WindowFrame } from '../../kit/window-frame.tsx';
import { WindowNav } from '../../kit/window-nav.tsx';
import { DesignerStore } from './designer-store.ts';
import { RoomLayout } from './room/room-layout.tsx';
import { useSaver } from './saving/use-saver.ts';
import { directoryOf, useReferenceData } from './reference-data.ts';
import { type Designer, DesignerContext, type ReferenceData } from './use-designer.ts';

/** The designer on one draft; or why there is nothing to design. */
export function DesignerWindow({ id }: { id: string }) {
  const live = useLive(oneDraft(id));
  const referenceData = useReferenceData();
  /** The last that was known: one that is deleted meanwhile stays open, with what was drawn in it. */
  const [draft, setDraft] = useState<IvrDraft | null>(null);
  const known = live.known?.value;
  if (known !== undefined && known !== null && known !== draft) setDraft(known);

  if (draft !== null && referenceData !== null)
    return <DesignerRoom draft={draft} isGone={known === null} live={live} referenceData={referenceData} />;
  return (
    <NoRoom live={live}>
      {known === null && draft === null ? (
        <Notice tone="warn" title="There is no draft with this id.">
          <p>
            <code>{id}</code> was deleted, or the link that led here is of another machine. What was published
            of it is among the stored menus.
          </p>
        </Notice>
      ) : null}
    </NoRoom>
  );
}

function NoRoom({ live, children }: { live: LiveView<unknown>; children: ReactNode }) {
  return (
    <WindowFrame
      title="Phone menus — Rotavox"
      heading="Phone menu draft"
      above={<WayBack to="/ivr">All phone menus</WayBack>}
      live={live}
      nav={desktop === undefined ? <WindowNav current="menus" /> : undefined}
    >
      {children}
    </WindowFrame>
  );
}

/** The designer with a draft in it: what is drawn, what is proved of it, and how it is kept. */
function DesignerRoom({
  draft,
  isGone,
  live,
  referenceData,
}: {
  /** As the service has it, whoever saved it. */
  draft: IvrDraft;
  isGone: boolean;
  live: LiveView<unknown>;
  referenceData: ReferenceData;
}) {
  const [store] = useState(() => new DesignerStore(draft.document));
  const saver = useSaver(store, draft);
  const document = useSyncExternalStore(store.subscribe, () => store.state().document);
  const directory = useMemo(() => directoryOf(referenceData), [referenceData]);
  const check = useMemo(() => checkDraft(document, directory), [document, directory]);
  const designer = useMemo<Designer>(
    () => ({ draftId: draft.id, store, referenceData, check, saveNow: () => saver.saveNow() }),
    [draft.id, store, referenceData, check, saver],
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

/** A draft as the service has it; null when there is none of this id, or not any more. */
function oneDraft(id: string): Resource<IvrDraft | null> {
  return {
    key: ['draft', id],
    about: ['draft.'],
    read: async (signal) => {
      const reply = await askPortal('readDraft', { params: { id }, signal });
      if (reply.kind === 'refused' && reply.code === 'not_found') return { kind: 'ok', value: null };
      return reply;
    },
    // A change of another draft is no reason to download this one again.
    readPart: (_known, subjects) =>
      subjects.has(id) ? null : Promise.resolve({ kind: 'ok', value: (known) => known }),
  };
}
