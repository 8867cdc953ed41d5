import { originOf } from '../../contract/address.ts';
import type { ServiceAnswer, ServiceCall } from '../../core/credential/credential-agent.ts';
import type { Credential } from '../../core/credential/credential-state.ts';
import { deriveCredential } from '../../core/credential/derive-credential.ts';
import { done, refused } from '../../core/result.ts';
import { providerFacts } from '../../providers/catalogue.ts';
import type { CredentialPorts, Refresh, Reports } from '../ports.ts';
import type { ClientCertificates } from '../vault/client-certificates.ts';
import {
  type Answer,
  exclusively,
  noCurrentToken,
  rotationOpen,
  unusableNow,
  withFresh,
} from './answer-for.ts';
import { partsOf } from '../../providers/provider-port.ts';
import { readCurrentToken } from '../vault/token-fingerprints.ts';
import { meaningOfRefusal, messageIn } from '../../providers/http/read-reply.ts';
import { callLimitMs, type ServiceCaller } from '../../providers/http/service-caller.ts';
import { noteReply } from './test-credential.ts';

/** The time limit of the service: a person waits, and so does a rotation that becomes due in the meantime. */
const longestMs = 15_000;

interface CallPorts extends CredentialPorts, Pick<Reports, 'text'> {
  readonly caller: ServiceCaller;
  readonly clientCertificates: Pick<ClientCertificates, 'of'>;
  readonly refresh: Refresh;
}

/**
 * Makes a call to the service of a credential with its current token.
 *
 * Only when no rotation is open, for the reason given in `test-credential.ts`; and exclusively for the credential, so
 * that none starts in the meantime. Between two calls the token may be replaced; the new one is then used.
 */
export function callService(ports: CallPorts, name: string, call: ServiceCall): Answer<ServiceAnswer> {
  return withFresh(ports, name, async (found) => {
    // Checked before waiting for the lock: the attempt that has it may wait for its service for long.
    if (found.rotation !== null) return refused(rotationOpen(name));
    return exclusively(ports, found, (now) => callPresent(ports, now, call));
  });
}

async function callPresent(
  ports: CallPorts,
  credential: Credential,
  { method, path, body }: ServiceCall,
): Answer<ServiceAnswer> {
  const { ledger, caller, clock, services, clientCertificates, text } = ports;
  const { name, rotation, lifetime } = credential;
  if (rotation !== null) return refused(rotationOpen(name));
  const { unusable } = deriveCredential(ledger.state, credential, clock());
  if (unusable !== null) return refused(unusableNow(ports, unusable));
  const secret = await readCurrentToken(ports, credential);
  const { accessToken: token, masked } = partsOf(services.providerOf(credential), secret ?? '');
  if (secret === null || token === null) return refused(noCurrentToken(credential));
  const baseUrl = services.urlOf(credential);
  const heard = await caller.presenting(
    () => clientCertificates.of(credential),
    () =>
      caller.call({
        method,
        baseUrl,
        path,
        token,
        slot: providerFacts(credential.provider.id).slot,
        timeLimitMs: callLimitMs(lifetime.expiresAtMs - clock(), longestMs),
        isList: method === 'GET',
        isAboutToken: false,
        ...(body === undefined ? {} : { body }),
      }),
  );
  const service = originOf(baseUrl);
  switch (heard.kind) {
    case 'answer': {
      const { status, body: json, text: raw, headers } = heard;
      if (status === 401 || status === 403) {
        const said = messageIn(withoutSecrets(json, masked), token);
        const why = meaningOfRefusal(status, said);
        const reply = { kind: 'refused', why, said: said ?? String(status) } as const;
        await noteReply(ports, { credential, baseUrl }, { reply, endpoint: null });
      }
      // The token is removed before the text is cut, because the cut could split it.
      const reply = withoutSecrets(json ?? raw, masked);
      const location = headers['location'] === undefined ? null : maskIn(headers['location'], masked);
      const link = headers['link'] === undefined ? undefined : maskIn(headers['link'], masked);
      return done({
        kind: 'answer',
        status,
        reply: typeof reply === 'string' ? beginningOf(reply) : reply,
        location,
        ...(link === undefined ? {} : { link }),
      });
    }
    case 'not_sent':
    case 'lost':
      return done({ kind: heard.kind, message: text.callFailure(service, heard.failure) });
  }
}

/** How much is shown of a reply that is not JSON. */
const shownCharacters = 500;

function beginningOf(text: string): string | null {
  const shown = text.trim().slice(0, shownCharacters).toWellFormed();
  return shown === '' ? null : shown;
}

/** Deeper than any reply of a service; deeper parts are left out, because the nesting could be unlimited. */
const deepest = 50;

/** A reply of another program, without the secrets that it was called with, at any depth. */
function withoutSecrets(reply: unknown, secrets: readonly string[], depth = 0): unknown {
  if (typeof reply === 'string') return maskIn(reply, secrets);
  if (typeof reply !== 'object' || reply === null) return reply;
  if (depth === deepest) return '…';
  if (Array.isArray(reply)) return reply.map((one: unknown) => withoutSecrets(one, secrets, depth + 1));
  return Object.fromEntries(
    Object.entries(reply).map(([key, one]) => [
      maskIn(key, secrets),
      withoutSecrets(one, secrets, depth + 1),
    ]),
  );
}

function maskIn(text: string, secrets: readonly string[]): string {
  return secrets.reduce((masked, secret) => masked.replaceAll(secret, '••••'), text);
}
