import { countWords } from './count.ts';

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
    label: 'Request body',
    purpose: 'The JSON that POST /v1/ivr takes; several menus as a list of bodies.',
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
  /** How many prompts have an audio file in the ZIP file. */
  audio: (included: number, all: number) =>
    included === all
      ? `${countWords(all, 'audio file')} included.`
      : `${included} of ${countWords(all, 'audio file')} included. Add the others yourself:`,
  missing: (file: string, title: string) => `${file}.wav: ${title}`,
  noAudio: 'The audio could not be converted. Close other windows and try again.',
  noPng: 'This browser could not convert the picture. Save it as SVG.',
} as const;

interface NamedPrompt {
  readonly name: string;
  readonly title: string;
}

/** What to do with the files of an export for Asterisk. `drawing` is the name of the call flow. */
export function asteriskReadme({
  drawing,
  entry,
  conf,
  included,
  missing,
}: {
  readonly drawing: string;
  readonly entry: string;
  readonly conf: string;
  readonly included: readonly NamedPrompt[];
  readonly missing: readonly NamedPrompt[];
}): string {
  const list = (prompts: readonly NamedPrompt[]) =>
    prompts.map(({ name, title }) => `   ${name}.wav  ${oneLine(title)}`);
  const lines = [
    `${oneLine(drawing)}: phone menus for Asterisk, written by Rotavox`,
    '',
    `1. Copy ${conf} to /etc/asterisk, and add this line at the end of /etc/asterisk/extensions.conf:`,
    `   #include ${conf}`,
    `2. Complete the lines in ${conf} that are marked "Fill in".`,
    '3. Copy the folder sounds/rotavox into the sounds directory of Asterisk, usually /var/lib/asterisk/sounds.',
    '4. Send calls to the menus. In the context of your incoming calls, for example:',
    `   exten => 100,1,Goto(${entry},s,1)`,
    '5. Load the dialplan: asterisk -rx "dialplan reload"',
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
  ];
  return lines.join('\n');
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}
