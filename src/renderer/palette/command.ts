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

export const commandGroups = ['Do', 'Go to', 'Credentials', 'Tokens', 'Phone menus'] as const;
export type CommandGroup = (typeof commandGroups)[number];

export interface CommandOutcome {
  readonly tone: 'good' | 'bad';
  readonly words: string;
}
