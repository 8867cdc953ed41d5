import { type ReactNode, type Ref, useRef, useState } from 'react';
import { windowTitle } from '../../text/window/window.ts';
import { Text } from '../kit/text.tsx';
import type { VaultStatus } from '../../contract/credential/credential-view.ts';
import { addCredentialText } from '../../text/credential/add-credential.ts';
import { credentialListText as text } from '../../text/credential/credential-list-text.ts';
import { fileVaultCommand, vaultTitle } from '../../text/credential/credentials.ts';
import { Box } from '../kit/box.tsx';
import { Button } from '../kit/button.tsx';
import { Card } from '../kit/card.tsx';
import { CommandLine, useCommandLine } from '../kit/command-line.tsx';
import { Stack } from '../kit/layout.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { goTo, leaveFor } from '../kit/navigation.ts';
import { Notice } from '../kit/notice.tsx';
import { PartFailure } from '../kit/part-failure.tsx';
import { useReturnOfFocus } from '../kit/use-return-of-focus.ts';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import styles from './credentials.module.css';
import { AddDialog } from './add-dialog.tsx';
import { FoundCredentials } from './list/found-credentials.tsx';
import { allCredentials, turningInstants, useTurning, useStoreName } from './read-credentials.ts';

/** All credentials, the most urgent first, and the dialog that adds one. */
export function CredentialsWindow({ isAdding }: { isAdding: boolean }) {
  const live = useLive(allCredentials);
  const known = live.known?.value;
  const [chosenBefore, setChosenBefore] = useState<string | null>(null);
  const addRef = useRef<HTMLButtonElement>(null);
  useReturnOfFocus(isAdding, addRef);
  useTurning(allCredentials, known?.credentials.flatMap(turningInstants) ?? []);

  return (
    <WindowFrame
      title={windowTitle(isAdding ? addCredentialText.title : text.title)}
      heading={text.title}
      below={<Text tone="soft">{text.lead}</Text>}
      live={live}
      nav={<WindowNav current="credentials" />}
    >
      {known === undefined ? null : (
        <>
          <VaultNotice vault={known.vault} />
          {known.credentials.length === 0 ? (
            <FirstCredential addRef={addRef} />
          ) : (
            <FoundCredentials credentials={known.credentials} addRef={addRef} />
          )}
        </>
      )}
      {/* Whoever is not signed in is told that, not asked for a token. */}
      {isAdding && live.connection.kind !== 'signed-out' ? (
        <PartFailure>
          <AddDialog
            chosenBefore={chosenBefore}
            onChoose={setChosenBefore}
            onClose={() => leaveFor('/credentials')}
          />
        </PartFailure>
      ) : null}
    </WindowFrame>
  );
}

/** What to do while there is no credential: what they are for, and the ways to the first one. */
function FirstCredential({ addRef }: { addRef: Ref<HTMLButtonElement> }) {
  const { first } = text;
  const commandLine = useCommandLine();
  const store = useStoreName();
  return (
    <div className={styles['first']}>
      <Card title={first.title}>
        <Stack gap={6}>
          <p>{first.lead(store)}</p>
          <ul className={styles['ways']}>
            <Way {...first.withToken}>
              <Button rank="main" ref={addRef} onPress={() => goTo('/add-credential')}>
                {text.add}
              </Button>
            </Way>
            <Way {...first.without}>
              <Button onPress={() => goTo('/tokens/issue')}>{first.without.button}</Button>
            </Way>
          </ul>
          {commandLine === null ? null : (
            <Stack gap={2}>
              <Text tone="soft" size="medium">
                {first.typed}
              </Text>
              <CommandLine
                line={`${commandLine} token issue --name nightly-report --validity 7 --keep-as nightly`}
                what={first.command}
              />
            </Stack>
          )}
        </Stack>
      </Card>
    </div>
  );
}

function Way({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Box as="li" className={styles['way']}>
      <Text weight="bold">{title}</Text>
      <Text tone="soft" size="medium" className={styles['what']}>
        {text}
      </Text>
      {children}
    </Box>
  );
}

/** That tokens can be neither read nor stored, and what to do; nothing while the vault works. */
function VaultNotice({ vault }: { vault: VaultStatus }) {
  const commandLine = useCommandLine();
  const withFile = fileVaultCommand(vault);
  if (vault.status === 'ok') return null;
  return (
    <Notice tone="bad" title={`${vaultTitle(vault)}.`}>
      {vault.message === null ? null : <p>{vault.message}</p>}
      <p>{text.vaultConsequence}</p>
      {withFile === null || commandLine === null ? null : (
        <Stack gap={2}>
          <p>{text.withFile}</p>
          <CommandLine line={`${commandLine} ${withFile}`} what={text.withFileCommand} />
        </Stack>
      )}
    </Notice>
  );
}
