import type { BodyField } from '../../contract/menu/ivr-problem.ts';
import { countWords } from '../count.ts';

/**
 * The designer's window: its bars, what undo calls each edit, saving, and the list of problems.
 *
 * The canvas and the parts are in `designer-canvas.ts`, the fields in `designer-inspector.ts`, calls and scenarios in
 * `test-call.ts`.
 */

/** “1 part”, “3 parts”. */
function parts(count: number): string {
  return countWords(count, 'part');
}

/** What undo and redo call an edit: “Undo: add a menu”. */
export const editText = {
  addMenu: 'add a menu',
  addHours: 'add opening hours',
  addMessage: 'add a message',
  addDestination: 'add a destination',
  addTemplate: 'add a template',
  addKey: (key?: string) => (key === undefined ? 'add a key' : `add key ${key}`),
  changeKey: 'change a key',
  changeKeyTemplate: (name: string) => `change the SMS template of ${name}`,
  moveKey: (name: string) => `move ${name}`,
  /** A key, or the name of a part. */
  remove: (name: string) => `remove ${name}`,
  removeParts: (count: number) => `delete ${parts(count)}`,
  move: (count: number) => `move ${parts(count)}`,
  paste: (count: number) => `paste ${parts(count)}`,
  duplicate: (count: number) => `duplicate ${parts(count)}`,
  align: 'align parts',
  distribute: 'distribute parts',
  arrange: 'lay out in columns',
  addLine: 'draw a line',
  removeLine: 'remove a line',
  chooseDestination: (name: string) => `choose where ${name} leads`,
  changeDestinationKind: 'change the kind of a destination',
  changeDestinationId: 'change the id of a destination',
  chooseRecording: 'choose a recording',
  chooseSmsTemplate: 'choose an SMS template',
  changeFlowPrompt: 'change a prompt of all menus',
  changeFlowSpeech: 'change language and voice',
  changeMenu: {
    name: 'change the name of a menu',
    description: 'change the description of a menu',
    recording: 'change the prompt',
    timeout: 'change how long a menu waits',
    incorrect_count: 'change the retries after a wrong key',
    invalid_recording: 'change what plays after a wrong key',
    timeout_retry_recording: 'change what plays before a retry',
    timeout_recording: 'change what plays after the last timeout',
    timeout_tries: 'change the retries after a timeout',
  } satisfies Readonly<Record<BodyField, string>>,
  chooseHours: 'choose opening hours',
  changeMessage: {
    name: 'change the name of a message',
    recording: 'change what a message says',
  },
  changeDirectDial: 'change which numbers callers may dial',
  editBody: 'edit a menu as JSON',
  renameDraft: 'rename the draft',
  restore: (version: number) => `restore version ${version}`,
  loadOther: 'load the changes made elsewhere',
  chooseVersions: 'choose between two versions',
  addScenario: 'add a scenario',
  saveScenario: 'save a scenario',
  renameScenario: 'rename a scenario',
  changeScenario: 'change a scenario',
  changeExpected: 'change what a scenario expects',
  expectThis: 'expect this result',
  deleteScenario: 'delete a scenario',
} as const;

/** The bars around the canvas. */
export const designerText = {
  windowTitle: (draft: string) => `${draft} — Rotavox`,
  heading: 'Phone menu draft',
  unknown: {
    title: 'There is no draft with this id.',
    text: 'The draft {name} was deleted, or the link comes from another machine. Menus published from it are among the stored menus.',
  },
  back: 'Phone menus',
  main: 'Call flow',
  name: 'Name of the draft',
  edit: 'Edit',
  parts: 'Parts',
  inspector: 'Inspector',
  undo: (edit: string | null) => (edit === null ? 'Nothing to undo' : `Undo: ${edit}`),
  undone: (edit: string) => `Undone: ${edit}`,
  redone: (edit: string) => `Done again: ${edit}`,
  redo: (edit: string | null) => (edit === null ? 'Nothing to redo' : `Redo: ${edit}`),
  arrange: 'Lay out in columns',
  arranged: 'The parts were laid out in columns.',
  view: 'View',
  views: { canvas: 'Canvas', outline: 'Outline' },
  draft: 'Draft',
  versions: 'Versions',
  export: 'Export',
  delete: 'Delete this draft',
  play: 'Play',
  stopPlaying: 'Stop playing',
  stop: 'Stop',
  publish: 'Publish',
  more: 'More',
  partsWidth: 'Width of the parts',
  inspectorWidth: 'Width of the inspector',
} as const;

/** The links past the bars. */
export const skipText = {
  title: 'Skip to',
  views: { canvas: 'Skip to the canvas', outline: 'Skip to the outline' },
  inspector: 'Skip to the inspector',
  problems: 'Skip to the problems',
} as const;

