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
    purpose: 'Contexts for extensions.conf, with the counters for wrong keys and timeouts.',
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
  noPng: 'This browser could not convert the picture. Save it as SVG.',
} as const;
