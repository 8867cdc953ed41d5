import type { RotationTrouble } from '../../contract/credential/rotation-trouble.ts';
import type { SignInProblem } from '../../contract/credential/sign-in.ts';
import { signInAgain } from './credentials.ts';
import { credentialRefusalText } from './credential-refusal-text.ts';
import { finalTroubleText, rotationTroubleText } from './rotation-trouble-text.ts';

/** Signing in where tokens are issued. */

/** Why a sign-in failed. */
export function signInProblemText(problem: SignInProblem): string {
  switch (problem.code) {
    case 'denied':
      return `${problem.service} did not complete the sign-in${problem.said === null ? '' : `: “${problem.said}”`}. Sign in again.`;
    case 'bad_answer':
      return `${problem.service} sent the browser back with an answer that is not one of a sign-in: ${badAnswers[problem.why]}${problem.said === null ? '' : ` (“${problem.said}”)`}. Nothing was stored. Sign in again; if that happens again, check the addresses of the server and the app that is registered there.`;
    case 'too_late':
      return 'Nobody signed in in time. Sign in again.';
    case 'cancelled':
      return 'The sign-in was cancelled.';
    case 'no_refresh_token':
      return (
        `${problem.service} gave no refresh token, so Rotavox could not replace the access token when it expires. ` +
        'Ask for a scope that gives one, such as offline_access, or allow refresh tokens for the app there.'
      );
    case 'failed':
      return rotationTroubleText(problem.trouble);
    case 'not_stored':
      return credentialRefusalText(problem.reason);
  }
}

const badAnswers: Readonly<Record<Extract<SignInProblem, { code: 'bad_answer' }>['why'], string>> = {
  no_code: 'it has no code',
  repeated: 'something is in it twice',
  other_issuer: 'it is from another issuer',
  not_allowed: 'the standard does not allow it',
};

/** What the browser shows that was sent back to this machine, as HTML. */
export const signInPage = {
  done: page('Signed in', 'You can close this page and go back to Rotavox.'),
  failed: page('Sign-in failed', 'Go back to Rotavox to see why. You can close this page.'),
} as const;

function page(title: string, text: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>${text}</p></html>`;
}

/** Tokens that were not revoked when a credential was removed. */
export function notRevokedText(trouble: RotationTrouble): string {
  return `The credential was removed, but its tokens could not be revoked and work until they expire. ${finalTroubleText(trouble)} Revoke them there.`;
}

/** An old token that was not deleted when its credential was removed. */
export function notDeletedText(generation: number, until: string, trouble: RotationTrouble): string {
  return `Old token number ${generation} was not deleted and works until ${until}. ${finalTroubleText(trouble)} Delete it at the service.`;
}

/** Signing in from the command line and from a window. */
export const signInText = {
  again: signInAgain,
  first: 'Sign in',
  clientSecret: {
    label: 'Client secret',
    subject: 'The client secret',
    hint: 'If the server gave your app one. It is stored with the tokens and not shown again.',
  },
  addressHint: 'Where the access tokens are used. Default: the address of the service, or of the issuer.',
  starting: 'Starting…',
  /** How: on this machine, or anywhere. */
  method: {
    label: 'How you sign in',
    hint: 'With a code you can sign in on any device, such as a phone, also when Rotavox runs on a server.',
    choices: { browser: 'In a browser on this machine', device: 'With a code' },
  },
  againWithCode: 'Sign in with a code',
  open: (origin: string) => `Sign in at ${origin}`,
  address: 'address of the sign-in page',
  openThenEnter:
    'Open this page on any device, enter the code and approve. If the page shows a code, it must be this one.',
  code: 'the code',
  waiting: 'Waiting for you to sign in there.',
  waitingForApproval: 'Waiting for approval.',
  expires: 'The page expires in {left}.',
  codeExpires: 'The code expires in {left}.',
  noTime: 'less than a minute',
  cancel: 'Cancel sign-in',
  signedIn: (name: string) => `Signed in. “${name}” has new tokens.`,
  failed: 'The sign-in failed.',
  started: ({ url, code, isOpened }: { url: string; code: string | null; isOpened: boolean }) => [
    isOpened ? `Sign in in the browser that was opened, or open: ${url}` : `Open in a browser: ${url}`,
    ...(code === null ? [] : [`Enter the code there: ${code}`]),
  ],
} as const;
