import { type ReactNode, useEffect, useState } from 'react';
import { settingsText } from '../../text/service/settings-text.ts';
import { Card } from '../kit/card.tsx';
import styles from './settings.module.css';

const { sections: text } = settingsText;

/** The way to each section, where the window is wide enough to have it beside them. */
export function SectionList({ without }: { without: readonly SectionId[] }) {
  const inSight = useSectionInSight();
  return (
    <nav className={styles['list']} aria-label={text.label}>
      {sections
        .filter((id) => !without.includes(id))
        .map((id) => (
          <a
            key={id}
            href={`#${id}`}
            className={styles['link']}
            aria-current={id === inSight ? 'location' : undefined}
          >
            {text[id]}
          </a>
        ))}
    </nav>
  );
}

/** The sections of the settings, in their order: what is looked for most comes first. */
export const sections = [
  'appearance',
  'notifications',
  'rotation',
  'address',
  'network',
  'menus',
  'voices',
  'calls',
  'directories',
  'owners',
  'computer',
  'updates',
  'about',
] as const;

export type SectionId = (typeof sections)[number];

/** Settings that belong together, with a place that the list beside them leads to. */
export function SettingsSection({ id, children }: { id: SectionId; children: ReactNode }) {
  return (
    <div id={id} className={styles['section']}>
      <Card title={text[id]}>{children}</Card>
    </div>
  );
}

/** The part of the window, from its top, in which a section counts as the one that is read. */
const readingPart = '0px 0px -60% 0px';

/** The section that is being read: the first one in the upper part of the window. */
function useSectionInSight(): SectionId {
  const [inSight, setInSight] = useState<SectionId>(sections[0]);

  useEffect(() => {
    const visible = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) visible.add(target.id);
          else visible.delete(target.id);
        }
        const first = sections.find((id) => visible.has(id));
        if (first !== undefined) setInSight(first);
      },
      { rootMargin: readingPart },
    );
    for (const id of sections) {
      const element = document.getElementById(id);
      if (element !== null) observer.observe(element);
    }
    return () => observer.disconnect();
  }, []);

  return inSight;
}

/** Brings the section that the address names (`/settings#menus`) into sight, as soon as it is there. */
export function useWantedSection(isThere: boolean): void {
  useEffect(() => {
    if (!isThere || location.hash === '') return;
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [isThere]);
}
