import styles from './section-list.module.css';
import { sections } from './sections.ts';
import { useSectionInSight } from './use-section-in-sight.ts';

/** The way to each section, where the window is wide enough to have it beside them. */
export function SectionList() {
  const inSight = useSectionInSight();
  return (
    <nav className={styles['list']} aria-label="Sections">
      {sections.map(({ id, name }) => (
        <a
          key={id}
          href={`#${id}`}
          className={styles['link']}
          aria-current={id === inSight ? 'location' : undefined}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}
