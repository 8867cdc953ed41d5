import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { CommandLine } from '../../kit/command-line.tsx';
import { goTo } from '../../kit/navigation.ts';
import { useCommandLine } from '../../kit/use-command-line.ts';
import styles from './first-credential.module.css';

/** What to do while no token is kept fresh: what this is for, and the ways to begin. */
export function FirstCredential() {
  const commandLine = useCommandLine();
  return (
    <div className={styles['first']}>
      <Card title="Keep your first token fresh">
        <p className={styles['lead']}>
          A token that is kept fresh never lapses: Rotavox replaces it before it ends, puts each new value
          into this machine’s keychain, and brings it to the programs that use it. You see when, to the
          second.
        </p>
        <ul className={styles['ways']}>
          <li className={styles['way']}>
            <p className={styles['have']}>You have a token</p>
            <p className={styles['what']}>
              Of this service or of any other that speaks the same API: paste it, and it is kept fresh from
              then on.
            </p>
            <Button rank="main" onPress={() => goTo('/add-credential')}>
              Keep a token fresh…
            </Button>
          </li>
          <li className={styles['way']}>
            <p className={styles['have']}>You have none yet</p>
            <p className={styles['what']}>
              Issue one here and tick “Keep this fresh”: its value goes straight there.
            </p>
            <Button onPress={() => goTo('/tokens/issue')}>Issue a token…</Button>
          </li>
        </ul>
        {commandLine === null ? null : (
          <div className={styles['typed']}>
            <p>The second, typed:</p>
            <CommandLine
              line={`${commandLine} token issue --name nightly-report --validity 7 --keep-as nightly`}
              what="the command that issues a token and keeps it fresh"
            />
          </div>
        )}
      </Card>
    </div>
  );
}
