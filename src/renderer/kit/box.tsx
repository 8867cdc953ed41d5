import type { ComponentProps, ReactNode } from 'react';
import styles from './box.module.css';
import { Row } from './layout.tsx';

interface BoxProps extends ComponentProps<'div'> {
  as?: 'div' | 'section' | 'li' | 'p';
  tone?: 'good' | 'accent' | 'calm' | 'warn' | 'bad';
  /** Says by its shape what the tone says by its colour. */
  sign?: ReactNode;
  isSunken?: boolean;
}

/** An area inside a card, with an edge of its own. */
export function Box({ as = 'div', tone, sign, isSunken, className = '', children, ...rest }: BoxProps) {
  const Tag = as as 'div';
  const ground = isSunken === true ? styles['sunken'] : '';
  return (
    <Tag {...rest} className={`${styles['box']} ${ground} ${className}`} data-tone={tone}>
      {sign === undefined ? (
        children
      ) : (
        <Row gap={3}>
          <span className={styles['sign']}>{sign}</span>
          <div className={styles['words']}>{children}</div>
        </Row>
      )}
    </Tag>
  );
}
