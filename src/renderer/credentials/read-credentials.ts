import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type {
  CredentialList,
  CredentialValue,
  CredentialView,
  VaultStatus,
} from '../../contract/credential/credential-view.ts';
import type { ToolConnection } from '../../contract/credential/tool-connection.ts';
import type { HistoryPage } from '../../contract/service/portal.ts';
import { knownFileOf } from '../../contract/credential/provider-view.ts';
import { useHeader, writeUse } from '../../contract/credential/use-header.ts';
import { byUrgency } from '../../core/credential/find-credential.ts';
import { isBuiltIn, setProviderFiles } from '../../providers/catalogue.ts';
import { storeName } from '../../text/credential/credentials.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { Resource } from '../kit/live/resource.ts';
import { useLive } from '../kit/live/use-live.ts';
import { changeKnown, noteStale } from '../kit/live/window-cache.ts';
import type { PortalReply } from '../kit/read-portal.ts';
import type { CredentialUse } from '../../contract/credential/use.ts';
import type { ProxyView } from '../../contract/credential/proxy.ts';
import { tokenCardText } from '../../text/credential/credential-page.ts';
import { clipboardMessage, type ClipboardOutcome, copySecret } from '../kit/clipboard.ts';
import { useAct } from '../kit/use-act.ts';

/** What changes a credential: its own events, and what happens to the token that it holds. */
const about = ['credential.', 'token.'];

/** Reads the current token for the clipboard. */
export function readTokenToCopy(name: string): Promise<PortalReply<CredentialValue>> {
  const headers = { [useHeader]: writeUse({ way: 'copy', program: null }) };
  return askPortal('readCredentialValue', { params: { name }, headers });
}

/** Every credential, the most pressing first, and how the vault is. */
export const allCredentials: Resource<CredentialList> = {
  key: ['credentials', 'list'],
  about,
  read: async (signal) => {
    const reply = await askPortal('listCredentials', { query: withoutPlans, signal });
    if (reply.kind === 'ok') await learnProviders(reply.value.credentials, signal);
    return reply;
  },
  readPart(known, subjects, signal) {
    const ids = new Set(
      known.credentials.filter((one) => isAbout(one, subjects)).map(({ id }): string => id),
    );
    // Also those that are not known yet; what is not there any more does not come back.
    for (const subject of subjects) if (subject.startsWith('cred_')) ids.add(subject);
    return readSome(ids, signal);
  },
};

/**
 * Providers that are files are known to the service: their names and facts are read when a credential has one, and each time,
 * because files can be added, changed and removed.
 */
async function learnProviders(
  credentials: readonly Pick<CredentialView, 'provider'>[],
  signal: AbortSignal,
): Promise<void> {
  if (credentials.every(({ provider }) => isBuiltIn(provider.id))) return;
  const reply = await askPortal('listProviders', { signal });
  if (reply.kind !== 'ok') return;
  const files = reply.value.providers.filter(({ id }) => !isBuiltIn(id));
  setProviderFiles(files.map((view) => [view.id, knownFileOf(view)]));
}

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
      credentials: byUrgency([...list.credentials.filter(({ id }) => !ids.has(id)), ...credentials]),
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
      if (reply.kind === 'ok') await learnProviders([reply.value], signal);
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

/** What happened to one of them lately, newest first. */
export function historyOf(name: string, limit: number): Resource<HistoryPage> {
  return {
    key: ['credentials', 'history', name, limit],
    about: [...about, 'proxy.'],
    keepsPrevious: true,
    read: (signal) =>
      askPortal('credentialHistory', { params: { name }, query: { limit: String(limit) }, signal }),
  };
}

/** Shows what the answer to our own change says at once, before the stream has told of it. */
export function useKnownCredential(): (now: CredentialView) => void {
  const cache = useQueryClient();
  return (now) => {
    changeKnown(cache, oneCredential(now.name), () => now);
    changeKnown(cache, allCredentials, (list) => ({
      ...list,
      credentials: list.credentials.map((one) => (one.id === now.id ? now : one)),
    }));
  };
}

/** What the place is called in which the tokens are stored: the keychain of the system, or the encrypted file that was chosen. */
export function useStoreName(): string {
  return storeName(useLive(vault).known?.value.kind);
}

/** Longer timers than this overflow; a machine that slept is found out by the stream, which opens anew. */
const longestMs = 3_600_000;
/** After the instant: the service's clock may be read a moment later than ours. */
const graceMs = 250;

