import { originOf } from '../../contract/address.ts';
import {
  type CredentialOutline,
  type TroubleKind,
  waitsForPerson,
} from '../../contract/credential/credential-view.ts';
import type { MovedFrom } from '../../contract/service/moved-from.ts';
import { shellWord } from '../../contract/shell-word.ts';
import type { AttentionOf } from '../../contract/window/attention.ts';
import { isSignedIn } from '../../providers/catalogue.ts';
import { signInText } from '../credential/sign-in-text.ts';
import { movedDataText } from '../service/moved-data.ts';
import { reuseText } from '../token/reuse-text.ts';

/** What a person can do about it. A window makes a button or a link of each, the command line a command. */
export type Remedy =
  /** `isOneOf`: of several that fail for one reason. */
  | { readonly kind: 'rotate'; readonly name: string; readonly isOneOf?: true }
  | { readonly kind: 'resume'; readonly name: string }
  | { readonly kind: 'resume_token'; readonly name: string; readonly tokenId: string }
  | { readonly kind: 'deliver'; readonly name: string; readonly targetId: string }
  | { readonly kind: 'reissue'; readonly name: string }
  | { readonly kind: 'enter_token'; readonly name: string }
  /** Where the tokens come from a sign-in. */
  | { readonly kind: 'sign_in'; readonly name: string }
  | { readonly kind: 'remind'; readonly name: string }
  /** Its service is at another address now. */
  | { readonly kind: 'change_address'; readonly name: string; readonly address: string }
  | { readonly kind: 'open_credential'; readonly name: string }
  /** The service that issued the token, where a new one can be issued. */
  | { readonly kind: 'open_portal'; readonly origin: string }
  | { readonly kind: 'open_credentials' | 'add_credential' | 'verify_history' }
  /** Asked about first: what it is about. */
  | { readonly kind: 'confirm_move'; readonly from: MovedFrom }
  | { readonly kind: 'open_pbx'; readonly name: string }
  | { readonly kind: 'open_family'; readonly familyId: string }
  | { readonly kind: 'dismiss_use'; readonly familyId: string }
  | { readonly kind: 'remove_host'; readonly id: string; readonly name: string };

/** What the button for it says, and the command that does it, without the name of the program; null where there is none. */
function remedyWords(remedy: Remedy): readonly [label: string, command: string | null] {
  switch (remedy.kind) {
    case 'rotate':
      return [
        remedy.isOneOf ? `Rotate “${remedy.name}” now` : 'Rotate now',
        `credential rotate ${remedy.name}`,
      ];
    case 'resume':
      return ['Resume rotation', `credential resume ${remedy.name}`];
    case 'resume_token':
      return ['Resume token', `token resume ${remedy.tokenId}`];
    case 'deliver':
      return ['Deliver again', `credential target ${remedy.name} deliver ${remedy.targetId}`];
    case 'reissue':
      return ['Issue a new token…', `credential reissue ${remedy.name}`];
    case 'enter_token':
      return ['Enter a new token…', `credential replace ${remedy.name}`];
    case 'sign_in':
      return [signInText.again, `credential sign-in ${remedy.name}`];
    case 'remind':
      return ['Remind me only', `credential remind ${remedy.name}`];
    case 'change_address':
      return [serviceAddressText.open, `credential address ${remedy.name} ${shellWord(remedy.address)}`];
    case 'open_portal':
      return [`Open ${remedy.origin}`, null];
    case 'open_credential':
      return ['Open credential', `credential show ${remedy.name}`];
    case 'open_credentials':
      return ['Open credentials', 'credential list'];
    case 'add_credential':
      return ['Add credential…', null];
    case 'verify_history':
      return ['Verify history', 'history --verify'];
    case 'open_pbx':
      return ['Open telephone system', `pbx test ${remedy.name}`];
    case 'open_family':
      return ['Open token', `token list --family ${remedy.familyId}`];
    case 'dismiss_use':
      return [reuseText.dismiss, `token dismiss-use ${remedy.familyId}`];
    case 'remove_host':
      return ['Remove host', null];
    case 'confirm_move':
      return [movedDataText.confirm, 'confirm-move'];
  }
}

export function remedyLabel(remedy: Remedy): string {
  return remedyWords(remedy)[0];
}

