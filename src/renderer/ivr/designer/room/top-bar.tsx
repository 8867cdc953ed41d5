import { useReactFlow } from '@xyflow/react';
import { useState } from 'react';
import { moveNodes } from '../../../../core/ivr/edit/edit-nodes.ts';
import { Button } from '../../../kit/button.tsx';
import { ConnectionSign } from '../../../kit/connection-notice.tsx';
import { PaletteButton } from '../../../kit/keys/palette-button.tsx';
import { useShortcut } from '../../../kit/keys/use-shortcut.ts';
import { WayBack } from '../../../kit/link.tsx';
import type { LiveView } from '../../../kit/live/resource.ts';
import { autoLayout } from '../layout/auto-layout.ts';
import type { DraftSaver } from '../saving/draft-saver.ts';
import { SaveSign } from '../saving/save-sign.tsx';
import { ToolButton } from '../tool-button.tsx';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import type { DialogName } from './room-dialog.tsx';
import styles from './top-bar.module.css';

/** What can be done with the drawing as a whole, and whether it is saved. */
export function TopBar({
  saver,
  connection,
  view,
  onView,
  hasParts,
  onParts,
  isPlaying,
  onPlay,
  onDialog,
}: {
  saver: DraftSaver;
  connection: LiveView<unknown>['connection'];
  view: DesignerView;
  onView: (view: DesignerView) => void;
  hasParts: boolean;
  onParts: () => void;
  isPlaying: boolean;
  onPlay: () => void;
  onDialog: (dialog: DialogName) => void;
}) {
  const { store } = useDesigner();
  const undoable = useDesignerState((state) => state.undoable);
  const redoable = useDesignerState((state) => state.redoable);
  const flow = useReactFlow();
  const [told, setTold] = useState('');

  function tidy(): void {
    store.edit('tidy up', (document) => moveNodes(document, autoLayout(document)));
    setTold('The parts were laid out in columns.');
    const motion = matchMedia('(prefers-reduced-motion: reduce)').matches ? {} : { duration: 260 };
    // When the cards are where they belong, so that what is fitted is what is there.
    setTimeout(
      () => void flow.fitView({ padding: 0.08, maxZoom: 1, ...motion }),
      motion.duration === undefined ? 0 : 300,
    );
  }
  useShortcut('t', 'Lay the parts out in columns', tidy);
  useShortcut('p', 'Play a call', onPlay);

  return (
    <>
      <header className={styles['bar']}>
        <div className={styles['group']}>
          <WayBack to="/ivr">Phone menus</WayBack>
        </div>
        <div className={styles['naming']}>
          <DraftName />
          <SaveSign saver={saver} />
        </div>
        <div className={styles['group']} role="group" aria-label="Edit">
          <ToolButton drawing="parts" name="Parts" isPressed={hasParts} onPress={onParts} />
          <ToolButton
            drawing="undo"
            name={undoable === null ? 'Nothing to undo' : `Undo: ${undoable}`}
            isOff={undoable === null}
            keys="Control+Z Meta+Z"
            onPress={() => store.undo()}
          />
          <ToolButton
            drawing="redo"
            name={redoable === null ? 'Nothing to redo' : `Redo: ${redoable}`}
            isOff={redoable === null}
            keys="Control+Shift+Z Meta+Shift+Z"
            onPress={() => store.redo()}
          />
          <ToolButton drawing="tidy" name="Lay out in columns" keys="t" onPress={tidy} />
          <ViewSwitch view={view} onView={onView} />
        </div>
        <div className={styles['group']} role="group" aria-label="Draft">
          <Button onPress={() => onDialog('versions')}>Versions</Button>
          <Button onPress={() => onDialog('export')}>Export</Button>
          <ToolButton drawing="bin" name="Delete this draft" onPress={() => onDialog('delete')} />
          <Button onPress={onPlay}>{isPlaying ? 'Stop playing' : 'Play'}</Button>
          <Button rank="main" onPress={() => onDialog('publish')}>
            Publish
          </Button>
        </div>
        <div className={styles['end']}>
          <PaletteButton />
          <ConnectionSign connection={connection} />
        </div>
      </header>
      <p className={styles['told']} role="status">
        {told}
      </p>
    </>
  );
}

/** The name of the draft, to be typed over. It cannot be empty: until something is typed the one before stays. */
function DraftName() {
  const { store } = useDesigner();
  const name = useDesignerState(({ document }) => document.name);
  const [isEmpty, setEmpty] = useState(false);

  function change(text: string): void {
    setEmpty(text === '');
    if (text !== '')
      store.edit('rename the draft', (document) => ({ ...document, name: text }), { merge: 'draft-name' });
  }

  return (
    <h1 className={styles['heading']}>
      <input
        className={styles['name']}
        aria-label="Name of the draft"
        value={isEmpty ? '' : name}
        placeholder={name}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => change(target.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') currentTarget.blur();
        }}
        onBlur={() => {
          setEmpty(false);
          store.settle();
        }}
      />
    </h1>
  );
}

export type DesignerView = 'canvas' | 'outline';

const views: readonly { readonly view: DesignerView; readonly name: string }[] = [
  { view: 'canvas', name: 'Canvas' },
  { view: 'outline', name: 'Outline' },
];

/** The two ways to see and change a drawing. */
function ViewSwitch({ view, onView }: { view: DesignerView; onView: (view: DesignerView) => void }) {
  return (
    <div className={styles['switch']} role="group" aria-label="View">
      {views.map(({ view: one, name }) => (
        <button
          key={one}
          type="button"
          className={styles['view']}
          aria-pressed={view === one}
          onClick={() => onView(one)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
