import { Button } from '../kit/button.tsx';
import type { Desktop } from '../kit/desktop.ts';
import styles from './shell-note.module.css';

/** How the service ends, which is not the same in the desktop app and in a browser, and the way back to the first steps. */
export function ShellNote({
  desktop,
  onGuide,
}: {
  desktop: Desktop | undefined;
  /** Undefined while they are shown. */
  onGuide: (() => void) | undefined;
}) {
  const quit = desktop?.quit;
  return (
    <footer className={styles['note']}>
      <p>
        {quit === undefined
          ? 'The service goes on when you close this page. It ends where it was started.'
          : 'The service goes on when you close this window. Quitting ends it; apps cannot rotate their tokens until it runs again.'}
      </p>
      <div className={styles['buttons']}>
        {onGuide === undefined ? null : <Button onPress={onGuide}>First steps</Button>}
        {quit === undefined ? null : <Button onPress={() => void quit()}>Quit Rotavox</Button>}
      </div>
    </footer>
  );
}
