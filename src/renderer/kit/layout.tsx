import type { ComponentProps, CSSProperties } from 'react';
import styles from './layout.module.css';

/** The step between two things, in quarters of a rem, or that between cards, which is smaller in a narrow window. */
type Gap = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 'cards';

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
  | 'label'
  | 'search';

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
  /** Whether it takes the room that what is beside it leaves. */
  grows?: boolean;
}

/** Things beside each other. */
export function Row({
  as = 'div',
  gap,
  wraps = false,
  align,
  justify,
  grows = false,
  className = '',
  ...rest
}: RowProps) {
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
        flex: grows ? 1 : undefined,
      }}
    />
  );
}

interface GridProps extends ComponentProps<'div'> {
  as?: Container;
  /** How wide each is at least, in rem. */
  min: number;
  gap: Gap;
}

/** Things of one width beside each other, as many as there is room for. */
export function Grid({ as = 'div', min, gap, className = '', ...rest }: GridProps) {
  const Tag = as as 'div';
  const columns = `repeat(auto-fit, minmax(min(${min}rem, 100%), 1fr))`;
  return (
    <Tag
      {...rest}
      className={`${styles['stack']} ${className}`}
      style={{ gap: lengthOf(gap), gridTemplateColumns: columns, alignItems: 'start' }}
    />
  );
}

function lengthOf(gap: Gap): CSSProperties['gap'] {
  return gap === 'cards' ? 'var(--between-cards)' : `${gap / 4}rem`;
}
