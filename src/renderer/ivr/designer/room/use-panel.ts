import { useState } from 'react';

/** A panel that a person makes larger, smaller, or puts away; the window remembers it. */
export interface Panel {
  readonly size: number;
  readonly min: number;
  readonly max: number;
  readonly isOpen: boolean;
  readonly setSize: (size: number) => void;
  readonly setOpen: (isOpen: boolean) => void;
}

/** `size` is in pixels, and what it is until somebody changes it. */
export function usePanel(
  name: string,
  { size: usual, min, max, isOpen: isUsuallyOpen }: Pick<Panel, 'size' | 'min' | 'max' | 'isOpen'>,
): Panel {
  const key = `rotavox:designer:${name}`;
  const [size, setSize] = useState(() => readSize(localStorage.getItem(`${key}:size`), usual));
  const [opened, setOpened] = useState(() => localStorage.getItem(`${key}:open`));
  return {
    size: Math.min(max, Math.max(min, size)),
    min,
    max,
    isOpen: opened === null ? isUsuallyOpen : opened === '1',
    setSize: (next) => {
      const held = Math.round(Math.min(max, Math.max(min, next)));
      setSize(held);
      localStorage.setItem(`${key}:size`, String(held));
    },
    setOpen: (next) => {
      setOpened(next ? '1' : '0');
      localStorage.setItem(`${key}:open`, next ? '1' : '0');
    },
  };
}

function readSize(text: string | null, usual: number): number {
  const size = Number(text);
  return text === null || !Number.isFinite(size) ? usual : size;
}
