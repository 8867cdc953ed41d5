import type { HistoryPage } from '../../contract/portal.ts';
import type { CredentialList, CredentialView, VaultStatus } from '../../contract/credential-view.ts';
import { byPressure } from '../../core/credential/list-credentials.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { Resource } from '../kit/live/resource.ts';
import type { PortalReply } from '../kit/portal-reply.ts';

/** What changes a credential: its own events, and what happens to the token that it holds. */
const about = ['credential.', 'token.'];

/** Every credential, the most pressing first, and how the vault is. */
export const allCredentials: Resource<CredentialList> = {
  key: ['credentials', 'list'],
  about,
  read: (signal) => askPortal('listCredentials', { query: withoutPlans, signal }),
  readPart(known, subjects, signal) {
    const ids = new Set(
      known.credentials.filter((one) => isAbout(one, subjects)).map(({ id }): string => id),
    );
    // Also those that are not known yet; what is not there any more does not come back.
    for (const subject of subjects) if (subject.startsWith('cred_')) ids.add(subject);
    return readSome(ids, signal);
  },
};

/** A dry run is shown on the page of its credential only, and is most of what there is to read. */
const withoutPlans = { planned: 'false' } as const;

/** Whether something that changed is a credential, or the token that it holds. */
function isAbout({ id, family_id: family }: CredentialView, subjects: ReadonlySet<string>): boolean {
  return subjects.has(id) || (family !== null && subjects.has(family));
}

/** Some of the credentials as they are now, to be put into the list. */
async function readSome(
  ids: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<PortalReply<(list: CredentialList) => CredentialList>> {
  if (ids.size === 0) return { kind: 'ok', value: (list) => list };
  const query = { ...withoutPlans, ids: [...ids].join(',') };
  const reply = await askPortal('listCredentials', { query, signal });
  if (reply.kind !== 'ok') return reply;
  const { credentials, vault: vaultNow } = reply.value;
  return {
    kind: 'ok',
    value: (list) => ({
      credentials: byPressure([...list.credentials.filter(({ id }) => !ids.has(id)), ...credentials]),
      vault: vaultNow,
    }),
  };
}

/** One of them; null when none has the name. */
export function oneCredential(name: string): Resource<CredentialView | null> {
  return {
    key: ['credentials', 'one', name],
    about,
    read: async (signal) => {
      const reply = await askPortal('readCredential', { params: { name }, signal });
      const isUnknown = reply.kind === 'refused' && reply.code === 'not_found';
      return isUnknown ? { kind: 'ok', value: null } : reply;
    },
    readPart: (known, subjects) =>
      known === null || isAbout(known, subjects)
        ? null
        : Promise.resolve({ kind: 'ok', value: (one: CredentialView | null) => one }),
  };
}

/** Where the values are kept. Asked once: what is wrong with it is said by the credentials that need it. */
export const vault: Resource<VaultStatus> = {
  key: ['credentials', 'vault'],
  about: ['vault.'],
  read: async (signal) => {
    const reply = await askPortal('listCredentials', { query: { ids: '' }, signal });
    return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.vault } : reply;
  },
};

/** As many events as a page of one credential shows; the history page has all. */
const shownEvents = 10;

/** What happened to one of them lately, newest first. */
export function historyOf(name: string): Resource<HistoryPage> {
  return {
    key: ['credentials', 'history', name],
    about,
    read: (signal) =>
      askPortal('credentialHistory', { params: { name }, query: { limit: String(shownEvents) }, signal }),
  };
}
