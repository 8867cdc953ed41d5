import type {
  ConnectionFinding,
  EndpointFinding,
  NotToldReason,
  TokenReply,
} from '../../contract/credential/connection-finding.ts';
import { longestValidityDays } from '../../contract/credential/provider.ts';
import type { CallFailure } from '../../contract/credential/rotation-trouble.ts';
import { credentialProblemText } from './credentials.ts';
import { quotedName } from '../names.ts';
import {
  callFailureText,
  noEndpointText,
  notRenewableText,
  personCreatesText,
  redirectedText,
  scopeMissingText,
} from './rotation-trouble-text.ts';

/** What a test of a token found. */

type Tested = Exclude<ConnectionFinding, { code: 'rotation_open' }>;

export function connectionText(finding: ConnectionFinding): string {
  if (finding.code === 'rotation_open') return rotationOpenText(finding);
  const { service, reply } = finding;
  switch (reply.kind) {
    case 'known':
      return [knownText(reply, service), ...knownAdvice(finding)].join(' ');
    case 'refused':
      return `${refusalText(service, reply.said)} ${refusedAdvice(finding, reply.why)}`;
    case 'unreachable':
      return `${notAskedText(service, reply.failure)} This says nothing about the token. ${checkAddress}`;
    case 'not_told':
      if (reply.reason.code === 'no_expiry') {
        return `The token works: ${service} accepts it. It does not say when the token expires.`;
      }
      if (reply.reason.code === 'never_expires') {
        return [
          `The token works: ${service} says that it never expires, so it is not known when to rotate it.`,
          ...(finding.code === 'token' ? ['It can be added if you say when it is to expire.'] : []),
        ].join(' ');
      }
      // There is nothing that another test could show.
      if (reply.reason.code === 'not_asked')
        return `The token was not tested: ${notToldText(service, reply.reason)}.`;
      return `${service} did not say whether the token works: ${notToldText(service, reply.reason)}. ${notToldAdvice(finding)}`;
  }
}

/** What a service said about a token that it does not accept; `said` may be only its status. */
export function refusalText(service: string, said: string): string {
  return /^\d{3}$/.test(said)
    ? `${service} refuses the token (${said}) and does not say why.`
    : `${service} says: “${said}”`;
}

const checkAddress = 'Check the address of the service and test again.';

function knownText(
  { name, status, expiresAtMs, isEndNoted }: Extract<TokenReply, { kind: 'known' }>,
  service: string,
): string {
  const as = name === null ? 'the token' : `the token as ${quotedName(name)}`;
  const is = status === null ? '' : ` (${status})`;
  if (isEndNoted === true) return `The token works: ${service} accepts it.`;
  return `The token works: ${service} knows ${as}${is}. It expires ${new Date(expiresAtMs).toISOString()}.`;
}

function knownAdvice(finding: Tested): string[] {
  if (finding.code === 'credential') {
    const { recordedExpiry } = finding;
    return recordedExpiry === null
      ? []
      : [`Rotavox has recorded ${recordedExpiry} as its expiry. Rotate it to correct that.`];
  }
  return finding.credential === null ? [] : [tokenTakenText(finding.credential)];
}

/** A token that is a credential already. */
export function tokenTakenText(name: string): string {
  return `This token is already the credential “${name}”. To deliver it to one more place, add a target there.`;
}

function refusedAdvice(finding: Tested, why: Extract<TokenReply, { kind: 'refused' }>['why']): string {
  if (finding.code === 'credential') {
    if (finding.here !== null) return credentialProblemText(finding.here);
    if (why === 'suspended') return `Resume the token at ${finding.service}, then test again.`;
    return why === 'refused'
      ? `Check at ${finding.service} whether the token is suspended, or may not be used from this machine. Rotavox will retry.`
      : 'The current token no longer works.';
  }
  return why === 'refused' || why === 'suspended'
    ? `Check at ${finding.service} whether the token is suspended, or may not be used from this machine. Then test again.`
    : 'Check whether the whole token was copied, whether it has been replaced since, and whether this service issued it.';
}

