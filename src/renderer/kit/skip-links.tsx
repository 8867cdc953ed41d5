import styles from './window-frame.module.css';

/** The first stops of Tab: they lead past what every page begins with. Seen while they have the focus. */
export function SkipLinks({
  label,
  links,
}: {
  label: string;
  links: readonly {
    readonly label: string;
    /** What gets the focus. */
    readonly selector: string;
  }[];
}) {
  return (
    <nav className={styles['skip']} aria-label={label}>
      {links.map((link) => (
        <button key={link.selector} type="button" onClick={() => focusIn(link.selector)}>
          {link.label}
        </button>
      ))}
    </nav>
  );
}

function focusIn(selector: string): void {
  const part = document.querySelector<HTMLElement>(selector);
  if (part === null) return;
  // Only for now: otherwise each click into it would give it the focus.
  if (part.tabIndex < 0 && !part.hasAttribute('tabindex')) {
    part.tabIndex = -1;
    part.addEventListener('blur', () => part.removeAttribute('tabindex'), { once: true });
  }
  part.focus();
}
