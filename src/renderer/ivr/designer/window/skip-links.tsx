import { skipText } from '../../../../text/designer.ts';
import type { DesignerView } from './top-bar.tsx';
import styles from './skip-links.module.css';

/** The first stops of Tab: they lead past the bars to what is worked on. Seen while they have the focus. */
export function SkipLinks({ view, hasInspector }: { view: DesignerView; hasInspector: boolean }) {
  return (
    <nav className={styles['skip']} aria-label={skipText.title}>
      <button type="button" onClick={() => focusIn('[data-region="view"]')}>
        {skipText.views[view]}
      </button>
      {hasInspector ? (
        <button type="button" onClick={() => focusIn('[data-path="inspector"]')}>
          {skipText.inspector}
        </button>
      ) : null}
      <button type="button" onClick={() => focusIn('[role="tab"][aria-selected="true"]')}>
        {skipText.problems}
      </button>
    </nav>
  );
}

function focusIn(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus();
}
