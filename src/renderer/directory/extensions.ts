import { extensionsCsvPath } from '../../contract/address.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { Directory } from './directory.ts';

/** Who can be called. */
export const extensions: Directory = {
  page: 'extensions',
  title: 'Extensions',
  one: 'extension',
  many: 'extensions',
  lead: 'Who a phone menu can lead to, by the id that the telephone system knows them by.',
  hasText: false,
  csvPath: extensionsCsvPath,
  csvHeading: 'id,name',
  idHint: 'As the telephone system knows it, such as 101. A menu names it as extension||101.',
  afterRemoval: 'Menus that lead to it are not changed.',
  live: {
    key: ['directory', 'extensions'],
    about: ['extensions.'],
    read: async (signal) => {
      const reply = await askPortal('listExtensions', { signal });
      if (reply.kind !== 'ok') return reply;
      return { kind: 'ok', value: reply.value.extensions.map((one) => ({ ...one, text: null })) };
    },
  },
  change: ({ set = [], remove = [] }) =>
    askPortal('changeExtensions', {
      body: { set: set.map(({ id, name }) => ({ id, name })), remove: [...remove] },
    }),
  importCsv: (csv, isDryRun) => askPortal('importExtensions', { body: { csv, dry_run: isDryRun } }),
};
