import { ReactFlowProvider } from '@xyflow/react';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { DraftId, IvrDraft } from '../../../../contract/menu/ivr-draft.ts';
import type { ChangeNotice } from '../../../../contract/service/portal.ts';
import { checkDraft } from '../../../../core/ivr/check-draft.ts';
import { withToDos } from '../../../../core/ivr/unfinished.ts';
import { askPortal } from '../../../kit/ask-portal.ts';
import { WayBack } from '../../../kit/link.tsx';
import { useStreamEvent } from '../../../kit/live/change-stream.ts';
import type { LiveView, Resource } from '../../../kit/live/resource.ts';
import { useLive } from '../../../kit/live/use-live.ts';
import type { PortalReply } from '../../../kit/portal-reply.ts';
import { Notice } from '../../../kit/notice.tsx';
import { DesignerStore } from '../designer-store.ts';
import { DraftCallsProvider } from '../calls/use-draft-calls.tsx';
import { DesignerLayout } from './designer-layout.tsx';
import { OtherWindows } from './other-windows.tsx';
import { useSaver, OwnSaves } from '../saving/use-saver.ts';
import { directoryOf, useReferenceData, useSounds } from '../reference-data.ts';
import { type Designer, DesignerContext, type ReferenceData } from '../use-designer.ts';
import { designerText as text } from '../../../../text/menu/designer.ts';
import { menusText } from '../../../../text/menu/stored-menus.ts';
import { RichText } from '../../../kit/rich-text.tsx';
import { MenusFrame } from '../../menus-frame.tsx';

/** The designer with one draft, or why the draft cannot be shown. */
export function DesignerWindow({ id }: { id: string }) {
  const [own] = useState(() => new OwnSaves(id as DraftId));
  const live = useLive(oneDraft(id, own));
  const referenceData = useReferenceData();
  useStreamEvent('change', ({ data }) => own.notice(JSON.parse(String(data)) as ChangeNotice));
  /** A draft that was deleted elsewhere stays open. */
  const [draft, setDraft] = useState<IvrDraft | null>(null);
  const known = live.known?.value;
  if (known !== undefined && known !== null && known !== draft) setDraft(known);

  if (draft !== null && referenceData !== null)
    return (
      <OpenDraft draft={draft} isGone={known === null} live={live} referenceData={referenceData} own={own} />
    );
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
  own,
}: {
  /** As the service has it. */
  draft: IvrDraft;
  isGone: boolean;
  live: LiveView<unknown>;
  referenceData: ReferenceData;
  own: OwnSaves;
}) {
  const [store] = useState(() => new DesignerStore(draft.document));
  const saver = useSaver(store, draft, own);
  const document = useSyncExternalStore(store.subscribe, () => store.state().document);
  const sounds = useSounds(document, referenceData);
  const directory = useMemo(() => directoryOf(referenceData, sounds), [referenceData, sounds]);
  const isTried = useSyncExternalStore(store.subscribe, () => store.state().publishTried);
  const found = useMemo(() => checkDraft(document, directory), [document, directory]);
  const check = useMemo(
    () => (isTried ? found : { ...found, problems: withToDos(found.problems) }),
    [found, isTried],
  );
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
        <DraftCallsProvider>
          <OtherWindows draftId={draft.id} store={store}>
            <DesignerLayout live={live} saver={saver} />
          </OtherWindows>
        </DraftCallsProvider>
      </ReactFlowProvider>
    </DesignerContext>
  );
}

/** A draft as the service has it; null if there is none with this id. */
function oneDraft(id: string, own: OwnSaves): Resource<IvrDraft | null> {
  async function read(signal: AbortSignal): Promise<PortalReply<IvrDraft | null>> {
    const reply = await askPortal('readDraft', { params: { id }, signal });
    if (reply.kind === 'refused' && reply.code === 'not_found') return { kind: 'ok', value: null };
    return reply;
  }
  return {
    key: ['draft', id],
    about: ['draft.'],
    read,
    // Neither a change of another draft nor a save of this window downloads the draft again.
    readPart: async (_known, subjects, signal) => {
      if (!subjects.has(id)) return { kind: 'ok', value: (known) => known };
      const saved = await own.latest();
      if (saved !== null) return { kind: 'ok', value: (known) => known && { ...known, ...saved } };
      const reply = await read(signal);
      return reply.kind === 'ok' ? { kind: 'ok', value: () => reply.value } : reply;
    },
  };
}
