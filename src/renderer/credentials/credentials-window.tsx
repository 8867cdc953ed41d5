import type { VaultStatus } from '../../contract/credential-view.ts';
import { Button } from '../kit/button.tsx';
import { Card } from '../kit/card.tsx';
import { CommandLine, useCommandLine } from '../kit/command-line.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { goTo, leaveFor } from '../kit/navigation.ts';
import { Notice } from '../kit/notice.tsx';
import { ServiceWords } from '../kit/service-words.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { AddDialog } from './add/add-dialog.tsx';
import styles from './credentials-window.module.css';
import { FoundCredentials } from './list/found-credentials.tsx';
import { allCredentials, turningInstants, useTurning } from './read-credentials.ts';

/** The tokens that are kept fresh, the most pressing first, and the dialog that adds one. */
export function CredentialsWindow({ isAdding }: { isAdding: boolean }) {
  const live = useLive(allCredentials);
  const known = live.known?.value;
  useTurning(allCredentials, known?.credentials.flatMap(turningInstants) ?? []);

  return (
    <WindowFrame
      title={isAdding ? 'Keep a token fresh — Rotavox' : 'Credentials — Rotavox'}
      heading="Credentials"
      below={
        <p className={styles['lead']}>
          Tokens that Rotavox keeps fresh: each is replaced before it ends, wherever it is used.
        </p>
      }
      live={live}
      nav={<WindowNav current="credentials" />}
    >
      {known === undefined ? null : (
        <>
          <VaultNotice vault={known.vault} />
          {known.credentials.length === 0 ? (
            <FirstCredential />
          ) : (
            <FoundCredentials credentials={known.credentials} />
          )}
        </>
      )}
      {/* Whoever is not signed in is told that, not asked for a token. */}
      {isAdding && live.connection.kind !== 'signed-out' ? (
        <AddDialog onClose={() => leaveFor('/credentials')} />
      ) : null}
    </WindowFrame>
  );
}

/** What to do while no token is kept fresh: what this is for, and the ways to begin. */
function FirstCredential() {
  const commandLine = useCommandLine();
  return (
    <div className={styles['first']}>
      <Card title="Keep your first token fresh">
        <p className={styles['introduction']}>
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

const titles = {
  locked: 'The keychain is locked.',
  absent: 'There is no keychain here.',
  failed: 'The keychain does not work.',
} as const;

/** Says that values can be neither read nor kept, and what to do; nothing while the vault works. */
function VaultNotice({ vault: { kind, status, description, message } }: { vault: VaultStatus }) {
  if (status === 'ok') return null;
  const title = kind === 'keychain' ? titles[status] : `The vault cannot be used: ${description}.`;
  return (
    <Notice tone="bad" title={title}>
      {message === null ? null : (
        <p>
          <ServiceWords said={message} />
        </p>
      )}
      <p>
        Until then no value can be copied or replaced. A rotation that is due waits, and is finished by
        itself.
      </p>
    </Notice>
  );
}
