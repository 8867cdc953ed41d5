import type { ReactNode } from 'react';
import { Row, Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import styles from './use.module.css';

/** One that has the token: a sign, of what kind it is, which one, what is known of it, and what can be done about it. */
export function WhoRow({
  sign,
  kind,
  who,
  actions,
  children,
}: {
  sign?: ReactNode;
  kind: string;
  who: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <li className={styles['row']}>
      <span className={styles['sign']}>{sign}</span>
      <Stack gap={1}>
        <Text tone="soft" size="small">
          {kind}
        </Text>
        <Text weight="strong" breaks>
          {who}
        </Text>
        {children}
      </Stack>
      {actions === undefined ? null : (
        <Row gap={2} wraps className={styles['actions']}>
          {actions}
        </Row>
      )}
    </li>
  );
}
