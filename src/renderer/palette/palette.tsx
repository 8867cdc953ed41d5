import { useEffect, useMemo, useRef, useState } from 'react';
import { type CredentialView, isDead, mayRotate } from '../../contract/credential/credential-view.ts';
import { type CallStart, callStarts } from '../../core/calls/call-starts.ts';
import type { TokenRow } from '../../contract/token/token-list.ts';
import { paletteText, commandText } from '../../text/window/palette.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { Resource } from '../kit/live/resource.ts';
import { useLive } from '../kit/live/use-live.ts';
import { PickList } from '../kit/pick-list.tsx';
import { useMinute } from '../kit/use-minute.ts';
import { type Command, type CommandOutcome, matchCommands } from './match-commands.ts';
import styles from './palette.module.css';
import { Row } from '../kit/layout.tsx';
import { Text } from '../kit/text.tsx';
import type { Theme } from '../../contract/service/settings.ts';
import { problemText, type Change } from '../../text/window/connection.ts';
import { desktop } from '../kit/desktop-bridge.ts';
import { keyWords, shortcuts } from '../kit/keys/use-shortcut.ts';
import { goTo } from '../kit/navigation.ts';
import { windowPages } from '../kit/window-nav.tsx';
import { showFirstSteps } from '../overview/guide/guide-memory.ts';
import { rotatePath } from '../../contract/window/window-page.ts';
import { credentialPath, familyPath, menuPath } from '../kit/window-paths.ts';
import { readTokenToCopy } from '../credentials/read-credentials.ts';
import { copySecret } from '../kit/clipboard.ts';
import { credentialLabel, tokenNameText } from '../../text/credential/credentials.ts';
import { durationText } from '../../text/time.ts';
import type { PortalReply } from '../kit/read-portal.ts';

