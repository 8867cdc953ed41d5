import type { HistoryPage } from '../../contract/portal.ts';
import type { CredentialList, CredentialView, VaultStatus } from '../../contract/credential-view.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { Resource } from '../kit/live/resource.ts';

/** What changes a credential: its own events, and what happens to the token that it holds. */
const about = ['credential.', 'token.'];

/** Every credential, the most pressing first, and how the vault is. */
export const allCredentials: Resource<CredentialList> = {
  key: ['credentials', 'list'],
  about,
  read: (signal) => askPortal('listCredentials', { signal }),
};

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
  };
}

/** Where the values are kept. Asked once: what is wrong with it is said by the credentials that need it. */
export const vault: Resource<VaultStatus> = {
  key: ['credentials', 'vault'],
  about: ['vault.'],
  read: async (signal) => {
    const reply = await askPortal('listCredentials', { signal });
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
