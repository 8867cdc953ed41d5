import { useReactFlow } from '@xyflow/react';
import { useState } from 'react';
import { Toolbar } from 'react-aria-components';
import { moveNodes } from '../../../../core/ivr/edit/edit-nodes.ts';
import { type MenuAction, MenuButton } from '../../../kit/action-menu.tsx';
import { Button } from '../../../kit/button.tsx';
import { ConnectionSign } from '../../../kit/connection-notice.tsx';
import { PaletteButton } from '../../../kit/keys/palette-button.tsx';
import { useShortcut } from '../../../kit/keys/use-shortcut.ts';
import { WayBack } from '../../../kit/link.tsx';
import type { LiveView } from '../../../kit/live/resource.ts';
import { useMedia } from '../../../kit/use-media.ts';
import { useFitOptions } from '../canvas/screen-box.ts';
import { autoLayout } from '../layout/auto-layout.ts';
import { LiveSign } from '../publish/live-sign.tsx';
import type { DraftSaver, SaveState } from '../saving/draft-saver.ts';
import { PartIcon } from '../part-icon.tsx';
import { SmallButton } from '../small-button.tsx';
import smallButton from '../small-button.module.css';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import type { DialogName } from './draft-dialog.tsx';
import { OtherWindowSigns } from './other-windows.tsx';
import { draftBounds } from '../../../../contract/menu/ivr-draft.ts';
import { tooLong } from '../inspector/spec-field.tsx';
import styles from './top-bar.module.css';
import { designerText as text, editText, shortcutText } from '../../../../text/menu/designer.ts';
import { savingText } from '../../../../text/menu/saving.ts';
import { ringText } from '../../../../text/calls/telephone-systems.ts';
import { trafficText } from '../../../../text/menu/traffic.ts';
import unseen from '../../../kit/unseen.module.css';
import { Text } from '../../../kit/text.tsx';
import { savableDocument } from '../saving/savable-document.ts';
import { useSaveState } from '../saving/use-saver.ts';

/** The actions on the draft as a whole, and whether it is saved. */
export function TopBar({
  saver,
  connection,
  view,
  onView,
  hasParts,
  onParts,
  hasInspector,
  onInspector,
  hasTraffic,
  onTraffic,
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
  /** Null while the view has no inspector. */
  hasInspector: boolean | null;
  onInspector: () => void;
  hasTraffic: boolean;
  onTraffic: () => void;
  isPlaying: boolean;
  onPlay: () => void;
  onDialog: (dialog: DialogName) => void;
}) {
  const { store } = useDesigner();
  const undoable = useDesignerState((state) => state.undoable);
  const redoable = useDesignerState((state) => state.redoable);
  const flow = useReactFlow();
  const fitOptions = useFitOptions();
  const hasRoom = useMedia('(min-width: 90rem)');
  // Otherwise the rarer actions are in a menu.
  const isWide = useMedia('(min-width: 75rem)');
  const isNarrow = useMedia('(max-width: 56rem)');
  const isSmall = useMedia('(max-width: 30rem)');
  const [message, say] = useState({ words: '', count: 0 });
  /** Also the same words again: each time they are said. */
  const setMessage = (words: string): void => say(({ count }) => ({ words, count: count + 1 }));

  function arrange(): void {
    store.edit(editText.arrange, (document) => moveNodes(document, autoLayout(document)));
    setMessage(text.arranged);
    const motion = matchMedia('(prefers-reduced-motion: reduce)').matches ? {} : { duration: 260 };
    // After the cards have moved, so that their new places are fitted.
    setTimeout(
      () => void flow.fitView({ ...fitOptions, ...motion }),
      motion.duration === undefined ? 0 : 300,
    );
  }
  function undo(): void {
    if (undoable !== null) setMessage(text.undone(undoable));
    store.undo();
  }
  function redo(): void {
    if (redoable !== null) setMessage(text.redone(redoable));
    store.redo();
  }
  useShortcut('Mod+Z', shortcutText.undo, undo);
  useShortcut('Mod+Shift+Z', shortcutText.redo, redo);
  useShortcut('Mod+Y', shortcutText.redo, redo);
  useShortcut('t', shortcutText.arrange, arrange);
  useShortcut('p', shortcutText.play, onPlay);

  const end = (
    <div className={styles['end']}>
      <PaletteButton />
      <ConnectionSign connection={connection} />
    </div>
  );
  const stop = hasRoom ? text.stopPlaying : text.stop;
  const deletion = { label: text.delete, act: () => onDialog('delete') };
  const rarer: readonly MenuAction[] = [
    ...(isSmall
      ? [
          ...(redoable === null ? [] : [{ label: text.redo(redoable), act: redo }]),
          { label: shortcutText.parts, act: onParts },
          ...(hasInspector === null ? [] : [{ label: shortcutText.inspector, act: onInspector }]),
        ]
      : []),
    { label: text.arrange, act: arrange },
    { label: trafficText.shortcut, act: onTraffic },
    { label: text.versions, act: () => onDialog('versions') },
    { label: text.export, act: () => onDialog('export') },
    { label: ringText.open, act: () => onDialog('ring') },
    deletion,
  ];

  return (
    <>
      <header className={styles['bar']}>
        <div className={styles['back']}>
          <WayBack to="/ivr">
            <span className={isWide ? undefined : unseen['unseen']}>{text.back}</span>
          </WayBack>
        </div>
        <div className={styles['naming']}>
          <DraftName />
          <div className={styles['signs']}>
            <SaveSign saver={saver} />
            <LiveSign />
          </div>
        </div>
        <OtherWindowSigns />
        {isNarrow ? end : null}
        <div className={styles['actions']}>
          <Toolbar className={styles['tools'] ?? ''} aria-label={text.edit}>
            {isSmall ? null : (
              <SmallButton icon="parts" name={text.parts} isPressed={hasParts} keys="a" onPress={onParts} />
            )}
            {hasInspector === null || isSmall ? null : (
              <SmallButton
                icon="inspector"
                name={text.inspector}
                isPressed={hasInspector}
                keys="i"
                onPress={onInspector}
              />
            )}
            <SmallButton
              icon="undo"
              name={text.undo(undoable)}
              isDisabled={undoable === null}
              keys="Control+Z Meta+Z"
              onPress={undo}
            />
            {isSmall ? null : (
              <SmallButton
                icon="redo"
                name={text.redo(redoable)}
                isDisabled={redoable === null}
                keys="Control+Shift+Z Meta+Shift+Z"
                onPress={redo}
              />
            )}
            {isWide ? (
              <>
                <SmallButton icon="columns" name={text.arrange} keys="t" onPress={arrange} />
                <SmallButton
                  icon="traffic"
                  name={trafficText.title}
                  isPressed={hasTraffic}
                  keys="T"
                  onPress={onTraffic}
                />
              </>
            ) : null}
            <ViewSwitch view={view} onView={onView} />
          </Toolbar>
          <Toolbar className={styles['tools'] ?? ''} aria-label={text.draft}>
            {isWide ? (
              <>
                <Button onPress={() => onDialog('versions')}>{text.versions}</Button>
                <Button onPress={() => onDialog('export')}>{text.export}</Button>
                {hasRoom ? (
                  <Button onPress={() => onDialog('ring')}>{ringText.open}</Button>
                ) : (
                  <SmallButton icon="caller" name={ringText.open} onPress={() => onDialog('ring')} />
                )}
              </>
            ) : null}
            <MenuButton
              label={text.more}
              actions={isWide ? [deletion] : rarer}
              className={smallButton['button']}
            >
              <PartIcon name="more" />
            </MenuButton>
            <Button onPress={onPlay}>{isPlaying ? stop : text.play}</Button>
            <Button rank="main" onPress={() => onDialog('publish')}>
              {text.publish}
            </Button>
          </Toolbar>
        </div>
        {isNarrow ? null : end}
      </header>
      <p className={unseen['unseen']} role="status">
        <span key={message.count}>{message.words}</span>
      </p>
    </>
  );
}

