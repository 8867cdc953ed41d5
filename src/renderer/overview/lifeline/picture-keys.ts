/** What a key does in the picture. */
export type PictureMove =
  | { readonly kind: 'row'; readonly by: number }
  | { readonly kind: 'page'; readonly by: 1 | -1 }
  | { readonly kind: 'end'; readonly of: 'first' | 'last' }
  | { readonly kind: 'pan'; readonly by: 1 | -1 }
  /** To the value or the planned rotation before or after, which is told. */
  | { readonly kind: 'part'; readonly by: 1 | -1 }
  | { readonly kind: 'hide' };

/** How the keys are told to who cannot see the picture. */
export const keysSentence =
  'Up and down: other rows. Left and right: through time. Shift and left or right: from value to value. Enter: open.';

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
