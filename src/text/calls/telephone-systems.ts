/** The windows of telephone systems: the list, the setup in three steps, and the page of each. */
import type { RoutedType } from '../../contract/calls/pbx.ts';
import { countWords } from '../count.ts';
import { quotedName } from '../names.ts';

export const pbxListText = {
  title: 'Telephone systems',
  count: (count: number) => countWords(count, 'telephone system'),
  lead: 'The Asterisk servers whose calls are answered by phone menus.',
  back: 'Calls',
  add: 'Connect a telephone system…',
  calls: (count: number) => (count === 0 ? 'No calls now' : `${countWords(count, 'call')} now`),
  empty: {
    title: 'Let phone menus answer calls',
    text: 'Connect an Asterisk or FreePBX server. Calls to the numbers that you choose are then answered by published phone menus, and you see each caller move through them. The server keeps its lines and phones.',
  },
} as const;

export const pbxSetupText = {
  title: 'Connect a telephone system',
  back: 'Telephone systems',
  place: {
    label: 'Where Asterisk runs',
    here: 'On this computer',
    elsewhere: 'On another computer',
  },
  steps: {
    allow: {
      title: '1. Give Rotavox access to Asterisk',
      lead: 'Rotavox uses the REST interface of Asterisk, ARI. Add these lines to two files in /etc/asterisk. The password was made for you.',
      freePbx:
        'With FreePBX, add the user in Settings > Asterisk REST Interface Users with the same name and password, and switch on the HTTP server in Settings > Advanced Settings (Enable the mini-HTTP Server).',
      certificate: 'Set tlscertfile to a certificate that is valid for the name of that computer.',
      merge:
        'If a file already has a [general] section, add the lines below [general] to that section: Asterisk does not load a file with two.',
      tunnel:
        'Asterisk also fetches the prompts from Rotavox, at the same port on its own computer. Connect it with: ssh -N -R 7682:127.0.0.1:7682 root@pbx.example.com',
      /** Where other machines reach Rotavox. */
      fetches: (url: string) =>
        `Asterisk also fetches the prompts from Rotavox, at ${url}. It has to reach that address and trust its certificate.`,
      reload: ['module reload http', 'module reload res_ari.so'],
      load: 'Then load both files. Enter in the Asterisk CLI (asterisk -r):',
    },
    connect: {
      title: '2. Connect',
      lead: 'Enter the address of the HTTP server of Asterisk. The connection is tested at once.',
      submit: 'Connect and test',
      busy: 'Connecting …',
    },
    handOver: {
      title: '3. Hand over a number',
      wait: 'Connect the telephone system first.',
    },
  },
  fields: {
    name: {
      label: 'Name',
      subject: 'The name',
      hint: 'What this telephone system is called here.',
    },
    url: {
      label: 'Address',
      subject: 'The address',
      hint: 'Such as http://127.0.0.1:8088 on this computer, or https://pbx.example.com:8089.',
    },
    user: { label: 'User', subject: 'The user' },
    password: {
      label: 'Password',
      subject: 'The password',
      hint: 'Stored in the vault only.',
      keepHint: 'Leave empty to keep the password that is stored.',
    },
    insecure: {
      label: 'Send the password unencrypted',
      hint: 'The address uses http and another computer. Everybody in the network between can read the password. Use https if you can.',
    },
  },
  copy: (file: string) => `the lines for ${file}`,
  finish: 'Finish',
} as const;

/** The test of a connection. */
export const pbxTestDialogText = {
  test: 'Test connection',
  testing: 'Testing …',
  passes: 'Passes',
  fails: 'Fails',
  checks: 'Checks',
  add: 'What to add in Asterisk',
} as const;

/** How calls of a number reach a menu. */
export const handOverText = {
  /** What its prompts are of. */
  ofThisMenu: 'this menu',
  unread: (count: number) => `Callers do not hear all of ${countWords(count, 'prompt')} of this menu`,
  record: 'Record a prompt',
  title: 'Hand over a number',
  lead: 'Choose a published phone menu and the number that it answers. These lines hand the calls over. If Rotavox does not answer, the exported menu takes them.',
  noMenus: 'There is no published phone menu yet. Publish one first.',
  designer: 'Open phone menus',
  menu: 'Phone menu',
  number: { label: 'Number', subject: 'The number', hint: 'The extension or number that callers dial.' },
  numberInvalid: 'The number must have 1 to 40 characters: digits, letters and + * # _ -',
  export: 'Export the menu as the fallback. Run this on this computer, then copy the file to /etc/asterisk:',
  exportSounds: 'The ZIP file for Asterisk, in the export of the designer, also has the audio files.',
  dialplan: 'Add at the end of extensions.conf (with FreePBX: extensions_custom.conf):',
  context: 'Add in the context of your incoming calls (with FreePBX: [from-internal-custom]):',
  reload: 'Load the dialplan. Enter in the Asterisk CLI (asterisk -r):',
  copy: {
    export: 'the command that exports the menu',
    dialplan: 'the lines of the menu',
    context: 'the line of the number',
    reload: 'the command that loads the dialplan',
  },
} as const;

