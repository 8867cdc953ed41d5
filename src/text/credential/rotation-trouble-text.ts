import type {
  CallFailure,
  RotationTrouble,
  ServiceWait,
} from '../../contract/credential/rotation-trouble.ts';
import { networkFailureText } from '../service/network-text.ts';
import { vaultProblemText } from './vault-text.ts';

/**
 * Why a rotation failed. What a person can do about it is a `Remedy`, derived from the kind of trouble. `wait`: what the service asks
 * for where it is tried again, and how much of it is granted.
 */
export function rotationTroubleText(trouble: RotationTrouble, wait?: ServiceWait): string {
  const text = troubleText(trouble);
  return wait?.asked === undefined || wait.asked === null ? text : text.replace(retries, waitText(wait));
}

function waitText({ until, asked }: ServiceWait): string {
  const asks = `It asks to wait until ${asked}.`;
  return Date.parse(asked ?? '') > Date.parse(until)
    ? `${asks} Rotavox will retry earlier: after a day at most, and before the token expires.`
    : `${asks} ${retries}`;
}

function troubleText(trouble: RotationTrouble): string {
  switch (trouble.code) {
    case 'call_failed':
      return trouble.failure.code === 'not_trusted'
        ? `${callFailureText(trouble.service, trouble.failure)} The token was not sent.`
        : callFailureText(trouble.service, trouble.failure);
    case 'no_new_token':
      return `${trouble.service} answered ${trouble.status}, but without a new token.`;
    case 'not_storable':
      return `${trouble.service} gave a new token with characters that no program can use (NUL or halves of characters). It is kept in the vault's entry “${trouble.name} (pending)”. Create another token there and enter it.`;
    case 'redirected':
      return `${trouble.service} redirects to ${redirectedText(trouble.service, trouble.to)}. The token was not sent there. ${checkAddress}`;
    case 'expired':
      return `${trouble.service} says that the token has expired.`;
    case 'blacklisted':
      return `${trouble.service} has blacklisted the token.`;
    case 'suspended':
      return `${trouble.service} says that the token is suspended. Resume it there. ${retries}`;
    case 'invalid':
      return `${trouble.service} does not know the token (401${saidText(trouble.said)}).`;
    case 'refused':
      return `${trouble.service} refuses for now (403${saidText(trouble.said)}). ${retries}`;
    case 'no_endpoint':
      return trouble.isRetried
        ? `${noEndpointText(trouble.service, trouble.status)} ${retries}`
        : noEndpointText(trouble.service, trouble.status);
    case 'may_not_rotate':
      return scopeMissingText(trouble.service, trouble.scopes);
    case 'login_refused':
      return `${trouble.service} does not accept the email address or the password${saidText(trouble.said)}. Enter a token and the password again.`;
    case 'app_refused':
      return `${trouble.service} does not accept the key of the app, or the app is not installed there${saidText(trouble.said)}. ${retries}`;
    case 'person_creates':
      return personCreatesText(trouble.service, trouble.page);
    case 'not_renewable':
      return notRenewableText(trouble.service, trouble.until);
    case 'service_failed':
      if (trouble.status === 503) {
        return `${trouble.service} is not available now (503${saidText(trouble.said)}): maintenance, or too much load. ${retries}`;
      }
      return `${trouble.service} answered ${trouble.status}${saidText(trouble.said)}. ${retries}`;
    case 'sign_in_ended':
      return `${trouble.service} no longer accepts the sign-in${saidText(trouble.said)}. Sign in again.`;
    case 'client_refused':
      return `${trouble.service} does not accept the client id or the client secret${saidText(trouble.said)}. Check both there. ${retries}`;
    case 'repeats_later':
      return (
        `The reply of ${trouble.service} to the last refresh never arrived. Repeating the refresh now could end the access token ` +
        `in use, so Rotavox repeats it when that has expired, at ${trouble.until}. Sign in again if you do not want to wait.`
      );
    case 'reply_lost':
      return (
        `${trouble.service} gave no reply with a new token to the rotation started at ${trouble.begunAt}, and ` +
        'no longer knows the old token. It has most likely replaced it with a token that nobody received.'
      );
    case 'value_missing':
      return trouble.isAnother
        ? `The vault has another token for “${trouble.name}” than the one that was stored there.`
        : `The vault no longer has a token for “${trouble.name}”.`;
    case 'vault':
      return vaultProblemText(trouble.problem);
    case 'id_unknown':
      return `${trouble.service} still accepts the old token. Rotavox does not know its id, so delete it there.`;
    case 'list_unfinished':
      return `${trouble.service} did not list its tokens to the end: ${listProblems[trouble.why]}. ${retries}`;
    case 'no_guardian':
      return `${trouble.service} was not asked: “${trouble.name}”, which creates its tokens, cannot be used now. ${retries}`;
    case 'no_provider':
      return `There is no provider “${trouble.id}”. Add its file again.`;
    case 'internal':
      return internalText;
  }
}

