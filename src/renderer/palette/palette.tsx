import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { CredentialView } from '../../contract/credential-view.ts';
import type { Ivr } from '../../contract/ivr.ts';
import type { TokenView } from '../../contract/token.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { Resource } from '../kit/live/resource.ts';
import { useLive } from '../kit/live/use-live.ts';
import { useMinute } from '../kit/use-minute.ts';
import { type Command, type CommandOutcome, matchCommands } from './match-commands.ts';
import styles from './palette.module.css';
import { credentialCommands, familyCommand, menuCommand } from './thing-commands.ts';
import { windowCommands } from './window-commands.ts';

/**
 * Every action and every thing by its name: type, choose with the arrow keys, press Enter.
 *
 * A combobox with its list always open (ARIA Authoring Practices): the focus stays in the field, the list follows it.
 */
export function Palette({ onClose }: { onClose: () => void }) {
  const id = useId();
  const dialogRef = useRef<HTMLDialogElement>(null);
  const listRef = useRef<HTMLUListElement>(null);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const [outcome, setOutcome] = useState<CommandOutcome>();
  const [isBusy, setBusy] = useState(false);
  const commands = useCommands(typed);
  const current = Math.min(chosen, Math.max(0, commands.length - 1));

  useEffect(() => {
    const dialog = dialogRef.current;
    if (dialog !== null && !dialog.open) dialog.showModal();
  }, []);
  useEffect(() => {
    listRef.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);

  async function run(command: Command): Promise<void> {
    if ('go' in command) {
      // First closed, which gives the focus back: where this leads takes it then.
      dialogRef.current?.close();
      command.go();
      return;
    }
    if (isBusy) return;
    setBusy(true);
    setOutcome(await command.act());
    setBusy(false);
  }

  function steer(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined && commands.length > 0) {
      event.preventDefault();
      const next = current + step;
      // Around the ends by single steps only: a page that wraps loses its place.
      setChosen(
        Math.abs(step) === 1
          ? (next + commands.length) % commands.length
          : Math.max(0, Math.min(commands.length - 1, next)),
      );
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const command = commands[current];
      if (command !== undefined) void run(command);
    }
  }

  return (
    <dialog
      ref={dialogRef}
      className={styles['palette']}
      aria-label="Search and do"
      onClose={onClose}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      <div className={styles['inside']}>
        <input
          type="text"
          className={styles['field']}
          role="combobox"
          aria-label="Search actions and things"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={commands.length === 0 ? undefined : `${id}-${current}`}
          aria-autocomplete="list"
          placeholder="What would you like to do or see?"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setChosen(0);
            setOutcome(undefined);
          }}
          onKeyDown={steer}
        />
        <p className={styles['outcome']} role="status" data-tone={outcome?.tone}>
          {outcome?.words}
        </p>
        <ul ref={listRef} id={`${id}-list`} className={styles['list']} role="listbox" aria-label="Found">
          {commands.map((command, index) => (
            <li
              key={command.id}
              id={`${id}-${index}`}
              className={styles['command']}
              role="option"
              aria-selected={index === current}
              onMouseMove={() => setChosen(index)}
              onClick={() => void run(command)}
            >
              <span className={styles['group']} data-again={command.group === commands[index - 1]?.group}>
                {command.group}
              </span>
              <span className={styles['title']}>{command.title}</span>
              {command.hint === undefined ? null : <span className={styles['hint']}>{command.hint}</span>}
            </li>
          ))}
        </ul>
        {commands.length === 0 ? (
          <p className={styles['nothing']}>
            Nothing is called that. Tokens are found by name, category and id; credentials and phone menus by
            name.
          </p>
        ) : null}
        <p className={styles['keys']} aria-hidden="true">
          <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>Enter</kbd> do it <kbd>Esc</kbd> close
        </p>
      </div>
    </dialog>
  );
}

function useCommands(typed: string): readonly Command[] {
  const wanted = useDeferredValue(typed);
  const nowMs = useMinute();
  const things = useLive(namedThings).known?.value;
  const families = useLive(foundFamilies(wanted)).known?.value;
  return useMemo(
    () => [
      ...matchCommands(
        [
          ...windowCommands(),
          ...(things?.credentials ?? []).flatMap((one) => credentialCommands(one, nowMs)),
          ...(things?.menus ?? []).map(menuCommand),
        ],
        wanted,
      ),
      ...(families ?? []).map(familyCommand),
    ],
    [families, nowMs, things, wanted],
  );
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
function foundFamilies(typed: string): Resource<readonly TokenView[]> {
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
