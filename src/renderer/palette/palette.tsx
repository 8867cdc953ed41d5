import { useEffect, useMemo, useRef, useState } from 'react';
import type { CredentialView } from '../../contract/credential/credential-view.ts';
import type { Ivr } from '../../contract/menu/ivr.ts';
import type { TokenRow } from '../../contract/token/token-list.ts';
import { paletteText } from '../../text/window/palette.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { Resource } from '../kit/live/resource.ts';
import { useLive } from '../kit/live/use-live.ts';
import { PickList } from '../kit/pick-list.tsx';
import { useMinute } from '../kit/use-minute.ts';
import { type Command, type CommandOutcome, matchCommands } from './match-commands.ts';
import styles from './palette.module.css';
import { credentialCommands, familyCommand, menuCommand } from './thing-commands.ts';
import { viewCommands, windowCommands } from './window-commands.ts';
import { Row } from '../kit/layout.tsx';
import { Text } from '../kit/text.tsx';

/** Every action and every thing by its name. */
export function Palette({ onShortcuts, onClose }: { onShortcuts: () => void; onClose: () => void }) {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [outcome, setOutcome] = useState<CommandOutcome>();
  const isBusy = useRef(false);
  const commands = useCommands(typed, onShortcuts);

  useEffect(() => {
    const dialog = dialogRef.current;
    if (dialog !== null && !dialog.open) dialog.showModal();
  }, []);

  async function run(command: Command): Promise<void> {
    if ('go' in command) {
      // First closed, which gives the focus back: where this leads takes it then.
      dialogRef.current?.close();
      command.go();
      return;
    }
    if (isBusy.current) return;
    isBusy.current = true;
    setOutcome(await command.act());
    isBusy.current = false;
  }

  return (
    <dialog
      ref={dialogRef}
      className={styles['palette']}
      aria-label={paletteText.label}
      onClose={onClose}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      <div className={styles['inside']}>
        <PickList
          label={paletteText.field}
          placeholder={paletteText.placeholder}
          listLabel={paletteText.results}
          styles={styles}
          groups={[
            {
              title: null,
              items: commands.map((command, index) => ({
                id: command.id,
                name: command.title,
                item: { command, isSameGroup: command.group === commands[index - 1]?.group },
              })),
            },
          ]}
          below={
            <p className={styles['outcome']} role="status" data-tone={outcome?.tone}>
              {outcome?.words}
            </p>
          }
          onSearch={(text) => {
            setTyped(text);
            setOutcome(undefined);
          }}
          onPick={({ command }) => void run(command)}
        >
          {({ command: { group, title, hint }, isSameGroup }) => (
            <>
              <Text as="span" tone="soft" size="small" className={styles['group']} data-again={isSameGroup}>
                {paletteText.groups[group]}
              </Text>
              <Text as="span" isCut className={styles['title']}>
                {title}
              </Text>
              {hint === undefined ? null : (
                <Text as="span" tone="soft" size="small" isOneLine>
                  {hint}
                </Text>
              )}
            </>
          )}
        </PickList>
        {commands.length === 0 ? (
          <Text tone="soft" className={styles['nothing']}>
            {paletteText.none}
          </Text>
        ) : null}
        <Text as="div" tone="soft" size="small" className={styles['keys']} aria-hidden="true">
          <Row gap={2} align="center">
            <kbd>↑</kbd> <kbd>↓</kbd> {paletteText.keys.choose} <kbd>Enter</kbd> {paletteText.keys.run}
            <kbd>Esc</kbd> {paletteText.keys.close}
          </Row>
        </Text>
      </div>
    </dialog>
  );
}

function useCommands(typed: string, onShortcuts: () => void): readonly Command[] {
  const nowMs = useMinute();
  const things = useLive(namedThings).known?.value;
  const families = useLive(foundFamilies(typed)).known?.value;
  return useMemo(() => {
    const found = matchCommands(
      [
        ...viewCommands(),
        ...windowCommands(onShortcuts),
        ...(things?.credentials ?? []).flatMap((one) => credentialCommands(one, nowMs)),
        ...(things?.menus ?? []).map(menuCommand),
      ],
      typed,
    );
    const ids = new Set(found.map(({ id }) => id));
    // A token and its credential are one thing, with one page.
    const others = (families ?? []).filter(({ kept_fresh_by: name }) => !ids.has(`credential:${name}`));
    return [...found, ...others.map(familyCommand)];
  }, [families, nowMs, onShortcuts, things, typed]);
}

/** How many families what is typed may find. */
const maxFamilies = '20';

/** The credentials and phone menus: few enough to search in the window. */
const namedThings: Resource<{
  readonly credentials: readonly CredentialView[];
  readonly menus: readonly Ivr[];
}> = {
  key: ['palette', 'things'],
  about: ['credential.', 'ivr.'],
  async read(signal) {
    const [credentials, menus] = await Promise.all([
      askPortal('listCredentials', { query: { planned: 'false' }, signal }),
      askPortal('portalListIvrs', { signal }),
    ]);
    if (credentials.kind !== 'ok') return credentials;
    if (menus.kind !== 'ok') return menus;
    return { kind: 'ok', value: { credentials: credentials.value.credentials, menus: menus.value.ivrs } };
  },
};

/** The newest token of each family that what is typed means. There may be very many: the service searches them. */
function foundFamilies(typed: string): Resource<readonly TokenRow[]> {
  const text = typed.trim();
  return {
    key: ['palette', 'families', text],
    about: ['token.'],
    keepsPrevious: true,
    async read(signal) {
      const reply = await askPortal('listTokens', {
        query: { newest: 'true', limit: maxFamilies, ...(text === '' ? {} : { text }) },
        signal,
      });
      return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.tokens } : reply;
    },
  };
}
