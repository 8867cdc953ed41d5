import type { CredentialView } from '../contract/credential/credential-view.ts';
import { tokenPageOf } from '../contract/credential/provider-inputs.ts';
import type { RouteName } from '../contract/routes.ts';
import { endsOnRequest } from '../providers/catalogue.ts';
import type { CallArguments, ReplyOf } from './create-client.ts';

/*
 * Ending every token that a service knows, for the day that a computer is lost: the command and the windows make the same plan and the
 * same calls. Start at `planRevocation`.
 */

/** Asks the portal as its owner. Rejects where it does not answer with what was asked for. */
export type AskPortal = <N extends RouteName>(name: N, ...input: CallArguments<N>) => Promise<ReplyOf<N>>;

/** Something to end: a token that was issued here, an app of the proxy, or a credential. */
export interface EndItem {
  readonly kind: 'token' | 'app' | 'credential';
  readonly name: string;
  /** Where it is valid; null: at this service, which ends it at once. */
  readonly service: string | null;
  /** Where a person ends it; null: not known. */
  readonly page: string | null;
  /** Whether only a person can. */
  readonly byPerson: boolean;
  readonly end: (ask: AskPortal) => Promise<Ended>;
}

export interface Ended {
  readonly outcome: 'ended' | 'ended_before' | 'alive';
  /** Why it still works, or what else works; null: nothing does. */
  readonly message: string | null;
}

/**
 * What there is to end; nothing is ended. Tokens of apps first, because they work here at once; then credentials, and at last the
 * tokens that were issued here. `reason` is for the history.
 */
export async function planRevocation(ask: AskPortal, reason: string): Promise<EndItem[]> {
  const { credentials } = await ask('listCredentials', { query: { planned: 'false' } });
  const { credentials: proxied } = await ask('listProxies');
  const apps = proxied.flatMap(({ tokens }) =>
    tokens
      .filter((one) => !one.is_expired)
      .map(({ id, app }) => endedHere('app', app, (asking) => asking('revokeAppToken', { params: { id } }))),
  );
  // A credential with a token that was issued here ends with that token.
  const others = credentials.filter(({ service }) => service === 'remote').map(credentialItem);
  return [...apps, ...others, ...(await issuedTokens(ask, reason))];
}

function credentialItem({ name, provider, base_url: baseUrl }: CredentialView): EndItem {
  return {
    kind: 'credential',
    name,
    service: baseUrl,
    page: tokenPageOf(provider, baseUrl),
    byPerson: !endsOnRequest(provider),
    end: (ask) => ask('endCredential', { params: { name } }),
  };
}

/** Those that work, or can work again. */
async function issuedTokens(ask: AskPortal, reason: string): Promise<EndItem[]> {
  const found = new Map<string, EndItem>();
  let after: string | undefined;
  let isLast = false;
  do {
    const page = await ask('listTokens', {
      query: { status: 'Active,Suspended', limit: '200', ...(after === undefined ? {} : { after }) },
    });
    for (const { id, name } of page.tokens)
      found.set(
        id,
        endedHere('token', name, (asking) => asking('blacklistToken', { params: { id }, body: { reason } })),
      );
    // A service that answers the same page again has no other.
    isLast = page.next_after === null || page.next_after === after;
    after = page.next_after ?? undefined;
  } while (!isLast);
  return [...found.values()];
}

/** What is valid at this service only. */
function endedHere(kind: 'app' | 'token', name: string, end: (ask: AskPortal) => Promise<unknown>): EndItem {
  return {
    kind,
    name,
    service: null,
    page: null,
    byPerson: false,
    end: async (ask) => {
      await end(ask);
      return { outcome: 'ended', message: null };
    },
  };
}
