/** The fixed labels of the command palette. */
export const paletteText = {
  label: 'Command palette',
  field: 'Search actions, pages, tokens and menus',
  placeholder: 'Search actions, pages and items',
  results: 'Results',
  none: 'No matches. Tokens are found by name, category and ID; credentials and phone menus by name.',
  keys: { choose: 'select', run: 'run', close: 'close' },
  groups: {
    view: 'This page',
    action: 'Actions',
    page: 'Pages',
    credential: 'Credentials',
    token: 'Tokens',
    menu: 'Phone menus',
  },
} as const;

/** An action or a page: its title, and other words that find it. */
export const commandText = {
  issue: { title: 'Issue a token…', words: 'new create api' },
  add: { title: 'Add a credential…', words: 'rotate automatically paste new' },
  verify: { title: 'Verify the journal', words: 'history check chain tamper' },
  firstSteps: { title: 'Show the first steps', words: 'guide help start tour' },
  shortcuts: { title: 'Show the keyboard shortcuts', words: 'keys help' },
  quit: { title: 'Quit Rotavox', words: 'exit stop end service' },
  telephoneSystems: { title: 'Telephone systems', words: 'pbx asterisk freepbx calls' },
  menuWords: 'ivr designer',
  reference: { title: 'API reference', words: 'docs openapi' },
  themes: {
    words: 'appearance colors mode',
    system: 'Theme: same as the system',
    light: 'Theme: light',
    dark: 'Theme: dark',
    done: 'The theme is changed in all windows.',
  },
  rotate: { title: (name: string) => `Rotate ${name} now…`, words: 'renew refresh' },
  copy: {
    title: (name: string) => `Copy the token of ${name}`,
    done: (name: string) => `The token of ${name} was copied. The clipboard is cleared after 30 seconds.`,
    refused: 'Copying is not allowed here. Copy the token on the page of the credential.',
  },
  pause: {
    title: (name: string) => `Pause ${name} for 1 hour`,
    done: (name: string) => `Rotation of ${name} is paused for 1 hour.`,
  },
  resume: {
    title: (name: string) => `Resume ${name}`,
    done: (name: string) => `Rotation of ${name} is resumed.`,
  },
} as const;

/** The sheet of keyboard shortcuts. */
export const shortcutText = {
  title: 'Keyboard shortcuts',
  close: 'Close',
  singleKeys: 'Single-key shortcuts, such as g or /',
  lists: {
    rows: 'Move through the rows of a list',
    pages: 'Move by one page',
    ends: 'Go to the first or last row',
    open: 'Open the row',
  },
} as const;
