import { useState } from 'react';
import { extensionsCsvPath, smsTemplatesCsvPath } from '../../contract/address.ts';
import type { DirectoryImported, WantedColumns } from '../../contract/menu/directory.ts';
import { extensionKind, smsTemplateKind, type DirectoryKind } from '../../core/change-directory.ts';
import { extensionsText, smsTemplatesText } from '../../text/menu/directory-text.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { Resource } from '../kit/live/resource.ts';
import type { PortalReply } from '../kit/read-portal.ts';
import { type Act, useAct } from '../kit/use-act.ts';

/** Something of a directory, whichever it is of. */
export interface Entry {
  readonly id: string;
  readonly name: string;
  /** Of an SMS template; null for an extension. */
  readonly text: string | null;
}

/** What a directory of the service is: how it is read, changed and called. Both are shown by the same window. */
export interface Directory {
  readonly page: 'extensions' | 'sms-templates';
  readonly text: Readonly<Record<keyof typeof extensionsText, string>>;
  readonly hasText: boolean;
  readonly csvPath: string;
  /** The heading line of its CSV. */
  readonly csvHeading: string;
  readonly live: Resource<readonly Entry[]>;
  readonly change: (change: {
    readonly set?: readonly Entry[];
    readonly remove?: readonly string[];
  }) => Promise<PortalReply<unknown>>;
  /** Its name and the fields of an entry, as the columns of a file. */
  readonly kind: Pick<DirectoryKind<Entry>, 'name'> & { readonly columns: readonly string[] };
  readonly importCsv: (request: {
    readonly csv: string;
    readonly columns: WantedColumns;
    readonly dry_run: boolean;
  }) => Promise<PortalReply<DirectoryImported>>;
}

/** Who can be called. */
export const extensions: Directory = {
  page: 'extensions',
  text: extensionsText,
  hasText: false,
  csvPath: extensionsCsvPath,
  csvHeading: 'id,name',
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
  kind: extensionKind,
  importCsv: (body) => askPortal('importExtensions', { body }),
};

/** The texts that are sent when a key is pressed. */
export const smsTemplates: Directory = {
  page: 'sms-templates',
  text: smsTemplatesText,
  hasText: true,
  csvPath: smsTemplatesCsvPath,
  csvHeading: 'id,name,text',
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
  kind: smsTemplateKind,
  importCsv: (body) => askPortal('importSmsTemplates', { body }),
};

/** Changes of a directory, and the way back from the last removal. */
export interface DirectoryChanges {
  readonly act: Act;
  /** What was removed last and can be put back. */
  readonly removed: Entry | null;
  /** Adds or changes one; answers whether that was saved. */
  readonly save: (entry: Entry) => Promise<boolean>;
  readonly remove: (entry: Entry) => Promise<void>;
  readonly undo: () => Promise<void>;
}

/** Removes at once instead of asking first: where an entry is used is not known here, and it can be put back as it was. */
export function useDirectory({ change }: Directory): DirectoryChanges {
  const act = useAct();
  const [removed, setRemoved] = useState<Entry | null>(null);

  async function save(entry: Entry): Promise<boolean> {
    return (await act.run('save', () => change({ set: [entry] }), 'entry_saved')) !== null;
  }
  async function remove(entry: Entry): Promise<void> {
    const done = await act.run('remove', () => change({ remove: [entry.id] }), 'entry_removed');
    if (done !== null) setRemoved(entry);
  }
  async function undo(): Promise<void> {
    if (removed !== null && (await save(removed))) setRemoved(null);
  }
  return { act, removed, save, remove, undo };
}