export function remedyCommand(remedy: Remedy): string | null {
  return remedyWords(remedy)[1];
}

/** What the remedies of a credential depend on. */
export type RemediedCredential = Pick<
  CredentialOutline,
  'name' | 'provider' | 'service' | 'base_url' | 'state' | 'family_id' | 'token_id'
> & {
  readonly trouble: { readonly kind: TroubleKind; readonly redirected_to?: string | undefined } | null;
};

/** A remedy for a credential that is not rotated. */
export type CredentialRemedy = Extract<
  Remedy,
  | { kind: 'rotate' }
  | { kind: 'reissue' }
  | { kind: 'enter_token' }
  | { kind: 'sign_in' }
  | { kind: 'open_portal' }
  | { kind: 'resume_token' }
  | { kind: 'remind' }
  | { kind: 'open_family' }
  | { kind: 'change_address' }
>;

/**
 * What helps a credential, the suggested remedy first; nothing while nothing is wrong with its rotation.
 *
 * The one derivation of it, for windows and the command line.
 */
export function credentialRemedies(one: RemediedCredential): CredentialRemedy[] {
  const { name, trouble, family_id: familyId, token_id: tokenId } = one;
  const enter = { kind: 'enter_token', name } as const;
  const portal = { kind: 'open_portal', origin: originOf(one.base_url) } as const;
  const rotate = { kind: 'rotate', name } as const;
  if (waitsForPerson(one)) {
    if (isSignedIn(one.provider)) return [{ kind: 'sign_in', name }];
    if (one.service === 'remote') return [enter, portal];
    // Issued again with the same settings, where this service knows the token.
    return tokenId === null ? [enter] : [{ kind: 'reissue', name }, enter];
  }
  if (trouble === null) return [];
  if (trouble.kind === 'suspended') {
    if (tokenId === null) return [portal, enter];
    return [
      { kind: 'resume_token', name, tokenId },
      { kind: 'reissue', name },
    ];
  }
  if (trouble.kind === 'no_endpoint') return [{ kind: 'remind', name }, rotate];
  // The token may be suspended there, or this machine's address not be allowed.
  if (trouble.kind === 'refused' && familyId !== null) return [{ kind: 'open_family', familyId }, rotate];
  if (trouble.redirected_to !== undefined) {
    return [changeAddress(name, { to: trouble.redirected_to, base_url: one.base_url }), rotate];
  }
  return [rotate];
}

/** The path of an API stays where only its host is another one. */
export function changeAddress(
  name: string,
  { to, base_url: before }: NonNullable<AttentionOf<'failing'>['redirect']>,
): Extract<Remedy, { kind: 'change_address' }> {
  const path = before.slice(originOf(before).length).replace(/^\/$/, '');
  return { kind: 'change_address', name, address: `${to}${path}` };
}

/** The suggested command for a credential, as it is typed; null where nothing is wrong, or no command helps. */
export function suggestedCommand(one: RemediedCredential): string | null {
  return firstCommand(credentialRemedies(one));
}

/** The same after an attempt that failed, where another one does not help. */
export function commandAfterFailure(one: RemediedCredential): string | null {
  return firstCommand(credentialRemedies(one).filter(({ kind }) => kind !== 'rotate'));
}

function firstCommand(remedies: readonly Remedy[]): string | null {
  for (const remedy of remedies) {
    const command = remedyCommand(remedy);
    if (command !== null) return `rotavox ${command}`;
  }
  return null;
}

/** The card and the dialog that change the address of a credential's service. */
export const serviceAddressText = {
  title: 'Service address',
  open: 'Change address…',
  heading: (name: string) => `Change the service address of ${name}`,
  field: 'New address',
  hint: (address: string) => `${address} Rotavox tests the token there before it saves the address.`,
  test: 'Test and save',
  testing: 'Testing …',
  cancel: 'Cancel',
  back: 'Back',
  /** Asked before the token goes to another origin. */
  question: 'Send the token to {to}?',
  consequence:
    'Until now the token was sent only to {from}. Whoever runs {to} can read and use it. Continue only if you trust that service.',
  send: 'Send token and test',
  notSaved: 'The address was not saved.',
} as const;
