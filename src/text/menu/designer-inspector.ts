import type { BodyField } from '../../contract/menu/ivr-problem.ts';
import { countWords } from '../count.ts';
import { quoted } from './phone-menu.ts';

/** The fields of a call flow: the inspector beside the canvas, and the outline, which has the same fields as a list. */

export const inspectorText = {
  title: 'Inspector',
  remove: 'Remove',
  /** `what` is a quoted name or a count of parts. */
  removeWhat: (what: string) => `Remove ${what}`,
  /** A part in the name of a button. */
  part: (name: string) => quoted(name),
  parts: (count: number) => countWords(count, 'part'),
  caller: { kind: 'Start of every call', title: 'Caller' },
  first: 'Every call starts with',
  firstName: 'the caller',
  firstHint: 'The part that a telephone number is connected to.',
  menu: 'Menu',
  destination: {
    kind: 'Destination',
    ledHere: 'Leads here',
    lines: (count: number) => (count === 0 ? 'nothing yet' : countWords(count, 'line')),
  },
  several: {
    kind: 'Selected',
    align: 'Align',
    alignLeft: 'Align left edges',
    alignTop: 'Align top edges',
    distributeDown: 'Distribute vertically',
    distributeAcross: 'Distribute horizontally',
    hint: 'Select a single part to edit it.',
  },
  draft: {
    kind: 'Draft',
    name: 'Name',
    menus: 'Menus',
    destinations: 'Destinations',
    scenarios: 'Scenarios',
    checks: 'Checks',
    hint: 'Select a part of the call flow to edit it.',
    steps: [
      'Add a menu from the parts, or start with a template.',
      'Choose what callers hear, and add a key for each option.',
      'Lead each key to a destination: an extension, another menu, the end of the call.',
      'Play a test call, and publish when there are no errors.',
    ],
  },
} as const;

export const outlineText = {
  title: 'Outline',
  caller: 'Caller',
  menus: 'Menus',
  addMenu: 'Add a menu',
  addHours: 'Add opening hours',
  addMessage: 'Add a message',
  removePart: 'Remove this part',
  noMenus: 'No menus yet. Add the one that every call starts with.',
  removeMenu: 'Remove this menu',
  destinations: 'Destinations',
  addDestination: 'Add a destination',
  noDestinations: 'No destinations yet. You can also add one where you choose where a key leads.',
  /** An exit of a menu in one line; `to` is null where it leads nowhere. */
  way: (way: string, to: string | null) => `${way === '' ? '?' : way}: ${to ?? 'no destination'}`,
} as const;

/** The fields of opening hours and of a message. */
export const officeText = {
  hours: 'Opening hours',
  choose: 'Choose opening hours',
  deleted: (id: string) => `${id} (deleted)`,
  add: 'New opening hours…',
  edit: 'Edit week and exceptions',
  none: 'Add opening hours, or choose some that are there.',
  /** The exception of today. */
  exception: (name: string) =>
    name === '' ? 'An exception applies today.' : `Today is an exception: ${name}.`,
  exits: {
    open: 'Open leads to',
    closed: 'Closed leads to',
    holiday: 'Holiday leads to',
  },
  holidayHint: 'Closed because of an exception. Without a destination: as closed.',
  message: 'Message',
  name: 'Name',
  recording: 'Callers hear',
  then: 'Then the call goes to',
} as const;

/** Which numbers a caller may dial in a menu. */
export const directDialText = {
  title: 'Direct dial',
  label: 'Callers may dial',
  choices: {
    off: 'Only the keys of this menu',
    directory: 'Extensions of the directory',
    patterns: 'Numbers that match a list',
  },
  directoryHint: 'Exactly the extensions that are in the directory. Any other number is a wrong key.',
  patterns: 'Numbers',
  patternsHint: 'Such as 101, 1XX. X is 0 to 9, Z is 1 to 9, N is 2 to 9.',
  digitTimeout: 'Wait for the next digit',
  seconds: (count: number) => (count === 1 ? '1 second' : `${count} seconds`),
  confirm: {
    title: 'Let callers dial numbers that are not in the directory?',
    text: 'Callers then reach every number that matches the list, also phones that should not be called from outside. Feature codes, outside lines and emergency numbers are never dialled.',
    verb: 'Allow these numbers',
    cancel: 'Cancel',
  },
} as const;

/** The groups of a menu's fields. */
export const menuGroupText = {
  prompt: 'Prompt',
  keys: 'Keys',
  wrongKey: 'Wrong key',
  timeout: 'Timeout',
} as const;

