import { type RefObject, useEffect, useRef, useState } from 'react';

export interface RowFocus {
  /** The row that Tab leads to. */
  readonly current: number;
  readonly setCurrent: (id: string) => void;
  /** Gives the focus to a row, also one that is not drawn yet. */
  readonly focusRow: (index: number) => void;
}

/**
 * One of many rows can have the focus, of which only those in sight are drawn.
 *
 * It is known by its id: rows change their places while they are looked at.
 */
export function useRowFocus(
  boxRef: RefObject<HTMLElement | null>,
  {
    rows,
    scrollToRow,
  }: { readonly rows: readonly { readonly id: string }[]; readonly scrollToRow: (index: number) => void },
): RowFocus {
  const [active, setActive] = useState<string>();
  const wanted = useRef<string | undefined>(undefined);

  // After each drawing: the row that is to have the focus may only now be there.
  useEffect(() => {
    if (wanted.current === undefined) return;
    const row = boxRef.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(wanted.current)}"] a`);
    if (row === null || row === undefined) return;
    wanted.current = undefined;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest', inline: 'nearest' }); // also the page around the box
  });

  return {
    current: Math.max(
      0,
      rows.findIndex(({ id }) => id === active),
    ),
    setCurrent: setActive,
    focusRow: (index) => {
      const next = Math.max(0, Math.min(rows.length - 1, index));
      wanted.current = rows[next]?.id;
      setActive(rows[next]?.id);
      scrollToRow(next);
    },
  };
}

/** What a key does in the picture. */
export type PictureMove =
  | { readonly kind: 'row'; readonly by: number }
  | { readonly kind: 'page'; readonly by: 1 | -1 }
  | { readonly kind: 'end'; readonly of: 'first' | 'last' }
  | { readonly kind: 'pan'; readonly by: 1 | -1 }
  /** To the previous or next token or planned rotation, which is announced. */
  | { readonly kind: 'part'; readonly by: 1 | -1 }
  | { readonly kind: 'hide' };

export function moveOf({
  key,
  shiftKey,
}: {
  readonly key: string;
  readonly shiftKey: boolean;
}): PictureMove | null {
  switch (key) {
    case 'ArrowDown':
      return { kind: 'row', by: 1 };
    case 'ArrowUp':
      return { kind: 'row', by: -1 };
    case 'PageDown':
      return { kind: 'page', by: 1 };
    case 'PageUp':
      return { kind: 'page', by: -1 };
    case 'Home':
      return { kind: 'end', of: 'first' };
    case 'End':
      return { kind: 'end', of: 'last' };
    case 'ArrowRight':
      return { kind: shiftKey ? 'part' : 'pan', by: 1 };
    case 'ArrowLeft':
      return { kind: shiftKey ? 'part' : 'pan', by: -1 };
    case 'Escape':
      return { kind: 'hide' };
    default:
      return null;
  }
}
