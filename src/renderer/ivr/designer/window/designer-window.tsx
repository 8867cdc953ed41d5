import { ReactFlowProvider } from '@xyflow/react';
import {
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
  type CSSProperties,
  useEffectEvent,
  useRef,
} from 'react';
import type { DraftId, IvrDraft } from '../../../../contract/menu/ivr-draft.ts';
import type { ChangeNotice } from '../../../../contract/service/portal.ts';
import { checkDraft } from '../../../../core/ivr/check-draft.ts';
import { withToDos } from '../../../../core/ivr/finding-severity.ts';
import { askPortal } from '../../../kit/ask-portal.ts';
import { WayBack } from '../../../kit/link.tsx';
import { useStreamEvent } from '../../../kit/live/change-stream.ts';
import type { LiveView, Resource } from '../../../kit/live/resource.ts';
import { useLive } from '../../../kit/live/use-live.ts';
import type { PortalReply } from '../../../kit/read-portal.ts';
import { Notice, UnknownNotice } from '../../../kit/notice.tsx';
import { DesignerStore } from '../designer-store.ts';
import { DraftCallsProvider } from '../calls/use-draft-calls.tsx';
import { OtherWindows } from './other-windows.tsx';
import { useSaver, OwnSaves } from '../saving/use-saver.ts';
import { directoryOf, useFlowData, useReferenceData, useSounds } from '../reference-data.ts';
import {
  type Designer,
  DesignerContext,
  type ReferenceData,
  useDesigner,
  useDesignerState,
} from '../use-designer.ts';
import {
  designerText as text,
  designerText,
  shortcutText,
  skipText,
} from '../../../../text/menu/designer.ts';
import { menusText } from '../../../../text/menu/stored-menus.ts';
import { MenusFrame } from '../../menus-frame.tsx';
import { ConnectionNotice } from '../../../kit/connection-notice.tsx';
import { useShortcut, useToldKeys, useViewCommand } from '../../../kit/keys/use-shortcut.ts';
import { useMedia } from '../../../kit/use-media.ts';
import { Canvas } from '../canvas/canvas.tsx';
import { TrafficBar } from '../calls/traffic-bar.tsx';
import { Inspector } from '../inspector/inspector.tsx';
import { Outline } from '../outline.tsx';
import { PartsPalette } from '../parts/parts-palette.tsx';
import { type Covered, CoveredSides, notCovered } from '../canvas/screen-box.ts';
import { goToProblem, nextProblem } from '../problems/go-to-problem.ts';
import { isScenarioPath } from '../inspector/spec-field.tsx';
import { PlayPhone } from '../play/play-phone.tsx';
import type { DraftSaver } from '../saving/draft-saver.ts';
import { ElsewhereNotice } from '../saving/elsewhere-notice.tsx';
import { duplicateSelected, useClipboard } from '../use-clipboard.ts';
import { addBeside } from '../parts/place-part.ts';
import { barHeight, BottomPanel } from './bottom-panel.tsx';
import { type DialogName, DraftDialog } from './draft-dialog.tsx';
import styles from './designer-layout.module.css';
import { Splitter, usePanel } from './splitter.tsx';
import { RestoredNotice, useLiveVersions } from '../publish/live-sign.tsx';
import { type DesignerView, TopBar } from './top-bar.tsx';
import { trafficText } from '../../../../text/menu/traffic.ts';
import { publishText } from '../../../../text/menu/publish.ts';
import { Button } from '../../../kit/button.tsx';
import { Row } from '../../../kit/layout.tsx';
import { hasMoved } from '../../../kit/navigation.ts';
import { SkipLinks } from '../../../kit/window-frame.tsx';

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
      {known === null && draft === null ? <UnknownNotice text={text.unknown} name={id} /> : null}
    </MenusFrame>
  );
}