/** The fields of a menu by their names in the body. */
export const menuFieldText = {
  name: 'Name',
  description: 'Description',
  recording: 'Callers hear',
  timeout: 'Then wait for a key',
  incorrect_count: 'Then repeat the menu up to',
  invalid_recording: 'After a wrong key',
  timeout_retry_recording: 'Before a retry',
  timeout_recording: 'After the last timeout',
  timeout_tries: 'Then repeat the menu up to',
  invalid_destination: 'Too many wrong keys lead to',
  timeout_destination: 'Then the timeout leads to',
} as const satisfies Readonly<Record<BodyField | 'invalid_destination' | 'timeout_destination', string>>;

export const unitText = { seconds: 'seconds', times: 'times' } as const;

/** What an exit of a menu is called in “Where … leads” and in what undo says. */
export const wayText = {
  wrongKey: 'the wrong key',
  timeout: 'the timeout',
  key: (key: string, place: number) => (key === '' ? `key ${place} in order` : `key ${key}`),
} as const;

export const destinationText = {
  label: (way: string) => `Where ${way} leads`,
  none: 'No destination',
  removed: 'A part that was removed',
  menu: 'menu',
  /** The list while nothing is typed. */
  groups: {
    flow: 'In this call flow',
    new: 'New',
    extensions: 'Extensions',
    menus: 'Stored menus',
    none: 'Disconnect',
  },
  newMenu: 'New menu',
  newHours: 'New opening hours',
  newMessage: 'New message',
  newOf: (kind: string) => `New: ${kind.toLowerCase()}`,
  kind: 'Kind',
  id: 'Id',
  idOf: (kind: string) => `${kind}: id`,
  idHint: (kind: string) => `Id of the ${kind.toLowerCase()}`,
  ends: 'The call ends here.',
  search: 'Search by name, or enter an id that the telephone system knows.',
  idOnly: 'Its id on the telephone system.',
  numberHint: 'With its country, such as +4930123456. The settings say which countries may be called.',
} as const;

/** An extension that was typed and is not in the directory. */
export const addExtensionText = {
  open: 'Add to the directory',
  name: (id: string) => `Name of extension ${id}`,
  hint: 'Name',
  noName: 'Enter a name.',
  add: 'Add',
} as const;

export const keysText = {
  none: 'No keys yet. Add at least one that a caller can press.',
  tableOf: (menu: string) => `Keys of ${menu}`,
  columns: { key: 'Key', destination: 'Leads to', sms: 'SMS', order: 'Order' },
  add: 'Add a key',
  full: (most: number) => `A menu has at most ${most} keys`,
  /** The field of a key's sign, by its place in the list. */
  key: (place: number) => `Key ${place} in order`,
  template: 'SMS template',
  templateOf: (key: string) => `SMS template of ${key}`,
  noTemplate: 'No SMS',
  order: (key: string) => `Order of ${key}`,
  moveUp: (key: string) => `Move ${key} up`,
  moveDown: (key: string) => `Move ${key} down`,
  remove: (key: string) => `Remove ${key}`,
  templatesNotSent: 'The SMS templates of these keys are not sent: SMS templates are turned off.',
  templatesOff: 'Keys can send an SMS template. SMS templates are turned off.',
  settings: 'Open settings',
} as const;

export const recordingText = {
  kindOf: (label: string) => `${label}: kind`,
  asWritten: 'As written',
  search: 'Search by name, or enter an id.',
  none: 'Record or upload one, or enter an id.',
  soundHint: 'A recording on the telephone system, by its name there, such as custom/welcome.',
  say: 'What should callers hear? Write the words to be spoken.',
  toolsOf: (label: string) => `${label}: recording`,
  recordFor: (label: string) => `Record “${label}”`,
  uploadFor: (label: string) => `Upload an audio file for “${label}”`,
  fileFor: (label: string) => `Audio file for “${label}”`,
  uploading: 'Uploading …',
  spoken: (words: string) => `“${words}”`,
  listen: (label: string) => `Listen to “${label}”`,
  stop: (label: string) => `Stop “${label}”`,
  silent: (label: string) => `“${label}” cannot be played here: there is no audio file and no speech voice`,
} as const;

/** The prompts of all menus that have none of their own. */
/** The language and the voice of the texts of one call flow. */
export const flowSpeechText = {
  title: 'Language and voice',
  hint: 'How the typed prompts of this call flow are spoken.',
} as const;

export const flowPromptText = {
  title: 'Prompts of all menus',
  hint: 'A menu without its own prompt plays these.',
  labels: { wrong_key: 'After any wrong key', timeout: 'After any timeout' },
  /** `prompt` is the name of a recording, or what is spoken. */
  default: (prompt: string) => `Default: ${prompt}`,
  makeDefault: (label: string) => `Make this the default for “${label}”`,
} as const;

/** The list below a field that can be typed or chosen. */
export const comboText = { offers: 'Known here' } as const;
