import { smsTemplatesCsvPath } from '../../contract/address.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { Directory } from './directory.ts';

/** What is sent to who pressed a key. */
export const smsTemplates: Directory = {
  page: 'sms-templates',
  title: 'SMS templates',
  one: 'SMS template',
  many: 'SMS templates',
  lead: 'Texts that are sent to a caller who presses a key that has one.',
  hasText: true,
  csvPath: smsTemplatesCsvPath,
  csvHeading: 'id,name,text',
  idHint: 'What a menu names in sms_template, such as opening-hours.',
  afterRemoval: 'Menus that name it are not changed.',
  live: {
    key: ['directory', 'sms-templates'],
    about: ['sms_templates.'],
    read: async (signal) => {
      const reply = await askPortal('listSmsTemplates', { signal });
      return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.sms_templates } : reply;
    },
  },
  change: ({ set = [], remove = [] }) =>
    askPortal('changeSmsTemplates', {
      body: { set: set.map(({ id, name, text }) => ({ id, name, text: text ?? '' })), remove: [...remove] },
    }),
  importCsv: (csv, isDryRun) => askPortal('importSmsTemplates', { body: { csv, dry_run: isDryRun } }),
};
