import type { Theme } from '../../contract/service/settings.ts';
import { problemText } from '../../text/window/connection.ts';
import { commandText } from '../../text/window/palette.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { desktop } from '../kit/desktop-bridge.ts';
import { keyWords } from '../kit/keys/shortcut-list.ts';
import { shortcuts } from '../kit/keys/use-shortcut.ts';
import { goTo } from '../kit/navigation.ts';
import { windowPages } from '../kit/window-nav.tsx';
import { showFirstSteps } from '../overview/guide/guide-memory.ts';
import type { Command } from './match-commands.ts';

/** What the view offers that is shown. */
export function viewCommands(): Command[] {
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
export function windowCommands(onShortcuts: () => void): Command[] {
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
