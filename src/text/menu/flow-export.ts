import { countWords } from '../count.ts';
import { quoted } from './phone-menu.ts';

/** Saving a call flow in the formats of other programs. */

interface FormatText {
  readonly label: string;
  readonly purpose: string;
}

export const exportFormatText = {
  draft: {
    label: 'Draft',
    purpose: 'Everything, including scenarios and positions: a backup, or a draft for another machine.',
  },
  body: {
    label: 'JSON',
    purpose: 'The menus as apps read and store them; several as a list.',
  },
  asterisk: {
    label: 'Asterisk',
    purpose: 'A ZIP file with the dialplan, the audio files as 8 kHz mono WAV, and instructions.',
  },
  freeswitch: { label: 'FreeSWITCH', purpose: 'Menus as XML for mod_ivr.' },
  svg: { label: 'SVG', purpose: 'A picture for documentation, sharp at any size.' },
  png: { label: 'PNG', purpose: 'The same picture in pixels, for programs that do not take SVG.' },
  graphviz: { label: 'Graphviz', purpose: 'The graph as DOT text, for layout and styling in other tools.' },
} as const satisfies Readonly<Record<string, FormatText>>;

export type FormatName = keyof typeof exportFormatText;

export const exportText = {
  title: 'Export',
  format: 'Format',
  incomplete: 'This format needs a call flow without errors. See the problems.',
  picture: (name: string) => `Picture of ${name}`,
  preview: (format: string, name: string) => `${format} of ${name}`,
  close: 'Close',
  copy: (format: string) => `the export as ${format}`,
  save: (file: string) => `Save ${file}`,
  saveAs: (ending: string) => `Save as ${ending}`,
  saving: 'Converting the audio …',
  system: 'Telephone system',
  systemHint: 'Calls leave the menus for the places that it has for destinations.',
  /** How many audio files are in the ZIP file, and how many prompts have none. */
  audio: (included: number, missing: number) => {
    const files = included === 0 ? 'No audio file' : countWords(included, 'audio file');
    const are = `${files} ${included > 1 ? 'are' : 'is'} included.`;
    if (missing === 0) return are;
    const others = missing === 1 ? 'the other' : `the other ${missing}`;
    return `${are} Add ${included === 0 ? 'them' : others} yourself:`;
  },
  sounds: 'These sounds are played from the telephone system, which has to have them:',
  missing: (file: string, title: string) => `${file}.wav: ${title}`,
  noAudio: 'The audio could not be converted. Close other windows and try again.',
  noPng: 'This browser could not convert the picture. Save it as SVG.',
} as const;

interface NamedPrompt {
  readonly name: string;
  readonly title: string;
}

/** The telephone systems for which it is known how calls are led to a call flow. */
export const telephoneSystems = ['asterisk', 'freeswitch', 'platform', 'app'] as const;
export type TelephoneSystem = (typeof telephoneSystems)[number];

export const telephoneText = {
  title: 'How callers reach it',
  lead: 'Publishing stores the menus. It does not change your telephone system.',
  system: 'Telephone system',
  systems: {
    asterisk: 'Asterisk',
    freeswitch: 'FreeSWITCH',
    platform: 'Platform with this API',
    app: 'Own application',
  } satisfies Readonly<Record<TelephoneSystem, string>>,
  export: (format: string) => `Export for ${format}…`,
  connect: 'Connect Asterisk…',
  connected:
    'Or connect Asterisk to Rotavox: published menus then answer calls at once, and you see each caller move through them.',
  copy: 'this line',
} as const;

/** A step on the telephone system, with the line to enter where there is one. */
export interface TelephoneStep {
  readonly text: string;
  readonly line?: string;
}

/**
 * How callers reach a call flow: the window shows these steps, and the instructions in the ZIP file for Asterisk are made of
 * the same.
 *
 * `entry` is the context in which its calls begin, `first` the name of the menu that they meet first.
 */
