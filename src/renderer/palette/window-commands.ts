import type { Theme } from '../../contract/settings.ts';
import { menuPath } from '../kit/address.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { desktop } from '../kit/desktop.ts';
import { showShortcuts } from '../kit/keys/palette-button.tsx';
import { goTo } from '../kit/navigation.ts';
import { problemWords } from '../kit/problem-words.ts';
import { windowPages } from '../kit/window-nav.tsx';
import { showFirstSteps } from '../overview/guide/guide-memory.ts';
import type { Command } from './match-commands.ts';

/** What can be done and gone to whatever there is. */
export function windowCommands(): Command[] {
  const quit = desktop?.quit;
  return [
    toDo('issue', 'Issue a token…', 'new create api', () => goTo('/tokens/issue')),
    toDo('keep', 'Keep a token fresh…', 'add credential paste rotate', () => goTo('/add-credential')),
    toDo('verify', 'Verify the journal', 'history check chain tamper', () => goTo('/history?verify=1')),
    toDo('first-steps', 'Show the first steps', 'guide help begin tour', () => {
      showFirstSteps();
      goTo('/');
    }),
    toDo('shortcuts', 'Show the keyboard shortcuts', 'keys help', showShortcuts, '?'),
    themeCommand('system', 'Look as the system does'),
    themeCommand('light', 'Look light'),
    themeCommand('dark', 'Look dark'),
    ...(quit === undefined ? [] : [toDo('quit', 'Quit Rotavox', 'exit stop end service', () => void quit())]),
    ...windowPages.flatMap(({ name, to, keys }) =>
      keys === null
        ? []
        : { id: `go:${to}`, group: 'Go to' as const, title: name, hint: keys, go: () => goTo(to) },
    ),
    { id: 'go:/ivr', group: 'Go to', title: 'Phone menus', words: 'ivr designer', go: () => openDesigner() },
    {
      id: 'go:/docs',
      group: 'Go to',
      title: 'API reference',
      words: 'docs openapi',
      go: () => void open('/docs', '_blank', 'noopener'),
    },
  ];
}

function themeCommand(theme: Theme, title: string): Command {
  return {
    id: `theme:${theme}`,
    group: 'Do',
    title,
    words: 'theme appearance colours mode',
    act: async () => {
      const reply = await askPortal('changeSettings', { body: { theme } });
      if (reply.kind === 'ok') return { tone: 'good', words: 'Every window looks so from now on.' };
      return { tone: 'bad', words: problemWords(reply, 'it was changed') };
    },
  };
}

function toDo(id: string, title: string, words: string, go: () => void, hint?: string): Command {
  return { id, group: 'Do', title, words, hint, go };
}

/** Opens the phone menus, or one of them, in their own window: the one that is open already where there is one. */
export function openDesigner(id?: string): void {
  // Not `noopener`: a window without an opener has no name to be found by again.
  open(id === undefined ? '/ivr' : menuPath(id), 'rotavox-ivr');
}
