import { type ReactNode, type Ref, useRef, useState } from 'react';
import { windowTitle } from '../../text/window/window.ts';
import { Text } from '../kit/text.tsx';
import { type CredentialView, isDead, type VaultStatus } from '../../contract/credential/credential-view.ts';
import { addCredentialText } from '../../text/credential/add-credential.ts';
import { credentialListText as text } from '../../text/credential/credential-list-text.ts';
import { fileVaultCommand, placeText, serviceLine, vaultTitle } from '../../text/credential/credentials.ts';
import { Box } from '../kit/box.tsx';
import { Button } from '../kit/button.tsx';
import { Card } from '../kit/card.tsx';
import { CommandLine, useCommandLine } from '../kit/command-line.tsx';
import { Stack } from '../kit/layout.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { goTo, leaveFor } from '../kit/navigation.ts';
import { Notice } from '../kit/notice.tsx';
import { PartFailure } from '../kit/part-failure.tsx';
import { useReturnOfFocus } from '../kit/dialog.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { credentialPath } from '../kit/window-paths.ts';
import cardStyles from '../kit/card.module.css';
import { ListPage, useFound } from '../kit/list/list-page.tsx';
import { searchList } from '../kit/search-list.ts';
import { useMedia } from '../kit/use-media.ts';
import { VirtualRows } from '../kit/list/virtual-rows.tsx';
import styles from './credentials.module.css';
import { AddDialog } from './add-dialog.tsx';
import { allCredentials, turningInstants, useStoreName, useTurning } from './read-credentials.ts';
import { stateSign } from './state-sign.tsx';
import { CredentialRow } from './list/credential-row.tsx';
import rowStyles from './list/credential-row.module.css';

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

/** The credentials that are looked for, and the way to one more. What is looked for stands in the address. */
function FoundCredentials({
  credentials,
  addRef,
}: {
  credentials: readonly CredentialView[];
  addRef: Ref<HTMLButtonElement>;
}) {
  const { sought, found } = useFound(credentials, findCredentials);
  const listRef = useRef<HTMLDivElement>(null);
  return (
    <ListPage
      search={{ name: 'q', what: text.search, placeholder: text.searchHint }}
      rows={found.length}
      count={
        found.length === credentials.length
          ? text.count(credentials.length, credentials.filter(isRotated).length)
          : text.found(found.length, credentials.length)
      }
      buttons={
        <Button rank="main" ref={addRef} onPress={() => goTo('/add-credential')}>
          {text.add}
        </Button>
      }
      none={{ title: text.none(sought), showAll: text.showAll }}
      onDown={() => listRef.current?.querySelector<HTMLElement>('[tabindex="0"], a')?.focus()}
    >
      <CredentialList ref={listRef} credentials={found} />
    </ListPage>
  );
}

/** Whether it works and is rotated automatically. */
function isRotated(one: CredentialView): boolean {
  return one.can_rotate !== false && !isDead(one);
}

/** Up to here each row is as high as it needs; above, only those in sight are drawn, all equally high. */
const drawnAtOnce = 40;

/** The credentials in the order that they are given. */
function CredentialList({
  ref,
  credentials,
}: {
  ref: Ref<HTMLDivElement>;
  credentials: readonly CredentialView[];
}) {
  const rowHeight = useRowHeight();
  if (credentials.length > drawnAtOnce) {
    return (
      <div ref={ref} className={`${cardStyles['box']} ${rowStyles['fills']}`}>
        <VirtualRows
          label={text.title}
          count={credentials.length}
          rowHeight={rowHeight}
          rowLabel={(index) => credentials[index]?.name ?? ''}
          onOpen={(index) => goTo(credentialPath(credentials[index]?.name ?? ''))}
          renderRow={(index) => {
            const one = credentials[index];
            return one === undefined ? null : <CredentialRow key={one.id} one={one} isFixed />;
          }}
        />
      </div>
    );
  }
  return (
    <div ref={ref} className={cardStyles['box']}>
      <ul aria-label={text.title}>
        {credentials.map((one) => (
          <li key={one.id}>
            <CredentialRow one={one} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What a row needs at most where it is laid out in so many columns, in pixels. */
function useRowHeight(): number {
  const isWide = useMedia('(min-width: 72.01rem)');
  const isNarrow = useMedia('(max-width: 40rem)');
  if (isWide) return 132;
  return isNarrow ? 320 : 232;
}

/** The credentials that have every word somewhere: in its name or its token's, the service, the state or a target. */
function findCredentials(credentials: readonly CredentialView[], sought: string): readonly CredentialView[] {
  return searchList(credentials, sought, (one) =>
    [
      one.name,
      one.token_name ?? '',
      serviceLine(one),
      stateSign(one).words,
      ...one.targets.map(({ target }) => placeText(target)),
    ].join('\n'),
  );
}
