import { Button } from '../kit/button.tsx';
import type { Desktop } from '../kit/desktop.ts';
import styles from './shell-note.module.css';

/** What closing this window means, which is not the same in the desktop app and in a browser. */
export function ShellNote({ desktop }: { desktop: Desktop | undefined }) {
  return (
    <footer className={styles['note']}>
      {desktop === undefined ? (
        <p>The service goes on when you close this page. It ends where it was started.</p>
      ) : (
        <>
          <p>Closing this window ends the service; apps cannot rotate their tokens until it runs again.</p>
          <Button onPress={() => void desktop.quit()}>Quit Rotavox</Button>
        </>
      )}
    </footer>
  );
}
