import { type CSSProperties, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { ConnectionNotice } from '../../../kit/connection-notice.tsx';
import { useShortcut, useToldKeys, useViewCommand } from '../../../kit/keys/use-shortcut.ts';
import type { LiveView } from '../../../kit/live/resource.ts';
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
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { addMenu } from '../parts/place-part.ts';
import { barHeight, BottomPanel } from './bottom-panel.tsx';
import { type DialogName, DraftDialog } from './draft-dialog.tsx';
import styles from './designer-layout.module.css';
import { Splitter, usePanel } from './splitter.tsx';
import { RestoredNotice } from '../versions/restored-notice.tsx';
import { type DesignerView, TopBar } from './top-bar.tsx';
import { designerText, shortcutText, skipText } from '../../../../text/menu/designer.ts';
import { trafficText } from '../../../../text/menu/traffic.ts';
import { publishText as text } from '../../../../text/menu/publish.ts';
import { Button } from '../../../kit/button.tsx';
import { Row } from '../../../kit/layout.tsx';
import { hasMoved } from '../../../kit/navigation.ts';
import { Notice } from '../../../kit/notice.tsx';
import { useLiveVersions } from '../publish/live-sign.tsx';
import { SkipLinks } from '../../../kit/window-frame.tsx';

/** The panels do not fit side by side. */
const narrowWindow = '(max-width: 56rem)';
/** They leave enough of the canvas to read a call flow at 100 %. */
const wideWindow = '(min-width: 1600px)';
/** Between a panel and the edge of the canvas, in pixels. */
const panelGap = 8;

/**
 * The canvas or the outline, and the panels: parts, inspector or phone, and problems, JSON and scenarios below.
 *
 * The canvas has the whole window below the bar, and the panels lie over it. The outline stands between them.
 */
export function DesignerLayout({ live, saver }: { live: LiveView<unknown>; saver: DraftSaver }) {
  const isNarrow = useMedia(narrowWindow);
  const [chosen, setChosen] = useState<DesignerView | null>(null);
  const { store, check } = useDesigner();
  const phone = useDesignerState((state) => (state.phone?.place === 'inspector' ? state.phone : null));
  const [dialog, setDialog] = useState<DialogName | null>(null);
  /** The version that was put into the draft last. */
  const [restored, setRestored] = useState<number | null>(null);
  const [hasTraffic, setTraffic] = useState(false);
  const isWide = useMedia(wideWindow);
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
  const covered = useCovered(view === 'canvas' && !isNarrow, {
    left: left.isOpen ? left.size + panelGap : 0,
    right: hasSide ? right.size + panelGap : 0,
    bottom: barHeight() + (below.isOpen ? below.size : 0),
  });
  const toggleTraffic = (): void => setTraffic(!hasTraffic);
  const toggleParts = (): void => left.setOpen(!left.isOpen);
  const toggleInspector = (): void => right.setOpen(!right.isOpen);
  const switchView = (): void => setChosen(view === 'canvas' ? 'outline' : 'canvas');
  useViewCommand('m', shortcutText.addMenu, () => {
    store.closePhone();
    addMenu(store);
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
  useEditKeys();
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
  }, [hasPhone, hasRestored, hasSide, left.isOpen, view]);

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
          hasParts={left.isOpen}
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
            {left.isOpen ? (
              <div className={styles['panel']} data-side="left">
                <div className={styles['side']} style={isNarrow ? undefined : { width: left.size }}>
                  <PartsPalette />
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

/** Undo, redo and duplicate, wherever the focus is in the designer. */
function useEditKeys(): void {
  const { store } = useDesigner();
  useShortcut('Mod+Z', shortcutText.undo, () => store.undo());
  useShortcut('Mod+Shift+Z', shortcutText.redo, () => store.redo());
  useShortcut('Mod+Y', shortcutText.redo, () => store.redo());
  useShortcut('Mod+D', shortcutText.duplicate, () => duplicateSelected(store));
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
          <Button onPress={() => setDismissed(title)}>{text.altered.dismiss}</Button>
          <Button rank="main" onPress={onPublish}>
            {text.altered.publish}
          </Button>
        </Row>
      }
    >
      <p>{text.altered.meaning}</p>
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
