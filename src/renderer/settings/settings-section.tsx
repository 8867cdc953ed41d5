import type { ReactNode } from 'react';

import { Card } from '../kit/card.tsx';
import { nameOfSection, type SectionId } from './sections.ts';
import styles from './settings-section.module.css';

/** Settings that belong together, with a place that the list beside them leads to. */
export function SettingsSection({ id, children }: { id: SectionId; children: ReactNode }) {
  return (
    <div id={id} className={styles['section']}>
      <Card title={nameOfSection(id)}>{children}</Card>
    </div>
  );
}
