import { ReactFlowProvider } from '@xyflow/react';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { IvrDraft } from '../../../../contract/ivr-draft.ts';
import { checkDraft } from '../../../../core/ivr/check-draft.ts';
import { askPortal } from '../../../kit/ask-portal.ts';
import { WayBack } from '../../../kit/link.tsx';
import type { LiveView, Resource } from '../../../kit/live/resource.ts';
import { useLive } from '../../../kit/live/use-live.ts';
import { Notice } from '../../../kit/notice.tsx';
import { DesignerStore } from '../designer-store.ts';
import { DesignerLayout } from './designer-layout.tsx';
import { useSaver } from '../saving/use-saver.ts';
import { directoryOf, useReferenceData } from '../reference-data.ts';
import { type Designer, DesignerContext, type ReferenceData } from '../use-designer.ts';
import { designerText as text } from '../../../../text/designer.ts';
import { menusText } from '../../../../text/stored-menus.ts';
import { RichText } from '../../../kit/rich-text.tsx';
import { MenusFrame } from '../../menus-frame.tsx';

/** The designer with one draft, or why the draft cannot be shown. */
export function DesignerWindow({ id }: { id: string }) {
  const live = useLive(oneDraft(id));
  const referenceData = useReferenceData();
  /** A draft that was deleted elsewhere stays open. */
  const [draft, setDraft] = useState<IvrDraft | null>(null);
  const known = live.known?.value;
  if (known !== undefined && known !== null && known !== draft) setDraft(known);

  if (draft !== null && referenceData !== null)
    return <OpenDraft draft={draft} isGone={known === null} live={live} referenceData={referenceData} />;
  return (
    <MenusFrame live={live} heading={text.heading} above={<WayBack to="/ivr">{menusText.all}</WayBack>}>
      {known === null && draft === null ? (
        <Notice tone="warn" title={text.unknown.title}>
          <p>
            <RichText text={text.unknown.text} parts={{ id: <code>{id}</code> }} />
          </p>
        </Notice>
      ) : null}
    </MenusFrame>
  );
}

/** The designer with a loaded draft: its store, its checks, and its saver. */
function OpenDraft({
  draft,
  isGone,
  live,
  referenceData,
}: {
  /** As the service has it. */
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
    if (isGone) saver.deleted();
  }, [isGone, saver]);
  useEffect(() => {
    globalThis.document.title = text.windowTitle(document.name);
  }, [document.name]);

  return (
    <DesignerContext value={designer}>
      <ReactFlowProvider>
        <DesignerLayout live={live} saver={saver} />
      </ReactFlowProvider>
    </DesignerContext>
  );
}

/** A draft as the service has it; null if there is none with this id. */
function oneDraft(id: string): Resource<IvrDraft | null> {
  return {
    key: ['draft', id],
    about: ['draft.'],
    read: async (signal) => {
      const reply = await askPortal('readDraft', { params: { id }, signal });
      if (reply.kind === 'refused' && reply.code === 'not_found') return { kind: 'ok', value: null };
      return reply;
    },
    // A change of another draft does not download this one again.
    readPart: (_known, subjects) =>
      subjects.has(id) ? null : Promise.resolve({ kind: 'ok', value: (known) => known }),
  };
}
