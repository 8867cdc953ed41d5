import type { ComponentProps } from 'react';
import styles from './layout.module.css';

/** The step between two things, in quarters of a rem. */
type Gap = 1 | 2 | 3 | 4 | 5 | 6;

type Container =
  'div' | 'section' | 'ul' | 'ol' | 'dl' | 'dd' | 'li' | 'p' | 'span' | 'header' | 'footer' | 'label';

interface StackProps extends ComponentProps<'div'> {
  as?: Container;
  gap: Gap;
  align?: 'start';
}

/** Things below each other, as wide as there is room. */
export function Stack({ as = 'div', gap, align, ...rest }: StackProps) {
  const Tag = as as 'div';
  return <Tag {...rest} className={styles['stack']} data-gap={gap} data-align={align} />;
}

interface RowProps extends ComponentProps<'div'> {
  as?: Container;
  gap: Gap;
  wraps?: boolean;
  align?: 'center' | 'baseline' | 'start' | 'end';
  justify?: 'between' | 'end';
}

/** Things beside each other. */
export function Row({ as = 'div', gap, wraps = false, align, justify, ...rest }: RowProps) {
  const Tag = as as 'div';
  return (
    <Tag
      {...rest}
      className={styles['row']}
      data-gap={gap}
      data-wraps={wraps}
      data-align={align}
      data-justify={justify}
    />
  );
}
