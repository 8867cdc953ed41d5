import type { DirectoryImported } from '../../contract/directory.ts';
import type { Resource } from '../kit/live/resource.ts';
import type { PortalReply } from '../kit/portal-reply.ts';

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
  readonly title: string;
  readonly one: string;
  readonly many: string;
  readonly lead: string;
  readonly hasText: boolean;
  readonly csvPath: string;
  /** The heading line of its CSV. */
  readonly csvHeading: string;
  readonly idHint: string;
  /** What its removal does not do. */
  readonly afterRemoval: string;
  readonly live: Resource<readonly Entry[]>;
  readonly change: (change: {
    readonly set?: readonly Entry[];
    readonly remove?: readonly string[];
  }) => Promise<PortalReply<unknown>>;
  readonly importCsv: (csv: string, isDryRun: boolean) => Promise<PortalReply<DirectoryImported>>;
}