/** Rings a phone and runs a menu on it. */
export const ringText = {
  title: 'Test call',
  lead: 'Rings a phone and runs the menu on it. Nothing has to be changed in the dialplan for this.',
  draftTitle: (name: string) => `Call ${quotedName(name)} on a phone`,
  draftLead:
    'Rings a phone and runs this draft on it, as it is now. It is not published, and other callers do not meet it.',
  open: 'Ring me…',
  system: 'Telephone system',
  menu: 'Phone menu',
  endpoint: {
    label: 'Phone',
    subject: 'The phone',
    hint: 'As Asterisk names it, such as PJSIP/101 for the extension 101.',
    example: 'PJSIP/101',
  },
  ring: 'Ring me',
  ringing: 'Ringing …',
  saving: 'Saving the draft …',
  rings: (endpoint: string) => `${endpoint} rings. Answer it, and press keys as a caller does.`,
  inMenu: (menu: string) => `The call is in ${quotedName(menu)}.`,
  ended: 'The call has ended.',
  openCall: 'Open the call',
  notSaved: 'The draft could not be saved, so it was not called.',
  none: {
    title: 'No telephone system is connected.',
    text: 'Connect an Asterisk or FreePBX server to call this draft on a real phone.',
  },
  down: (name: string) => `The telephone system ${quotedName(name)} is unreachable.`,
  whyDown: 'Open its page to see why.',
  close: 'Close',
} as const;

/** The page of one telephone system. */
export const pbxPageText = {
  all: 'Telephone systems',
  unknown: {
    title: 'There is no telephone system with this name.',
    text: '{name} was removed, or the link comes from another machine.',
  },
  added: {
    text: '{name} was added.',
    close: 'Got it',
  },
  connection: {
    title: 'Connection',
    facts: {
      address: 'Address',
      user: 'User',
      version: 'Asterisk',
      since: 'Connected since',
      calls: 'Calls now',
    },
    change: 'Change…',
  },
  trouble: 'The telephone system is unreachable.',
  change: {
    title: (name: string) => `Change ${quotedName(name)}`,
    cancel: 'Cancel',
    save: 'Save',
    saving: 'Saving …',
  },
  destinations: {
    title: 'Destinations',
    lead: 'Where a call continues in the dialplan when it leaves a phone menu. {id} stands for the id of the destination, {digits} for an outside number without +.',
    type: 'Destination',
    context: 'Context',
    extension: 'Extension',
    contextSubject: 'The context',
    extensionSubject: 'The extension',
    field: (type: string, field: string) => `${type}: ${field}`,
    examples: {
      extension: 'extension||101',
      department: 'department||5',
      ring_group: 'ring_group||600',
      number: 'number||+4930123456',
      voicemail: 'voicemail||101',
      timegroup: 'timegroup||2',
      time_condition: 'time_condition||3',
    } satisfies Record<RoutedType, string>,
    result: (place: string) => `For example ${place}`,
    none: 'Not reached: calls for it go to the fallback',
    save: 'Save destinations',
    saving: 'Saving …',
    saved: 'Saved',
    reset: { freepbx: 'Use those of FreePBX', asterisk: 'Use those of plain Asterisk' },
  },
  remove: {
    title: 'Remove telephone system',
    lead: 'Rotavox disconnects and deletes the password.',
    open: 'Remove telephone system…',
    question: (name: string) => `Remove the telephone system ${quotedName(name)}?`,
    consequences: (calls: number) => [
      'The connection ends and the password is deleted from the vault.',
      ...(calls === 0
        ? []
        : [
            `${countWords(calls, 'call')} in menus now ${calls === 1 ? 'goes' : 'go'} to the fallback menu in the dialplan.`,
          ]),
      'Numbers that are handed over are answered by the fallback menu, where there is one.',
      'The records of its calls are kept.',
    ],
    cancel: 'Cancel',
    act: 'Remove telephone system',
    removing: 'Removing …',
  },
} as const;