/** What the list of keyboard shortcuts says. */
export const shortcutText = {
  addMenu: 'Add a menu',
  addPart: 'Add a part to the canvas',
  addKey: 'Add a key to the menu whose fields have the focus',
  publish: 'Publish the call flow',
  publishNow: 'Publish, in its dialog',
  nextProblem: 'Go to the next problem',
  saveScenario: 'Save the test call as a scenario',
  undo: 'Undo',
  redo: 'Redo',
  duplicate: 'Duplicate what is selected',
  copy: 'Copy what is selected',
  cut: 'Cut what is selected',
  paste: 'Paste',
  selectAll: 'Select everything',
  arrange: 'Lay the parts out in columns',
  play: 'Play a call',
  parts: 'Show or hide the parts',
  inspector: 'Show or hide the inspector',
  below: 'Show or hide the panel below',
  view: 'Switch between canvas and outline',
  fit: 'Fit the call flow into the canvas',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
} as const;

export const deleteDraftText = {
  title: 'Delete this draft?',
  text: (name: string) =>
    `The draft “${name}”, its scenarios and its undo history are deleted. Menus published from it stay stored and keep working, and its versions stay in the history.`,
  /** Where it asks opening hours. */
  hours:
    'Opening hours that its template added go with it, unless they were changed or set by hand, or a published call flow or another draft asks them.',
  keep: 'Cancel',
  delete: 'Delete the draft',
  deleting: 'Deleting …',
} as const;

/** The windows that have the same call flow open. `owner` is null for the owner of this machine, who has no name. */
export const otherWindowsText = {
  title: 'Also open here',
  name: (owner: string | null) => owner ?? 'Another window',
  /** In a circle. */
  initial: (owner: string | null) =>
    owner === null ? '2' : String.fromCodePoint(owner.toLocaleUpperCase().codePointAt(0) ?? 0),
  /** `card` is the name of the selected card. */
  where: (owner: string | null, card: string | null) => {
    const name = owner ?? 'Another window';
    return card === null || card === '' ? `${name} has this call flow open` : `${name} is at “${card}”`;
  },
  /** For a screen reader, whenever somebody comes or leaves. */
  count: (owners: readonly (string | null)[]) =>
    owners.length === 0 ? '' : `Also open: ${owners.map((owner) => owner ?? 'another window').join(', ')}`,
} as const;

/** The panel below the canvas. */
export const bottomPanelText = {
  title: 'About the call flow',
  height: 'Height of this panel',
  collapse: 'Collapse the panel',
  expand: 'Expand the panel',
  body: 'JSON body',
  problems: (tally: string | null) => (tally === null ? 'No problems' : `Problems: ${tally}`),
  scenarios: (count: number, failed: number) => {
    if (count === 0) return 'Scenarios';
    return `Scenarios: ${failed === 0 ? count : `${failed} of ${count} fail`}`;
  },
} as const;

export const problemListText = {
  title: 'Problems',
  severity: { error: 'Error: ', todo: 'To do: ', warning: 'Warning: ' },
  callFlow: 'Call flow',
  scenario: 'Scenario',
  none: 'No problems',
  checked:
    'Every key, wrong key and timeout has a destination, every call can end, every menu can be reached and left, every menu has its prompts, every reference is known here, and all scenarios pass.',
} as const;

/** The JSON of a menu, and everything that publishing sends. */
export const menuJsonText = {
  title: 'JSON',
  shown: 'What is shown',
  views: { body: 'Body of a menu', requests: 'All requests' },
  noMenu: 'There is no menu yet, so there is no JSON body.',
  sentAs: '{menu}, as sent to {path}',
  edit: 'Edit as JSON',
  copy: (menu: string) => `the JSON body of ${menu}`,
  inner: '{reference} is a menu of this call flow. Publishing replaces it with the id that the menu gets.',
  incomplete: 'Empty fields are left out.',
  label: 'JSON body of {menu}',
  notJson: (reason: string) => `This is not valid JSON: ${reason}.`,
  applied: (leftOut: string) => `Applied. ${leftOut}`,
  leftOut: (field: string, message: string) => `${field} ${message}.`,
  apply: 'Apply',
  cancel: 'Cancel',
  close: 'Close',
  blocked: 'Nothing can be sent while fields are missing. See the problems.',
  order:
    'Publishing to this service sends these requests, in this order. {id} stands for an id that the service assigns.',
  idOf: (menu: string) => `<id of ${menu}>`,
  anyId: '<id of …>',
  completes: ', again, now that the menus it leads to exist',
} as const;
