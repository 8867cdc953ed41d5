/** The canvas of the designer and the parts that are put on it. */
import { isolated } from '../names.ts';

export const canvasText = {
  title: 'Canvas',
  card: 'Enter opens the inspector, Space selects, Tab leads to the prompt of a selected menu, arrow keys go to the next part or move what is selected, Delete removes it.',
  map: 'Overview of the call flow',
  empty: {
    title: 'This call flow is empty',
    text: 'Add the menu that a call starts with, or double-click the canvas for any other part.',
    add: 'Add a menu',
  },
  zoom: 'Zoom',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fullSize: 'Show at 100 %',
  fit: 'Fit the call flow into the canvas',
  percent: (percent: number) => `${percent} %`,
  line: (from: string, to: string) => `Line from ${from} to ${to}`,
  lineFromCaller: 'the caller',
} as const;

/** What a card says. */
export const cardText = {
  caller: 'Caller',
  callerKind: 'A call comes in',
  dragFromCaller: 'Click to choose the first menu of a call, or drag to it',
  menu: 'Menu',
  /** `prompt` is what the card shows. */
  editPrompt: (prompt: string) => `Edit the prompt: ${prompt}`,
  fields: {
    name: 'Name',
    prompt: 'Callers hear',
    promptHint: 'Words to speak, or the name of a recording',
    ref: 'Number or id',
  },
  hours: 'Opening hours',
  message: 'Message',
  /** Opening hours whose schedule is not chosen, or was deleted. */
  chooseHours: 'Choose opening hours',
  hoursGone: 'These opening hours were deleted',
  asClosed: 'as closed',
  /** `says`: “Open until 17:00”. */
  switchOf: (schedule: string, says: string) => `Switch of “${isolated(schedule)}”: ${says}`,
  endOfCall: 'End of call',
  notChosen: 'Not chosen',
  notListed: 'Not in directory',
  noPrompt: 'No prompt',
  noDestination: 'no destination',
  waits: (seconds: number | null) => (seconds === null ? 'waits …' : `waits ${seconds} s`),
  sms: 'SMS',
  sendsSms: (template: string) => `Sends the SMS template “${template}”`,
  retries: (count: number | null) => `${count ?? '…'}`,
  retriesTitle: (count: number | null) => `Retries up to ${count ?? '…'} times`,
  /** `key` is a whole name: “Key 3”. */
  freeKey: (key: string) => `${key} is not used: click to choose its destination, or drag to it`,
  dragOut: (name: string) => `${name}: click to choose its destination, or drag to it`,
  more: (count: number) => `+${count}`,
  label: (kind: string, name: string) => `${kind}: ${isolated(name)}`,
  withProblems: (label: string, problems: readonly string[]) => `${label}. ${problems.join(' ')}`,
} as const;

/** The palette, and the list that asks where a new line leads. */
export const partsText = {
  title: 'Parts',
  search: 'Search parts',
  close: 'Close the parts',
  noMatches: 'No matches',
  more: (count: number) => `${count.toLocaleString()} more. Search to find them.`,
  add: 'Part to add',
  leadsTo: 'What the line leads to',
  leadsToHint: 'Name or number',
  groups: {
    new: 'New',
    extensions: 'Extensions',
    menus: 'Stored menus',
    recordings: 'Recordings',
    smsTemplates: 'SMS templates',
    templates: 'Templates',
  },
  empty: {
    extensions: 'No extensions yet. Import them in the settings.',
    menus: 'No menus are stored here yet.',
    recordings: 'No recordings yet. Record or upload one under Recordings.',
    smsTemplates: 'No SMS templates yet. Add them in the settings.',
    smsTemplatesOff: 'SMS templates are turned off in the settings.',
  },
  menu: 'Menu',
  hours: 'Opening hours',
  message: 'Message',
  detail: {
    menu: 'Plays a prompt and waits for a key',
    hours: 'Lead callers by the time of the call',
    message: 'Plays a prompt and leads on',
    hangup: 'Ends the call',
    extension: 'By its number',
    other: 'By its id on the telephone system',
  },
  tooltip: (name: string, detail: string) => `${isolated(name)} — ${detail}`,
  added: (name: string) => `${isolated(name)} was added.`,
  templateAdded: (name: string) => `${isolated(name)} was added below the call flow.`,
  selectMenu: (recording: string) => `Select a menu or a message first. ${recording} becomes its prompt.`,
  isPrompt: (recording: string) => `${recording} is the prompt of the selected menu.`,
  dragSmsTemplate: (name: string) =>
    `Drag ${isolated(name)} onto a key, or choose it for a key in the inspector.`,
} as const;

/** What each template to start from is for. */
export const templateText = {
  office: 'A menu while the office is open, a message and the mailbox while it is closed',
  'on-call':
    'A menu by day. At night and on weekends urgent calls go to the mailbox “on-call”: choose an outside number there once the settings allow them',
  holidays: 'A menu while open, a message while closed, and another one on holidays of every year',
  reception: 'One menu that leads callers to departments, with destinations for wrong keys and timeouts',
  'opening-hours': 'Opening hours and directions in a separate menu, and a time condition before the team',
  'support-queue': 'Product first, then urgency, with voicemail when nobody chooses',
  survey: 'Three questions one after the other, each answered from 1 to 5',
} as const;
