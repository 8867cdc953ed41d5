import type { ReactNode } from 'react';

import { Icon } from './icon.tsx';
import styles from './box.module.css';
import { Stack } from './layout.tsx';
import { RichText } from './rich-text.tsx';
import { Text } from './text.tsx';

/** Something that must be known before the rest: what happened, what it means, and a button for the next step. */
export function Notice({
  tone,
  title,
  action,
  children,
}: {
  tone: 'warn' | 'bad';
  title: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={styles['notice']} data-tone={tone} role="alert">
      <span className={styles['noticeSign']}>
        <Icon name="alert" />
      </span>
      <Text as="div" breaks className={styles['noticeWords']}>
        <Text weight="bold" tone={tone}>
          {title}
        </Text>
        <Stack gap={1}>{children}</Stack>
      </Text>
      {action}
    </div>
  );
}

/** What a page is about, as its child draws it, or the notice that nothing has this name or id. Nothing before the service has answered. */
export function FoundOrUnknown<One>({
  isKnown,
  found,
  text,
  name,
  children,
}: {
  isKnown: boolean;
  found: One | null | undefined;
  text: { readonly title: string; readonly text: string };
  name: string;
  children: (found: One) => ReactNode;
}) {
  if (!isKnown) return null;
  if (found === null || found === undefined) return <UnknownNotice text={text} name={name} />;
  return children(found);
}

/** That nothing has this name or id, `{name}` in the text. */
export function UnknownNotice({
  text: { title, text },
  name,
}: {
  text: { readonly title: string; readonly text: string };
  name: string;
}) {
  return (
    <Notice tone="warn" title={title}>
      <p>
        <RichText text={text} parts={{ name: <code>{name}</code> }} />
      </p>
    </Notice>
  );
}