/** The designer with a loaded draft: its store, its checks, and its saver. */
function OpenDraft({
  draft,
  isGone,
  live,
  referenceData: known,
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
  const referenceData = useFlowData(known, document);
  const sounds = useSounds(document, referenceData);
  const directory = useMemo(() => directoryOf(referenceData, sounds), [referenceData, sounds]);
  const isTried = useSyncExternalStore(store.subscribe, () => store.state().publishTried);
  const found = useMemo(() => checkDraft(document, directory, Date.now()), [document, directory]);
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

/** The panels do not fit side by side. */
const narrowWindow = '(max-width: 56rem)';
/** Beside both of them too little of the call flow is left: opening one closes the other. */
const oneSideWindow = '(min-width: 56.01rem) and (max-width: 72rem)';
/** They leave enough of the canvas to read a call flow at 100 %. */
const wideWindow = '(min-width: 1600px)';
/** Between a panel and the edge of the canvas, in pixels. */
const panelGap = 8;

/**
 * The canvas or the outline, and the panels: parts, inspector or phone, and problems, JSON and scenarios below.
 *
 * The canvas has the whole window below the bar, and the panels lie over it. The outline stands between them.
 */
function DesignerLayout({ live, saver }: { live: LiveView<unknown>; saver: DraftSaver }) {
  const isNarrow = useMedia(narrowWindow);
  const [chosen, setChosen] = useState<DesignerView | null>(null);
  const { store, check } = useDesigner();
  const phone = useDesignerState((state) => (state.phone?.place === 'inspector' ? state.phone : null));
  const [dialog, setDialog] = useState<DialogName | null>(null);
  /** The version that was put into the draft last. */
  const [restored, setRestored] = useState<number | null>(null);
  const [hasTraffic, setTraffic] = useState(false);
  const isWide = useMedia(wideWindow);
  const hasOneSide = useMedia(oneSideWindow);
  const left = usePanel('parts', { size: 224, min: 176, max: 400, isOpen: isWide });
  const right = usePanel('inspector', { size: 320, min: 264, max: 560, isOpen: isWide || isNarrow });
  const below = usePanel('below', { size: 168, min: 96, max: 560, isOpen: isNarrow });
  const view = chosen ?? (isNarrow ? 'outline' : 'canvas');
  // The outline has every field: the inspector would repeat them.
  const hasInspector = view === 'canvas' && right.isOpen;
  const openForFocus = useEffectEvent(() => {
    const { requestedFocus } = store.state();
    if (requestedFocus !== null && !isScenarioPath(requestedFocus) && view === 'canvas' && !right.isOpen)
      right.setOpen(true);
  });
  useEffect(() => store.subscribe(() => openForFocus()), [store]);
  const hasSide = phone !== null || hasInspector;
  const hasParts = left.isOpen && !(hasOneSide && hasSide);
  const covered = useCovered(view === 'canvas' && !isNarrow, {
    left: hasParts ? left.size + panelGap : 0,
    right: hasSide ? right.size + panelGap : 0,
    bottom: barHeight() + (below.isOpen ? below.size : 0),
  });
  const toggleTraffic = (): void => setTraffic(!hasTraffic);
  function toggleParts(): void {
    left.setOpen(!hasParts);
    if (hasParts || !hasOneSide) return;
    store.closePhone();
    right.setOpen(false);
  }
  const toggleInspector = (): void => right.setOpen(!right.isOpen);
  const switchView = (): void => setChosen(view === 'canvas' ? 'outline' : 'canvas');
  useViewCommand('m', shortcutText.addMenu, () => {
    store.closePhone();
    addBeside(store, { kind: 'menu' });
  });
  useViewCommand('P', shortcutText.publish, () => openDialog('publish'));
  useViewCommand('o', shortcutText.view, switchView);
  useViewCommand('a', shortcutText.parts, toggleParts);
  useViewCommand('i', shortcutText.inspector, toggleInspector);
  useViewCommand('T', trafficText.shortcut, toggleTraffic);
  const problemsRef = useRef(check.problems);
  useEffect(() => {
    problemsRef.current = check.problems;
  }, [check.problems]);
  useShortcut('Mod+.', shortcutText.nextProblem, () => {
    // After the field that has the focus has taken what was typed, and the checks know of it.
    requestAnimationFrame(() => {
      const next = nextProblem(problemsRef.current);
      if (next !== undefined) goToProblem(store, next);
    });
  });
  useToldKeys('Mod+Enter', shortcutText.addKey);
  useShortcut('Mod+D', shortcutText.duplicate, () => duplicateSelected(store));
  useClipboard();

  const viewRef = useRef<HTMLDivElement>(null);
  /** What had the focus may be gone, such as the dialog that began this draft. */
  const keepFocus = (): void => {
    if (document.activeElement === document.body) viewRef.current?.focus({ preventScroll: true });
  };
  const hasPhone = useDesignerState((state) => state.phone !== null);
  const hasRestored = restored !== null;
  // A page that was loaded by its address begins with the links past its bars.
  const keepsFocus = useRef(hasMoved());
  // The panel, view or notice that had the focus may have been closed.
  useEffect(() => {
    if (keepsFocus.current) keepFocus();
    keepsFocus.current = true;
  }, [hasPhone, hasRestored, hasSide, hasParts, view]);

  function openDialog(name: DialogName): void {
    if (name === 'publish') store.tryPublishing();
    setDialog(name);
  }

  return (
    <CoveredSides value={covered}>
      <div className={styles['window']}>
        <DesignerSkipLinks view={view} hasInspector={hasInspector} />
        <TopBar
          hasTraffic={hasTraffic}
          onTraffic={toggleTraffic}
          saver={saver}
          connection={live.connection}
          view={view}
          onView={setChosen}
          hasParts={hasParts}
          onParts={toggleParts}
          hasInspector={view === 'canvas' ? right.isOpen : null}
          onInspector={toggleInspector}
          isPlaying={phone !== null}
          onPlay={() => (phone === null ? store.openPhone('inspector') : store.closePhone())}
          onDialog={openDialog}
        />
        <div className={styles['notices']}>
          <ConnectionNotice connection={live.connection} knownAt={live.known?.at} onRetry={live.retry} />
          <ElsewhereNotice saver={saver} />
          <AlteredNotice onPublish={() => openDialog('publish')} />
          {restored === null ? null : (
            <RestoredNotice
              version={restored}
              onPublish={() => openDialog('publish')}
              onClose={() => setRestored(null)}
            />
          )}
        </div>
        <main className={styles['body']} aria-label={designerText.main}>
          {hasTraffic ? <TrafficBar /> : null}
          <div className={styles['stage']} data-view={view} style={coverVariables(covered)}>
            {hasParts ? (
              <div className={styles['panel']} data-side="left">
                <div className={styles['side']} style={isNarrow ? undefined : { width: left.size }}>
                  <PartsPalette onClose={isNarrow ? toggleParts : undefined} />
                </div>
                <Splitter name={designerText.partsWidth} panel={left} axis="x" grows="forward" />
              </div>
            ) : null}
            <div className={styles['middle']}>
              <div ref={viewRef} className={styles['view']} data-region="view" tabIndex={-1}>
                {view === 'canvas' ? <Canvas hasMap={!isNarrow} /> : <Outline />}
              </div>
              <BottomPanel panel={below} />
            </div>
            {hasSide ? (
              <div className={styles['panel']} data-side="right">
                <Splitter name={designerText.inspectorWidth} panel={right} axis="x" grows="back" />
                <div className={styles['side']} style={isNarrow ? undefined : { width: right.size }}>
                  {phone === null ? <Inspector /> : <PlayPhone key={phone.count} />}
                </div>
              </div>
            ) : null}
          </div>
        </main>
        {dialog === null ? null : (
          <DraftDialog
            dialog={dialog}
            onDialog={openDialog}
            onRestored={setRestored}
            onClose={() => {
              setDialog((open) => (open === dialog ? null : open));
              keepFocus();
            }}
          />
        )}
      </div>
    </CoveredSides>
  );
}

/** How many pixels of the canvas are covered: the same object while nothing changes. */
function useCovered(isOver: boolean, { left, right, bottom }: Covered): Covered {
  return useMemo(() => (isOver ? { left, right, bottom } : notCovered), [isOver, left, right, bottom]);
}

/** For what keeps its distance from the panels. */
function coverVariables({ left, right, bottom }: Covered): CSSProperties {
  return {
    '--covered-left': `${left}px`,
    '--covered-right': `${right}px`,
    '--covered-bottom': `${bottom}px`,
  } as CSSProperties;
}

/** A stored menu was deleted or replaced since it was published: what that means, and the way to publish again. */
function AlteredNotice({ onPublish }: { onPublish: () => void }) {
  const title = useLiveVersions().altered.join(' ');
  const [dismissed, setDismissed] = useState('');
  if (title === dismissed) return null;
  return (
    <Notice
      tone="warn"
      title={title}
      action={
        <Row gap={2} wraps>
          <Button onPress={() => setDismissed(title)}>{publishText.altered.dismiss}</Button>
          <Button rank="main" onPress={onPublish}>
            {publishText.altered.publish}
          </Button>
        </Row>
      }
    >
      <p>{publishText.altered.meaning}</p>
    </Notice>
  );
}

/** The links past the bars of the designer, to what is worked on. */
function DesignerSkipLinks({ view, hasInspector }: { view: DesignerView; hasInspector: boolean }) {
  return (
    <SkipLinks
      label={skipText.title}
      links={[
        { label: skipText.views[view], selector: '[data-region="view"]' },
        ...(hasInspector ? [{ label: skipText.inspector, selector: '[data-path="inspector"]' }] : []),
        { label: skipText.problems, selector: '[role="tab"][aria-selected="true"]' },
      ]}
    />
  );
}