const listProblems = {
  elsewhere: 'its next page is at another address, which gets no token',
  again: 'its pages repeat',
  too_many: 'it has too many pages',
  unreadable: 'a page does not say where the next one is',
} as const;

const checkAddress = 'Check the address of the service.';

const retries = 'Rotavox will retry.';

/** The same about something that is not tried again. */
export function finalTroubleText(trouble: RotationTrouble): string {
  return rotationTroubleText(trouble).replaceAll(` ${retries}`, '');
}

/** An unexpected error. */
export const internalText = `Something went wrong inside Rotavox. ${retries}`;

export function noEndpointText(service: string, status: number): string {
  return `${service} has no rotate endpoint (${status}). ${checkAddress}`;
}

/** A token whose scopes do not let it be rotated. */
export function scopeMissingText(service: string, scopes: readonly string[]): string {
  return `${service} does not let this token rotate itself. Create one with the scope ${scopes.join(' or ')} there.`;
}

/** A service that lets only a person create tokens; null: the page is not known. */
export function personCreatesText(service: string, page: string | null): string {
  return `${service} lets only a person create tokens. Create a new one${page === null ? '' : ` at ${page}`} and enter it.`;
}

/** A token whose end cannot be moved. `until`: its end; null: it has none. */
export function notRenewableText(service: string, until: string | null): string {
  return until === null
    ? `${service} says that this token never expires, so there is nothing to renew.`
    : `${service} does not renew this token any further. It expires ${until}. Create a new one there before that.`;
}

/** Where a service redirects to; null: not to be told. */
export function redirectedText(service: string, to: string | null): string {
  if (to === null) return 'another address';
  if (to === service) return 'another page of the same address, as for a sign-in or a maintenance page';
  return to === service.replace(/^http:/, 'https:') ? `${to}, the same host with https` : to;
}

/** A service that gets too many calls. */
export function asksToWaitText(service: string, { until, asked }: ServiceWait): string {
  if (asked === null) {
    return `${service} got too many calls and does not say how long to wait. Rotavox waits until ${until}.`;
  }
  return Date.parse(asked) > Date.parse(until)
    ? `${service} got too many calls and asks to wait until ${asked}. Rotavox waits for a day at most, until ${until}.`
    : `${service} got too many calls and asks to wait until ${until}.`;
}

/** Why a call got no answer. */
export function callFailureText(service: string, failure: CallFailure): string {
  switch (failure.code) {
    case 'not_trusted':
    case 'proxy_failed':
    case 'proxy_invalid':
    case 'client_certificate':
      return networkFailureText(service, failure);
    case 'not_connected':
      return `${service} could not be reached: ${connectFailures[failure.systemCode] ?? `no connection (${failure.systemCode})`}.`;
    case 'not_sendable':
      return `${service} was not asked: the token has characters that a header cannot carry (only printable ASCII). It is stored as it is.`;
    case 'stopping':
      return `${service} was not asked: Rotavox is stopping.`;
    case 'asked_to_wait':
      return `${asksToWaitText(service, failure)} Nothing was sent.`;
    case 'no_answer':
      return `${service} did not answer within ${failure.limitMs / 1000} s.`;
    case 'stopped':
      return `${service} was asked, but Rotavox stopped before the answer arrived.`;
    case 'page':
      return pageText(service, failure);
    case 'connection_lost':
      return `${service} was asked, but the connection ended before the answer arrived (${failure.systemCode}).`;
  }
}

/** A web page instead of an answer: who may have sent it, and what to look at. */
function pageText(service: string, { status, title }: Extract<CallFailure, { code: 'page' }>): string {
  const page = title === null ? 'a web page' : `a web page (“${title}”)`;
  return status === 403
    ? `${page[0]?.toUpperCase()}${page.slice(1)} came instead of the answer of ${service} (403): a firewall or the service itself does not let this computer call it.`
    : `${page[0]?.toUpperCase()}${page.slice(1)} came instead of the answer of ${service} (${status}): the address is that of a website, or something on the way answered, such as the sign-in of a network.`;
}

/** Behind a proxy, names of other networks are often not known. */
const orProxy = '; where calls need a proxy, name it in the setting “proxy” or in HTTPS_PROXY';

/** Codes of a connection that was never made. */
const connectFailures: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: `its name is not known. Check the network${orProxy}`,
  EAI_AGAIN: `its name cannot be looked up now. Check the network${orProxy}`,
  EHOSTUNREACH: 'there is no route to it. Check the network',
  ENETUNREACH: 'there is no network',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
  ROTAVOX_ADDRESS_REFUSED:
    'its address is link-local, or where a cloud tells its machines their secrets, and Rotavox never calls those. Check the address',
  ERR_INSECURE_ADDRESS: 'its address is not https, nor http on this machine. Check the address',
};

function saidText(said: string | null): string {
  return said === null ? '' : `: “${said}”`;
}