const { nameLength } = draftBounds;

/** The name of the draft. It cannot be empty: until something is typed the previous one stays. */
function DraftName() {
  const { store } = useDesigner();
  const name = useDesignerState(({ document }) => document.name);
  const [isEmpty, setEmpty] = useState(false);

  function change(text: string): void {
    setEmpty(text === '');
    if (text !== '')
      store.edit(editText.renameDraft, (document) => ({ ...document, name: text }), { merge: 'draft-name' });
  }

  return (
    <h1 className={styles['heading']}>
      <input
        className={styles['name']}
        aria-label={text.name}
        value={isEmpty ? '' : name}
        placeholder={name}
        title={tooLong(name, nameLength, nameLength) ?? name}
        aria-invalid={name.length > nameLength || undefined}
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

export type DesignerView = (typeof views)[number];

const views = ['canvas', 'outline'] as const;

/** The two views of a call flow. */
function ViewSwitch({ view, onView }: { view: DesignerView; onView: (view: DesignerView) => void }) {
  return (
    <div className={styles['switch']} role="group" aria-label={text.view}>
      {views.map((one) => (
        <button
          key={one}
          type="button"
          className={styles['view']}
          aria-pressed={view === one}
          onClick={() => onView(one)}
        >
          {text.views[one]}
        </button>
      ))}
    </div>
  );
}

/** Whether the draft is saved. Only failures are announced: the rest changes with every edit. */
function SaveSign({ saver }: { saver: DraftSaver }) {
  const state = useSaveState(saver);
  const isCut = useDesignerState(({ document }) => savableDocument(document) !== document);
  const words = textFor(state, isCut);
  const isTrouble = state.kind !== 'saved' && state.kind !== 'saving';
  return (
    <Text
      tone={isTrouble ? 'bad' : 'soft'}
      size="small"
      weight={isTrouble ? 'bold' : 'regular'}
      isCut
      className={styles['saveSign']}
      data-trouble={isTrouble}
      title={words}
      aria-live={isTrouble ? 'polite' : 'off'}
    >
      {words}
    </Text>
  );
}

function textFor(state: SaveState, isCut: boolean): string {
  switch (state.kind) {
    case 'saved':
      if (isCut) return savingText.cut;
      return state.from === 'elsewhere' ? savingText.upToDate : savingText.saved;
    case 'saving':
      return savingText.saving;
    case 'failed':
      return savingText.failed(state.reason);
    case 'conflict':
      return savingText.conflict;
    case 'gone':
      return savingText.gone;
  }
}