/** Every action and every thing by its name. */
export function Palette({
  early,
  onShortcuts,
  onClose,
}: {
  /** What was typed before it was there. */
  early: string;
  onShortcuts: () => void;
  onClose: () => void;
}) {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState(early);
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
          sought={typed}
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
  readonly menus: readonly CallStart[];
}> = {
  key: ['palette', 'things'],
  about: ['credential.', 'ivr.', 'draft.published'],
  async read(signal) {
    const [credentials, menus] = await Promise.all([
      askPortal('listCredentials', { query: { planned: 'false' }, signal }),
      askPortal('portalListIvrs', { signal }),
    ]);
    if (credentials.kind !== 'ok') return credentials;
    if (menus.kind !== 'ok') return menus;
    return {
      kind: 'ok',
      value: {
        credentials: credentials.value.credentials,
        menus: callStarts(menus.value.ivrs, menus.value.parts ?? []),
      },
    };
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

/** What the view offers that is shown. */
function viewCommands(): Command[] {
  return shortcuts.all.flatMap(({ keys, what, run, isCommand = false }) =>
    run === null || !isCommand
      ? []
      : [
          {
            id: `view:${keys}`,
            group: 'view' as const,
            title: what,
            hint: keyWords(keys, isMac).join(' '),
            go: run,
          },
        ],
  );
}

const isMac = navigator.userAgent.includes('Mac');

/** What can be done and gone to whatever there is. `onShortcuts` opens the sheet of shortcuts. */
function windowCommands(onShortcuts: () => void): Command[] {
  const quit = desktop?.quit;
  return [
    action('issue', commandText.issue, () => goTo('/tokens/issue')),
    action('add', commandText.add, () => goTo('/add-credential')),
    action('verify', commandText.verify, () => goTo('/history?verify=1')),
    action('first-steps', commandText.firstSteps, () => {
      showFirstSteps();
      goTo('/');
    }),
    action('shortcuts', commandText.shortcuts, onShortcuts, '?'),
    themeCommand('system'),
    themeCommand('light'),
    themeCommand('dark'),
    ...(quit === undefined ? [] : [action('quit', commandText.quit, () => void quit())]),
    ...windowPages.map(({ page, name, to, keys }) => ({
      id: `go:${to}`,
      group: 'page' as const,
      title: name,
      ...(page === 'menus' ? { words: commandText.menuWords } : {}),
      hint: keys,
      go: () => goTo(to),
    })),
    {
      id: 'go:/telephone-systems',
      group: 'page',
      ...commandText.telephoneSystems,
      go: () => goTo('/telephone-systems'),
    },
    {
      id: 'go:/docs',
      group: 'page',
      ...commandText.reference,
      go: () => void open('/docs', '_blank', 'noopener'),
    },
  ];
}

function themeCommand(theme: Theme): Command {
  const { themes } = commandText;
  return {
    id: `theme:${theme}`,
    group: 'action',
    title: themes[theme],
    words: themes.words,
    act: async () => {
      const reply = await askPortal('changeSettings', { body: { theme } });
      if (reply.kind === 'ok') return { tone: 'good', words: themes.done };
      return { tone: 'bad', words: problemText(reply, 'settings_changed') };
    },
  };
}

function action(
  id: string,
  text: { readonly title: string; readonly words: string },
  go: () => void,
  hint?: string,
): Command {
  return { id, group: 'action', ...text, hint, go };
}

const hourMs = 60 * 60_000;

/** A credential's page, and what is urgent to do with it. */
function credentialCommands(one: CredentialView, nowMs: number): Command[] {
  const { name, state, paused } = one;
  const leftMs = Date.parse(one.expires_at) - nowMs;
  const isWell = state === 'fine' || state === 'paused';
  const page: Command = {
    id: `credential:${name}`,
    group: 'credential',
    title: name,
    words: one.base_url,
    hint:
      isWell && leftMs > 0
        ? durationText(leftMs)
        : credentialLabel(state, one.trouble?.kind ?? null, one.provider.id),
    go: () => goTo(credentialPath(name)),
  };
  const rotate: Command = {
    id: `rotate:${name}`,
    group: 'action',
    title: commandText.rotate.title(name),
    words: commandText.rotate.words,
    // Its page asks before, and shows the steps.
    go: () => goTo(rotatePath(name)),
  };
  const copy: Command = {
    id: `copy:${name}`,
    group: 'action',
    title: commandText.copy.title(name),
    act: () => copyToken(name),
  };
  const pause: Command = {
    id: `pause:${name}`,
    group: 'action',
    title: commandText.pause.title(name),
    act: async () => {
      const until = new Date(Date.now() + hourMs).toISOString();
      const reply = await askPortal('pauseCredential', { params: { name }, body: { until } });
      return outcomeOf(reply, commandText.pause.done(name), 'rotation_paused');
    },
  };
  const resume: Command = {
    id: `resume:${name}`,
    group: 'action',
    title: commandText.resume.title(name),
    act: async () => {
      const reply = await askPortal('resumeCredential', { params: { name } });
      return outcomeOf(reply, commandText.resume.done(name), 'rotation_resumed');
    },
  };
  return [
    page,
    ...(mayRotate(one) ? [rotate] : []),
    ...(isDead(one) ? [] : [copy]),
    ...(mayRotate(one) ? [paused === null ? pause : resume] : []),
  ];
}

/** The page of a token: which ones are meant is for the service to say, it looks at more than names. */
function familyCommand(token: TokenRow): Command {
  return {
    id: `family:${token.family_id}`,
    group: 'token',
    title: tokenNameText(token),
    hint: token.status,
    go: () =>
      goTo(token.kept_fresh_by === null ? familyPath(token.family_id) : credentialPath(token.kept_fresh_by)),
  };
}

function menuCommand(menu: CallStart): Command {
  const { id, name } = menu;
  return {
    id: `menu:${id}`,
    group: 'menu',
    title: name,
    words: 'description' in menu ? menu.description : '',
    go: () => goTo(menuPath(id)),
  };
}

async function copyToken(name: string): Promise<CommandOutcome> {
  const found = await readTokenToCopy(name);
  if (found.kind !== 'ok') return { tone: 'bad', words: problemText(found) };
  try {
    await copySecret(found.value.value, () => undefined);
  } catch {
    return { tone: 'bad', words: commandText.copy.refused };
  }
  return {
    tone: 'good',
    words: commandText.copy.done(name),
  };
}

/** `change` is what was asked for: it may have been done although no answer came. */
function outcomeOf(reply: PortalReply<unknown>, words: string, change: Change): CommandOutcome {
  return reply.kind === 'ok' ? { tone: 'good', words } : { tone: 'bad', words: problemText(reply, change) };
}
