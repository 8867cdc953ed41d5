import type { Command } from 'commander';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { openBrowser } from '../open-browser.ts';
import { openPortal } from '../portal.ts';
import { print, printJson, say } from '../terminal.ts';

interface OpenOptions extends GlobalOptions {
  readonly json?: true;
  readonly browser: boolean;
}

export function openCommand(program: Command): void {
  addCommand(program, 'open', {
    description: 'Make a sign-in link and open it in a browser where a desktop is there.',
    examples: ['rotavox open', 'rotavox open --no-browser'],
  })
    .option('--no-browser', 'only print the link')
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<OpenOptions>();
      const link = await openPortal(options).ask('createSignInLink');
      const opened = options.browser && (await openBrowser(link.url));
      if (options.json) {
        printJson({ ...link, opened });
        return;
      }
      print(link.url);
      say(
        `${opened ? 'Opened in your browser' : 'Open it in a browser on this machine'}. ` +
          `The link works once, within ${Math.round(link.expires_in / 60)} minutes.`,
      );
    });
}
