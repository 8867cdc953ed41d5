import type { MovedFrom } from '../../contract/service/moved-from.ts';
import type { CommandHelp } from '../cli/cli.ts';

/** What is said of data that may also be in use elsewhere: windows, commands, notifications, refusals. */

/** Where they come from, as a sentence. */
export function movedFromText({ reason, name, folder }: MovedFrom): string {
  switch (reason) {
    case 'other_machine':
      return `These data come from another computer (${name ?? 'its name is not known'}).`;
    case 'copy':
      return `These data are a copy of the data folder ${folder ?? ''} on this computer.`;
    case 'unreadable':
      return 'The file machine.json in the data folder cannot be read, so these data may be a copy.';
  }
}

/** Where it must not run any more, as a part of a sentence. */
function otherPlace({ reason, name, folder }: MovedFrom): string {
  switch (reason) {
    case 'other_machine':
      return `on ${name ?? 'the other computer'}`;
    case 'copy':
      return `with ${folder ?? 'that folder'}`;
    case 'unreadable':
      return 'anywhere else';
  }
}

/** What follows from it until somebody confirms. */
function waitingText(from: MovedFrom): string {
  return `Rotavox rotates and delivers nothing until you confirm that it no longer runs ${otherPlace(from)} with these data.`;
}

const command = 'rotavox confirm-move';

export const movedDataText = {
  title: (from: MovedFrom): string =>
    from.reason === 'other_machine'
      ? 'Nothing is rotated: these data come from another computer'
      : 'Nothing is rotated: these data may be in use elsewhere',
  /** `waiting`: the names of credentials that are due, as one text; null: none is. */
  text: (from: MovedFrom, waiting: string | null): string =>
    [
      movedFromText(from),
      waitingText(from),
      ...(waiting === null ? [] : [`Due already: ${waiting}.`]),
      'Programs still get the current tokens.',
    ].join(' '),
  /** Why a person's request is refused. */
  refused: (from: MovedFrom): string =>
    `${movedFromText(from)} ${waitingText(from)} Choose “${movedDataText.confirm}” in the overview.`,
  /** One line at a start. */
  line: (from: MovedFrom): string => `${movedFromText(from)} ${waitingText(from)} Run \`${command}\`.`,
  /** In `status`. */
  row: (from: MovedFrom): string => `${movedFromText(from)} Nothing is rotated. Run \`${command}\`.`,
  confirm: 'Rotate from here',
  confirming: 'Confirming…',
  cancel: 'Cancel',
  question: 'Rotate from here?',
  /** What a person confirms. */
  consequence: (from: MovedFrom): string =>
    `You confirm that Rotavox no longer runs ${otherPlace(from)} with these data. From now on it rotates and delivers the tokens from here. If it still runs there as well, each rotation here ends the token there.`,
} as const;

export const machineFileText = {
  runsThere: (folder: string, pid: number): string =>
    `Rotavox still runs with the data folder ${folder} (process ${pid}). Nothing was changed. Quit it first, then confirm again.`,
  unreadable: (path: string): string =>
    `${path} cannot be read, so it is not known whether these data are in use elsewhere. Rotavox rotates and delivers nothing until you confirm that they are not: \`${command}\`.`,
  refused: (path: string, code: string): string =>
    `${path} cannot be written (${code}). Check that the disk has free space and that you own the file and its folder.`,
} as const;

export const confirmMoveHelp = {
  description: [
    'Confirm that Rotavox no longer runs with these data elsewhere, so that it rotates tokens here.',
    '',
    'A data folder that comes from another computer, or is a copy, rotates nothing until then: a rotation here would end the token ' +
      'there. Stop Rotavox there first. Works with a running service and without.',
  ].join('\n'),
  examples: ['rotavox confirm-move', 'rotavox confirm-move --yes'],
  yes: 'confirm without a question, for scripts',
} as const satisfies CommandHelp & Record<string, unknown>;

export const confirmMoveText = {
  nothing: 'These data are used on this computer already. There is nothing to confirm.',
  ask: 'Rotate from here? [y/N] ',
  noTerminal:
    'There is no terminal to ask on. Add --yes if Rotavox no longer runs with these data elsewhere. Nothing was changed.',
  notConfirmed: 'Nothing was changed. Rotavox still rotates nothing.',
  confirmed: 'Confirmed. Rotavox rotates the tokens from here.',
  noFolder: (folder: string): string =>
    `There is no data folder ${folder}. Choose another one with --data-dir.`,
} as const;