export function telephoneSteps(
  system: TelephoneSystem,
  { entry, first }: { readonly entry: string; readonly first: string },
): readonly TelephoneStep[] {
  switch (system) {
    case 'asterisk':
      return [
        { text: 'Export the ZIP file for Asterisk, and unpack it on the telephone system.' },
        ...asteriskSteps(entry),
      ];
    case 'freeswitch':
      return [
        { text: 'Export the XML for FreeSWITCH.' },
        {
          text: `Put its menu elements into ivr_menus/${entry}.xml and its context into dialplan/${entry}.xml, each within an include element.`,
        },
        {
          text: 'Put the audio files into the folder rotavox of the sounds directory. Their names are at the top of the XML.',
        },
        {
          text: 'Lead a number to the menus, in the dialplan of your incoming calls:',
          line: `<action application="transfer" data="${entry} XML ${entry}"/>`,
        },
        { text: 'Load the files:', line: 'fs_cli -x reloadxml' },
      ];
    case 'platform':
      return [
        { text: 'Add a credential for the platform under Credentials.' },
        { text: 'Publish, and choose that credential under “Where to”.' },
        { text: `On the platform, choose the menu ${quoted(first)} for a telephone number.` },
      ];
    case 'app':
      return [
        { text: 'Publish to this service, and issue a token with the scope ivr:read.' },
        { text: 'Read the menus with it:', line: 'GET /v1/ivrs' },
        { text: `Begin each call with ${quoted(first)}.` },
      ];
  }
}

function asteriskSteps(entry: string): readonly TelephoneStep[] {
  const conf = `${entry}.conf`;
  return [
    {
      text: `Copy ${conf} to /etc/asterisk, and complete its lines that are marked "Fill in". Add this at the end of extensions.conf there, or of extensions_custom.conf with FreePBX:`,
      line: `#include ${conf}`,
    },
    {
      text: 'Copy the folder sounds/rotavox into the sounds directory of Asterisk: /var/lib/asterisk/sounds, or /usr/share/asterisk/sounds on Debian.',
    },
    {
      text: 'Lead a number to the menus, in the context of your incoming calls. For the number 100:',
      line: `exten => 100,1,Goto(${entry},s,1)`,
    },
    { text: 'Load the dialplan:', line: 'asterisk -rx "dialplan reload"' },
  ];
}

/** What to do with the files of an export for Asterisk. `drawing` is the name of the call flow. */
export function asteriskReadme({
  drawing,
  entry,
  prompts,
  audio,
  sounds,
}: {
  readonly drawing: string;
  readonly entry: string;
  readonly prompts: readonly NamedPrompt[];
  /** The files that there are, by their names. */
  readonly audio: ReadonlyMap<string, unknown>;
  /** Of the telephone system. */
  readonly sounds: readonly string[];
}): string {
  const included = prompts.filter(({ name }) => audio.has(name));
  const missing = prompts.filter(({ name }) => !audio.has(name));
  const list = (named: readonly NamedPrompt[]) =>
    named.map(({ name, title }) => `   ${name}.wav  ${oneLine(title)}`);
  const lines = [
    `${oneLine(drawing)}: phone menus for Asterisk, written by Rotavox`,
    '',
    ...asteriskSteps(entry).flatMap(({ text, line }, place) => [
      `${place + 1}. ${text}`,
      ...(line === undefined ? [] : [`   ${line}`]),
    ]),
    '',
    ...(included.length === 0 ? [] : ['Audio files in sounds/rotavox:', ...list(included), '']),
    ...(missing.length === 0
      ? []
      : [
          'These are not included. Put each into sounds/rotavox under exactly this name, as a WAV file of 8 kHz,',
          '16 bits and one channel:',
          ...list(missing),
          '',
        ]),
    ...(sounds.length === 0
      ? []
      : [
          'These sounds are played from the telephone system, which has to have them:',
          ...sounds.map((sound) => `   ${sound}`),
          '',
        ]),
  ];
  return lines.join('\n');
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}

/** What an export for FreeSWITCH cannot have, a line each, and what to do. */
export function freeswitchLackLines(
  lacks: readonly { readonly what: 'hours' | 'message' | 'digits'; readonly name: string }[],
): string[] {
  const said = {
    hours: (name: string) => `The opening hours ${quoted(name)} cannot be exported for FreeSWITCH yet.`,
    message: (name: string) =>
      `The message ${name.trim() === '' ? 'without a name' : quoted(name)} cannot be exported for FreeSWITCH yet.`,
    digits: (name: string) =>
      `Numbers of several digits in ${quoted(name)} cannot be exported for FreeSWITCH yet.`,
  };
  if (lacks.length === 0) return [];
  return [...lacks.map(({ what, name }) => said[what](name)), 'Export for Asterisk, or take it out.'];
}
