import { Button } from '../kit/button.tsx';
import type { Desktop } from '../kit/desktop.ts';
import styles from './shell-note.module.css';

/** How the service ends, which is not the same in the desktop app and in a browser. */
export function ShellNote({ desktop }: { desktop: Desktop | undefined }) {
  const quit = desktop?.quit;
  return (
    <footer className={styles['note']}>
      {quit === undefined ? (
        <p>The service goes on when you close this page. It ends where it was started.</p>
      ) : (
        <>
          <p>
            The service goes on when you close this window. Quitting ends it; apps cannot rotate their tokens
            until it runs again.
          </p>
          <Button onPress={() => void quit()}>Quit Rotavox</Button>
        </>
      )}
    </footer>
  );
}
