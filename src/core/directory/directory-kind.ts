import type { z } from 'zod';
import { Extension, SmsTemplate } from '../../contract/directory.ts';
import type { EventDraft } from '../../contract/audit-event.ts';
import type { State } from '../state.ts';
import type { Table } from '../table.ts';

/** What one directory differs in from another. */
export interface DirectoryKind<Entry extends { readonly id: string }> {
  /** What its entries are called, for a sentence. */
  readonly entries: string;
  readonly entry: z.ZodType<Entry>;
  /** The columns of its file, in order. */
  readonly columns: readonly (keyof Entry & string)[];
  tableOf(state: State): Table<string, Entry>;
  changed(change: { readonly set: Entry[]; readonly removed: string[] }): EventDraft;
}

export const extensionKind: DirectoryKind<Extension> = {
  entries: 'extensions',
  entry: Extension,
  columns: ['id', 'name'],
  tableOf: ({ extensions }) => extensions,
  changed: (data) => ({
    kind: 'extensions.changed',
    subject: 'extensions',
    actor: { kind: 'owner' },
    data,
  }),
};

export const smsTemplateKind: DirectoryKind<SmsTemplate> = {
  entries: 'SMS templates',
  entry: SmsTemplate,
  columns: ['id', 'name', 'text'],
  tableOf: ({ smsTemplates }) => smsTemplates,
  changed: (data) => ({
    kind: 'sms_templates.changed',
    subject: 'sms_templates',
    actor: { kind: 'owner' },
    data,
  }),
};
