import { windowText } from '../../text/window/window.ts';
import { type ReactNode, useEffect, useRef } from 'react';
import { ConnectionNotice, ConnectionSign } from './connection-notice.tsx';
import { PaletteButton } from './keys/palette-button.tsx';
import { Row, Stack } from './layout.tsx';
import { type LiveView, portalStatus } from './live/resource.ts';
import { useLive } from './live/use-live.ts';
import { hasMoved } from './navigation.ts';
import { Text } from './text.tsx';
import styles from './window-frame.module.css';

/**
 * What every window has: its name, the way to the others, whether what it shows is live, and its content.
 *
 * Whoever comes here from another page of the window finds the focus on the heading, as after loading a page.
 */
export function WindowFrame({
  title,
  heading,
  above,
  below,
  live,
  nav,
  footer,
  fillsWindow = false,
  children,
}: {
  /** Of the tab, and of the desktop's window. */
  title: string;
  /** Of the page; the overview is headed by the program's own name. */
  heading?: string | undefined;
  /** The way back that stands above the heading. */
  above?: ReactNode;
  /** What is known of what the page is about. */
  below?: ReactNode;
  live: LiveView<unknown>;
  nav?: ReactNode;
  footer?: ReactNode;
  /** Whether what is last in it has the height that is left, and scrolls inside itself. */
  fillsWindow?: boolean;
  children: ReactNode;
}) {
  const { known, retry } = live;
  const statusLive = useLive(portalStatus);
  const status = statusLive.known?.value;
  // Only that one says how to sign in, where others were read with `askPortal`.
  const connection =
    live.connection.kind === 'signed-out' && statusLive.connection.kind === 'signed-out'
      ? statusLive.connection
      : live.connection;
  // Nothing else can be done, and nothing is shown that the sign-in could keep.
  const isSigningIn =
    connection.kind === 'signed-out' && connection.takesOwnerKey === true && known === undefined;
  const headingRef = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    if (hasMoved()) headingRef.current?.focus();
  }, []);

  return (
    <div className={styles['window']} data-fills={fillsWindow || undefined}>
      <SkipLinks label={windowText.skip.label} links={skipLinks} />
      <header className={styles['head']}>
        <Mark />
        {heading === undefined || isSigningIn ? (
          <h1 ref={headingRef} className={styles['brand']} tabIndex={-1}>
            {windowText.brand}
          </h1>
        ) : (
          <p className={styles['brand']}>{windowText.brand}</p>
        )}
        {isSigningIn ? null : nav}
        <Row gap={4} align="center" justify="end" grows>
          {isSigningIn ? null : <PaletteButton />}
          <ConnectionSign connection={connection} store={status?.store} />
        </Row>
      </header>
      <main className={styles['main']}>
        {heading === undefined || isSigningIn ? null : (
          <div>
            {above}
            <h1 ref={headingRef} className={styles['heading']} tabIndex={-1}>
              <bdi>{heading}</bdi>
            </h1>
            {below}
          </div>
        )}
        <ConnectionNotice connection={connection} knownAt={known?.at} onRetry={retry} />
        {known === undefined && connection.kind === 'asking' ? (
          <Text tone="soft" data-appears="late">
            {windowText.loading}
          </Text>
        ) : null}
        <Stack
          gap="cards"
          className={styles['content']}
          data-stale={known !== undefined && connection.kind !== 'live'}
        >
          {children}
        </Stack>
      </main>
      {isSigningIn ? null : footer}
    </div>
  );
}

const skipLinks = [{ label: windowText.skip.content, selector: 'main' }];

/** The finger holes of a telephone dial; like the ring around them they leave the upper left open. */
const holes = [0, 45, 90, 135, 180, 225, 270].map((degrees) => {
  const angle = (degrees * Math.PI) / 180;
  return { degrees, x: 16 + 7.25 * Math.sin(angle), y: 16 - 7.25 * Math.cos(angle) };
});

/** Rotavox's mark: a ring that empties, around the dial of a telephone. */
function Mark() {
  return (
    <svg className={styles['mark']} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <circle stroke="var(--line)" strokeWidth="3" cx="16" cy="16" r="13.5" pathLength="100" />
      <circle
        stroke="var(--accent)"
        strokeWidth="3"
        strokeLinecap="round"
        cx="16"
        cy="16"
        r="13.5"
        pathLength="100"
        strokeDasharray="72 28"
        transform="rotate(-90 16 16)"
      />
      {holes.map(({ degrees, x, y }) => (
        <circle key={degrees} fill="var(--accent)" cx={x} cy={y} r="1.6" />
      ))}
      <circle fill="var(--accent)" cx="16" cy="16" r="2.75" />
    </svg>
  );
}

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
