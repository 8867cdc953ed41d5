import type { ComponentProps, CSSProperties } from 'react';
import styles from './layout.module.css';

/** The step between two things, in quarters of a rem. */
type Gap = 1 | 2 | 3 | 4 | 5 | 6;

type Container =
  | 'div'
  | 'section'
  | 'h3'
  | 'figure'
  | 'ul'
  | 'ol'
  | 'dl'
  | 'dd'
  | 'li'
  | 'p'
  | 'span'
  | 'header'
  | 'footer'
  | 'label';

interface StackProps extends ComponentProps<'div'> {
  as?: Container;
  gap: Gap;
  align?: 'start';
}

/** Things below each other, as wide as there is room. */
export function Stack({ as = 'div', gap, align, className = '', ...rest }: StackProps) {
  const Tag = as as 'div';
  return (
    <Tag
      {...rest}
      className={`${styles['stack']} ${className}`}
      style={{ gap: lengthOf(gap), justifyItems: align }}
    />
  );
}

interface RowProps extends ComponentProps<'div'> {
  as?: Container;
  gap: Gap;
  wraps?: boolean;
  align?: 'center' | 'baseline' | 'start' | 'end';
  justify?: 'between' | 'center' | 'end';
}

/** Things beside each other. */
export function Row({ as = 'div', gap, wraps = false, align, justify, className = '', ...rest }: RowProps) {
  const Tag = as as 'div';
  return (
    <Tag
      {...rest}
      className={`${styles['row']} ${className}`}
      style={{
        gap: lengthOf(gap),
        flexWrap: wraps ? 'wrap' : undefined,
        alignItems: align,
        justifyContent: justify === 'between' ? 'space-between' : justify,
      }}
    />
  );
}

function lengthOf(gap: Gap): CSSProperties['gap'] {
  return `${gap / 4}rem`;
}