/** An instant at which time alone changes what is true of a credential: nobody tells of it. */
interface Turning {
  readonly at: string;
  readonly id: string;
}

export function turningInstants(one: CredentialView): Turning[] {
  return [one.expires_at, one.next_rotation_at, one.paused?.until ?? null]
    .filter((at) => at !== null)
    .map((at) => ({ at, id: one.id }));
}

/** Has what turns read again when the next of these instants has come: a pause that ends, a value that expires. */
export function useTurning({ key }: Pick<Resource<unknown>, 'key'>, instants: readonly Turning[]): void {
  const cache = useQueryClient();
  // As texts, which are the same as long as they say the same.
  const name = JSON.stringify(key);
  const all = JSON.stringify(instants.toSorted((one, other) => (one.at < other.at ? -1 : 1)));

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const turnings = JSON.parse(all) as Turning[];
    const wait = (): void => {
      const fromMs = Date.now();
      const next = turnings.find(({ at }) => Date.parse(at) > fromMs);
      if (next === undefined) return;
      const leftMs = Date.parse(next.at) - fromMs + graceMs;
      timer = setTimeout(
        () => {
          if (leftMs <= longestMs) {
            const query = { queryKey: JSON.parse(name) as string[], exact: true };
            const known = cache.getQueryCache().find(query);
            for (const { at, id } of turnings)
              if (known !== undefined && Date.parse(at) > fromMs && Date.parse(at) <= Date.now())
                noteStale(known, id);
            void cache.invalidateQueries(query);
          }
          wait();
        },
        Math.min(leftMs, longestMs),
      );
    };
    wait();
    return () => clearTimeout(timer);
  }, [cache, name, all]);
}

export function whoUses(name: string): Resource<CredentialUse> {
  return {
    key: ['credentials', 'use', name],
    about: ['credential.', 'proxy.'],
    read: (signal) => askPortal('readCredentialUse', { params: { name }, signal }),
  };
}

/** The tools that ask for the token of a credential. */
export function toolsOf(name: string): Resource<readonly ToolConnection[]> {
  return {
    key: ['credentials', 'tools', name],
    about: ['connection.'],
    async read(signal) {
      const reply = await askPortal('listConnections', { signal });
      if (reply.kind !== 'ok') return reply;
      return { kind: 'ok', value: reply.value.connections.filter(({ credential }) => credential === name) };
    },
  };
}

/** What may be sent with a credential through the proxy, and which apps do. */
export function proxyOf(name: string): Resource<ProxyView> {
  return {
    key: ['credentials', 'proxy', name],
    about: ['proxy.'],
    read: (signal) => askPortal('readProxy', { params: { name }, signal }),
  };
}

/** Shows what the answer to our own change says at once. */
export function useKnownProxy(name: string): (now: ProxyView) => void {
  const cache = useQueryClient();
  return (now) => changeKnown(cache, proxyOf(name), () => now);
}

type CopyState = 'idle' | 'copied' | 'not-allowed' | ClipboardOutcome;

/** Copies the current token of a credential. It is requested at that moment and stays nowhere but on the clipboard. */
export function useCopyToken(name: string): {
  readonly isBusy: boolean;
  readonly copy: () => Promise<void>;
  /** What became of it, or why it failed. */
  readonly answer: { readonly tone: 'calm' | 'bad'; readonly words: string } | null;
} {
  const act = useAct();
  const [state, setState] = useState<CopyState>('idle');

  async function copy(): Promise<void> {
    setState('idle');
    const read = await act.run('copy', () => readTokenToCopy(name));
    if (read === null) return;
    try {
      await copySecret(read.value.value, setState);
      setState('copied');
    } catch {
      setState('not-allowed'); // shown, with what to do instead
    }
  }
  return {
    isBusy: act.state.kind === 'busy',
    copy,
    answer: act.state.kind === 'refused' ? { tone: 'bad', words: act.state.reason } : answerOf(state),
  };
}

function answerOf(state: CopyState): ReturnType<typeof useCopyToken>['answer'] {
  if (state === 'idle') return null;
  if (state === 'not-allowed') return { tone: 'bad', words: tokenCardText.clipboardRefused };
  const words = clipboardMessage(state, tokenCardText.copied);
  return words === null ? null : { tone: 'calm', words };
}