function notToldAdvice(finding: Tested): string {
  if (finding.cannotRotate) return checkAddress;
  return finding.code === 'credential'
    ? `A rotation would show it. ${checkAddress}`
    : `It can be added all the same if you say when it expires. ${checkAddress}`;
}

/** What a service says about the expiry that cannot be used. */
function expiryText({
  code,
  said,
}: Extract<NotToldReason, { code: 'expiry_unreadable' | 'expiry_too_far' }>): string {
  return code === 'expiry_too_far'
    ? `it says that the token expires “${said}”, and no expiry more than ${longestValidityDays} days ahead is believed`
    : `it says that the token expires “${said}”, which is not an instant, a date or a number of seconds`;
}

/** Why it is not known when a token expires, of a service that answered; it ends with what to do about it. */
export function expiryUnknownText(service: string, reason: NotToldReason | undefined): string {
  switch (reason?.code) {
    case 'never_expires':
      return `${service} says that the token never expires. Say after how many days Rotavox is to replace it, or when`;
    case 'expiry_unreadable':
    case 'expiry_too_far':
      return `${service} was asked, but ${expiryText({ code: reason.code, said: reason.said })}. Say when it expires`;
    case 'redirected':
      return `${service} was asked, but it redirects to ${redirectedText(service, reason.to)}. Check the address, or say when the token expires`;
    case 'no_such_call':
      return `${service} was asked, and has no call that tells it (${reason.status}). Check the address, or say when the token expires`;
    case 'no_expiry':
    case 'not_asked':
    case 'nothing_known':
    case undefined:
      return `${service} does not say when the token expires`;
  }
}

function notToldText(
  service: string,
  reason: Exclude<NotToldReason, { code: 'never_expires' | 'no_expiry' }>,
): string {
  switch (reason.code) {
    case 'redirected':
      return `it redirects to ${redirectedText(service, reason.to)}, where the token was not sent`;
    case 'nothing_known':
      return 'its answer does not describe the token';
    case 'not_asked':
      return 'Rotavox knows no call that shows it';
    case 'expiry_unreadable':
    case 'expiry_too_far':
      return expiryText(reason);
    case 'no_such_call':
      return `it has no such call (${reason.status})`;
  }
}

/** Why a service could not be asked about a token. */
export function notAskedText(
  service: string,
  failure: CallFailure | { readonly code: 'answered'; readonly status: number },
): string {
  return failure.code === 'answered'
    ? `${service} could not be asked: it answered ${failure.status}.`
    : callFailureText(service, failure);
}

function rotationOpenText({
  name,
  since,
  trouble,
  isRetried,
}: Extract<ConnectionFinding, { code: 'rotation_open' }>): string {
  const open =
    `The token was not tested: a rotation of “${name}” is open${since === null ? '' : ` since ${since}`}, and its service ` +
    'may have replaced the current token already. The test would count as a use of a replaced token.';
  if (trouble === null) return `${open} Wait until the rotation has ended and test again.`;
  return `${open} Last attempt: ${credentialProblemText(trouble)}${isRetried ? ' Rotavox will retry.' : ''}`;
}

/** Whether a service has a rotate endpoint. */
export function endpointText(finding: EndpointFinding): string {
  const { service } = finding;
  switch (finding.outcome) {
    case 'can_rotate':
      return finding.by === 'renewal'
        ? `${service} can renew the token.`
        : `${service} has a rotate endpoint.`;
    case 'cannot_rotate':
      return cannotRotateText(service, finding.reason);
    case 'unknown': {
      const why =
        finding.reason.code === 'answered'
          ? `It answered ${finding.reason.status} to a rotation with a token that nobody issued.`
          : callFailureText(service, finding.reason);
      return `It is not known whether ${service} can rotate tokens. ${why} The first rotation will show it.`;
    }
  }
}

function cannotRotateText(
  service: string,
  reason: Extract<EndpointFinding, { outcome: 'cannot_rotate' }>['reason'],
): string {
  switch (reason.code) {
    case 'no_endpoint':
      return noEndpointText(service, reason.status);
    case 'scope_missing':
      return scopeMissingText(service, reason.scopes);
    case 'person_creates':
      return personCreatesText(service, reason.page);
    case 'not_renewable':
      return notRenewableText(service, reason.until);
  }
}
