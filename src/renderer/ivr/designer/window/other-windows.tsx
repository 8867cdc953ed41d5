import { useInternalNode, ViewportPortal } from '@xyflow/react';
import { createContext, type CSSProperties, type ReactNode, useContext, useEffect, useState } from 'react';
import { createClient } from '../../../../client/create-client.ts';
import type { DraftId, DraftWindow, DraftWindows } from '../../../../contract/menu/ivr-draft.ts';
import { cardText } from '../../../../text/menu/designer-canvas.ts';
import { otherWindowsText as text } from '../../../../text/menu/designer.ts';
import { askPortal } from '../../../kit/ask-portal.ts';
import { changeStream, useStreamEvent } from '../../../kit/live/change-stream.ts';
import unseen from '../../../kit/unseen.module.css';
import type { DesignerStore } from '../designer-store.ts';
import { useDesignerState } from '../use-designer.ts';
import styles from './other-windows.module.css';

/** This window, for as long as its page is loaded. */
const ownWindow = crypto.randomUUID();
/** How often a window says that it is still there, in milliseconds. */
const stillThereMs = 25_000;
/** How long a selection has to last before it is told, in milliseconds. */
const settledMs = 200;

/** More would take the room of what is said of the draft; all are told to a screen reader. */
const mostSigns = 3;

/** A call that outlives the page that makes it. */
const parting = createClient({
  baseUrl: '',
  fetch: (input, init) => fetch(input, { ...init, keepalive: true }),
});

const OtherWindowsContext = createContext<readonly DraftWindow[]>([]);

/** Tells other windows where this one is in the draft, and knows where they are. */
export function OtherWindows({
  draftId,
  store,
  children,
}: {
  draftId: DraftId;
  store: DesignerStore;
  children: ReactNode;
}) {
  const [others, setOthers] = useState<readonly DraftWindow[]>([]);
  useStreamEvent('windows', ({ data }) => {
    const now = JSON.parse(String(data)) as DraftWindows;
    if (now.id === draftId) setOthers(othersOf(now));
  });

  useEffect(() => {
    let told: string | null | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const params = { id: draftId };
    async function tell(): Promise<void> {
      told = selectedCard(store);
      const body = { window: ownWindow, card: told, is_open: true };
      const reply = await askPortal('showDraftWindow', { params, body });
      if (reply.kind === 'ok') setOthers(othersOf(reply.value));
    }
    const tellNow = (): void => void tell();
    const leave = (): void => {
      const body = { window: ownWindow, card: null, is_open: false };
      // Whether it arrives or not: a window that says nothing has left.
      parting.call('showDraftWindow', { params, body }).catch(() => undefined);
    };
    const stopWatching = store.subscribe(() => {
      clearTimeout(timer);
      if (selectedCard(store) !== told) timer = setTimeout(tellNow, settledMs);
    });
    // After a restart of the service nobody is known there.
    const stopHearing = changeStream.on('open', tellNow);
    const repeating = setInterval(tellNow, stillThereMs);
    addEventListener('pagehide', leave);
    tellNow();
    return () => {
      clearTimeout(timer);
      clearInterval(repeating);
      stopWatching();
      stopHearing();
      removeEventListener('pagehide', leave);
      leave();
    };
  }, [draftId, store]);

  return <OtherWindowsContext value={others}>{children}</OtherWindowsContext>;
}

function othersOf({ windows }: DraftWindows): DraftWindow[] {
  return windows.filter(({ window }) => window !== ownWindow);
}

/** The card that is selected; null while none or several are. */
function selectedCard(store: DesignerStore): string | null {
  const [card, ...more] = store.state().selection;
  return card === undefined || more.length > 0 ? null : card;
}

/** Who else has the draft open, and where. */
export function OtherWindowSigns() {
  const others = useContext(OtherWindowsContext);
  const names = useDesignerState(({ document }) => document.nodes);
  return (
    <>
      {others.length === 0 ? null : (
        <ul className={styles['signs']} aria-label={text.title}>
          {others.slice(0, mostSigns).map(({ window, owner, card }) => (
            <li
              key={window}
              className={styles['sign']}
              style={colourOf(window)}
              title={text.where(owner, cardName(card))}
            >
              <span aria-hidden="true">{text.initial(owner)}</span>
              <span className={unseen['unseen']}>{text.where(owner, cardName(card))}</span>
            </li>
          ))}
        </ul>
      )}
      <span role="status" className={unseen['unseen']}>
        {text.count(others.map(({ owner }) => owner))}
      </span>
    </>
  );

  function cardName(card: string | null): string | null {
    const node = Object.values(names).find(({ id }) => id === card);
    if (node === undefined) return null;
    if (node.kind === 'hours') return cardText.hours;
    return node.kind === 'end' ? node.ref : node.name;
  }
}

/** A frame around the card that is selected in each other window. */
export function OtherSelections() {
  const others = useContext(OtherWindowsContext);
  return (
    <ViewportPortal>
      {others.map(({ window, owner, card }) =>
        card === null ? null : <OtherSelection key={window} window={window} owner={owner} card={card} />,
      )}
    </ViewportPortal>
  );
}

function OtherSelection({ window, owner, card }: Pick<DraftWindow, 'window' | 'owner'> & { card: string }) {
  const node = useInternalNode(card);
  if (node === undefined) return null;
  const { x, y } = node.internals.positionAbsolute;
  const { width = 0, height = 0 } = node.measured;
  return (
    <div
      className={styles['selection']}
      style={{ ...colourOf(window), transform: `translate(${x}px, ${y}px)`, width, height }}
      aria-hidden="true"
    >
      <span className={styles['name']}>{text.name(owner)}</span>
    </div>
  );
}

/** One of six, always the same for a window. */
function colourOf(window: string): CSSProperties {
  const hue = (Number.parseInt(window.slice(0, 4), 36) % 6) * 60 + 20;
  return { '--window-hue': hue } as CSSProperties;
}
