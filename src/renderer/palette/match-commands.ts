import { paletteText } from '../../text/window/palette.ts';
import { plainLetters } from '../kit/search-list.ts';

/** As many as anybody looks through. */
const maxShown = 50;

/**
 * The commands that what is typed means, the best first; all of them, in their order, while nothing is typed.
 *
 * Every word that is typed has to be in the title or in the command's other words. Better is what begins with it, then
 * where a word begins with it, then where the title has it at all.
 */
export function matchCommands(commands: readonly Command[], typed: string): Command[] {
  const words = plainLetters(typed).split(/\s+/).filter(Boolean);
  const rated = commands.flatMap((command) => {
    const rate = rateOf(command, words);
    return rate === null ? [] : [{ command, rate }];
  });
  return rated
    .toSorted(
      (one, other) =>
        (words.length === 0 ? 0 : other.rate - one.rate) ||
        commandGroups.indexOf(one.command.group) - commandGroups.indexOf(other.command.group),
    )
    .slice(0, maxShown)
    .map(({ command }) => command);
}

function rateOf({ title, words = '', group }: Command, typed: readonly string[]): number | null {
  const inTitle = plainLetters(title);
  const elsewhere = `${plainLetters(words)} ${plainLetters(paletteText.groups[group])}`;
  let rate = 0;
  for (const word of typed) {
    if (inTitle.startsWith(word)) rate += 4;
    else if (inTitle.includes(` ${word}`) || inTitle.includes(`-${word}`)) rate += 3;
    else if (inTitle.includes(word)) rate += 2;
    else if (elsewhere.includes(word)) rate += 1;
    else return null;
  }
  return rate;
}

/** Something that can be gone to or done from anywhere. */
export type Command = {
  /** Unique. */
  readonly id: string;
  readonly group: CommandGroup;
  readonly title: string;
  /** What stands beside it: a status, a countdown, the keys that do the same. */
  readonly hint?: string | undefined;
  /** Words that find it, beside those of its title. */
  readonly words?: string | undefined;
} &
  /** Leads elsewhere: the palette closes first. */
  (
    | { readonly go: () => void }
    /** Does something: the palette stays to say how it went. */
    | { readonly act: () => Promise<CommandOutcome> }
  );

/** In the order in which they are shown. */
const commandGroups = ['view', 'action', 'page', 'credential', 'token', 'menu'] as const;
export type CommandGroup = (typeof commandGroups)[number];

export interface CommandOutcome {
  readonly tone: 'good' | 'bad';
  readonly words: string;
}
