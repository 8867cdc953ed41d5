import { clientCertificateProblemText } from '../service/network-text.ts';
import type { CredentialRefusalReason } from '../../contract/credential/credential-refusal.ts';
import { longestValidityDays } from '../../contract/credential/provider.ts';
import {
  endpointText,
  expiryUnknownText,
  notAskedText,
  refusalText,
  tokenTakenText,
} from './connection-test.ts';
import { toolObstacleText } from './connection-text.ts';
import { credentialProblemText } from './credentials.ts';
import { deliveryProblemText, targetExistsText, targetTakenText } from './delivery.ts';
import { movedDataText } from '../service/moved-data.ts';
import { isAboutNetwork } from '../service/network-text.ts';
import { asksToWaitText, rotationTroubleText } from './rotation-trouble-text.ts';
import { rightsQuestion } from './proxy-text.ts';
import { vaultProblemText } from './vault-text.ts';

/** Why an owner's request about a credential is refused. Where it is about a field, the end of a sentence about that. */
export function credentialRefusalText(reason: CredentialRefusalReason): string {
  switch (reason.code) {
    case 'no_credential':
      return `There is no credential “${reason.name}”.`;
    case 'no_target':
      return `“${reason.name}” has no such delivery target.`;
    case 'removed_meanwhile':
      return 'The credential was removed in the meantime.';
    case 'name_taken':
      return `There is already a credential “${reason.name}”. Choose another name, or replace the token of that one.`;
    case 'token_taken':
      return tokenTakenText(reason.name);
    case 'too_many_targets':
      return `“${reason.name}” already has ${reason.limit} delivery targets.`;
    case 'rule_too_wide':
      return reason.isOfSecrets
        ? `${reason.path} is too wide: at a service that keeps secrets a wildcard may stand for a mount before data or metadata, or below it, such as /v1/secret/data/team/**. Write the other parts out.`
        : `${reason.path} is too wide: the first two parts of a path have to be written out, such as /api/v4/**, because nobody can list every call that creates tokens. Take one of the ready rules of “${reason.name}”, or write the parts out.`;
    case 'rule_names_rights':
      return `${rightsQuestion(reason.parts)} Confirm that first. Nothing was added.`;
    case 'too_many_rules':
      return `“${reason.name}” already has ${reason.limit} rules. Remove one first.`;
    case 'too_many_app_tokens':
      return `“${reason.name}” already has ${reason.limit} app tokens. Revoke one first.`;
    case 'no_proxy_rule':
      return `There is no rule ${reason.id}.`;
    case 'no_app_token':
      return `There is no app token ${reason.id}.`;
    case 'no_such_connection':
      return `There is no connection ${reason.id}.`;
    case 'connection_exists':
      return `${reason.tool} is already connected for ${reason.place}: ${reason.id}. Disconnect that first.`;
    case 'too_many_connections':
      return `There are already ${reason.limit} connections. Remove one first.`;
    case 'no_connection_url':
      return 'must be an https address without a user, or http on this machine';
    case 'connection_of_team':
      return 'Tools are connected to the service of their own machine, and this one is a host of a team.';
    case 'tools_not_here':
      return toolObstacleText[reason.why];
    case 'tools_busy':
      return 'Other checks or changes of the tools of this credential are not done yet. Try again when they are.';
    case 'target_exists':
      return targetExistsText(reason.name);
    case 'target_taken':
      return targetTakenText(reason.name);
    case 'too_far':
      return `must be at most ${longestValidityDays} days ahead`;
    case 'not_in_future':
      return 'must be in the future';
    case 'may_rotate':
      return `It is not known that the service of “${reason.name}” has no rotate endpoint. Test the credential first. If the test cannot tell, pause the credential: it is not rotated then, and you are still warned before it expires.`;
    case 'no_current_token':
      return `${noCurrentTokenText(reason.name, reason.has)} ${
        reason.isRotating
          ? 'A rotation of it is open; try again when that has ended.'
          : 'Enter the current token.'
      }`;
    case 'rotation_open':
      return (
        `A rotation of “${reason.name}” is open, and its service may have replaced the current token already. The call ` +
        'would count as a use of a replaced token. Wait until the rotation has ended.'
      );
    case 'moved':
      return movedDataText.refused(reason.from);
    case 'asked_to_wait':
      return `${asksToWaitText(reason.service, reason)} Nothing was sent: rotate again after that, or wait for the planned rotation.`;
    case 'not_a_key':
      return 'must be the private key of the app, from the .pem file that GitHub gave';
    case 'email_needed':
      return 'is needed to log in with a password';
    case 'person_creates':
      return `Only a person can create tokens for “${reason.name}”. Create one${reason.page === null ? '' : ` at ${reason.page}`} and enter it.`;
    case 'no_validity':
      return `must be left out: ${reason.service} decides how long its tokens are valid, and cannot be asked for less`;
    case 'no_standby':
      return `“${reason.name}” cannot have a second token: its service has no second token of the same kind.`;
    case 'client_certificate':
      return clientCertificateProblemText(reason.why);
    case 'no_provider':
      return `There is no provider “${reason.id}”. Choose another one, or add its file.`;
    case 'token_unusable':
      return credentialProblemText(reason.problem);
    case 'vault':
      return vaultProblemText(reason.problem);
    case 'cannot_rotate':
      return `${endpointText(reason.endpoint)} The token was not added. It can be added with reminders before it expires, but without rotation.`;
    case 'ended_before':
      return `cannot be added: ${reason.service ?? 'the token itself'} says that it expired at ${reason.at}. Create another one there and enter it`;
    case 'token_refused':
      return `cannot be added: ${refusalText(reason.service, reason.said)}`;
    case 'expiry_unknown':
      return reason.failure === null
        ? `is needed: ${expiryUnknownText(reason.service, reason.told)}`
        : `${notAskedText(reason.service, reason.failure)} ${isAboutNetwork(reason.failure) ? 'Then add the token again.' : 'Try again when it answers, or say when the token expires.'}`;
    case 'sign_in_needed':
      return 'The tokens of this service come from a sign-in. Sign in instead of entering a token.';
    case 'no_sign_in':
      return `The tokens of “${reason.name}” do not come from a sign-in. Enter a token instead.`;
    case 'no_such_sign_in':
      return 'There is no such sign-in. It may have ended, or Rotavox was restarted. Sign in again.';
    case 'too_many_sign_ins':
      return `${reason.limit} sign-ins are open already. Complete or cancel one first.`;
    case 'no_sign_in_endpoint':
      return reason.method === 'browser'
        ? `${reason.service} has no page to sign in. Sign in with a code instead.`
        : `${reason.service} has no sign-in with a code. Sign in with the browser instead.`;
    case 'sign_in_unprotected':
      return `${reason.service} names ${reason.page} for its sign-in, which is not protected by https. Nothing was sent there. Its administrator has to set its public address, which begins with https.`;
    case 'sign_in_not_started':
    case 'client_not_accepted':
      return rotationTroubleText(reason.trouble);
    case 'target_impossible':
      return deliveryProblemText(reason.problem);
    case 'origin_not_confirmed':
      return `The token was used at ${reason.from} and would be sent to ${reason.to}. Confirm the new origin first. Nothing was sent.`;
    case 'address_of_embedded':
      return `“${reason.name}” is a token of this service, which has no other address.`;
    case 'no_helper':
      return `must be another credential of ${reason.service}; “${reason.name}” is not`;
    case 'no_helper_input':
      return `is not an input of “${reason.name}” that names another credential`;
    case 'own_helper':
      return 'must be another credential: this one cannot help itself';
    case 'not_issued_here':
      return `The token of “${reason.name}” was not issued by this service. Issue a new one where it came from, and enter it.`;
  }
}

function noCurrentTokenText(name: string, has: 'nothing' | 'another'): string {
  return has === 'nothing'
    ? `The vault has no token for “${name}”.`
    : `The vault does not have the current token of “${name}”.`;
}
