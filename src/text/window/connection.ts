const networkAdvice =
  'Check the network and, if you need one, the VPN. If nobody can reach it, start Rotavox there again.';

/** What a window says while it is not connected to the service. */
export const connectionText = {
  retry: 'Retry',
  signedOut: {
    title: 'This window is not signed in',
    text: 'Only the owner can see the state of Rotavox. This command makes a one-time sign-in link and opens it:',
    /** Where the command is not known. */
    other:
      'Only the owner can see the state of Rotavox. Open it with the icon in the tray, or start it again where it was started.',
    command: 'the command for a sign-in link',
    /** On a host that is reached over a network, while nobody has a key. */
    noOwners:
      'Owners sign in with a key, and nobody has one yet. This command, on the computer where Rotavox runs, makes the first:',
    addOwner: 'rotavox owner add NAME',
    addOwnerCopy: 'the command that adds an owner',
  },
  refused: 'The service runs, but did not return its state',
  asOf: 'The state shown is as of {time}.',
  /** Of a team, while the host at this address is away. */
  otherHosts:
    'The other hosts of your team may still work: open Rotavox at the address of one of them. This window reconnects when this address answers again.',
  /** A window on the computer where the service runs. */
  here: {
    unreachable: (reason: string) => `The service does not answer: ${reason}`,
    known: 'Tokens cannot be rotated until the service runs again. This window reconnects when it does.',
    unknown: 'Start Rotavox again.',
  },
  /** A window on another computer, which can be without a network itself. */
  elsewhere: {
    unreachable: (reason: string, host: string) => `${host} does not answer: ${reason}`,
    known: `${networkAdvice} This window reconnects when it answers.`,
    unknown: networkAdvice,
  },
  state: {
    live: 'Running',
    refusing: 'Refusing changes',
    asking: 'Asking',
    reconnecting: 'Reconnecting',
    signedOut: 'Signed out',
    refused: 'Failing',
    unreachable: 'Not answering',
  },
} as const;

/** Why the service gave no answer that can be shown, as the end of a sentence. */
export const noAnswerText = {
  notReached: 'it cannot be reached',
  brokenOff: (reason: string) => `its answer broke off (${reason})`,
} as const;

/** A refusal without a message. */
export function statusText(status: number, text: string): string {
  return `It answered with ${status} ${text}.`;
}

/** Why something was not done. */
export type Problem =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** What a request changes. A request without an answer may have been carried out. */
export type Change = keyof typeof unansweredText;

/** Why something was not done, and what to do. Without `change`: a request that changes nothing. */
export function problemText(problem: Problem, change?: Change): string {
  switch (problem.kind) {
    case 'refused':
      return problem.reason;
    case 'signed-out':
      return 'This window is no longer signed in. Reload it to see the command that makes a new sign-in link.';
    case 'unreachable': {
      const unanswered = change === undefined ? '' : ` ${unansweredText[change]}`;
      return `The service does not answer: ${problem.reason}.${unanswered}`;
    }
  }
}

/** How to find out whether a change was made, when no answer came. */
const unansweredText = {
  token_issued: 'The history shows whether a token was issued.',
  token_replaced: 'The history shows whether the token was replaced.',
  token_rotated: 'The history shows whether the token was rotated.',
  token_suspended: 'The history shows whether the token is suspended.',
  token_resumed: 'The history shows whether the token is resumed.',
  token_blacklisted: 'The history shows whether the token is blacklisted.',
  credential_added: 'The history shows whether the credential was added.',
  credential_changed: 'The history shows whether the credential was changed.',
  credential_removed: 'The history shows whether the credential was removed.',
  rotation_paused: 'The history shows whether rotation is paused.',
  rotation_resumed: 'The history shows whether rotation is resumed.',
  target_added: 'The history shows whether the target was added.',
  target_delivered: 'The history shows whether the token was delivered.',
  target_removed: 'The history shows whether the target was removed.',
  tool_connected: 'When it answers again, the list shows whether the tool is connected.',
  tool_disconnected: 'When it answers again, the list shows whether the tool is connected.',
  proxy_changed: 'The history shows whether the proxy was changed.',
  recording_added: 'The history shows whether the recording was added.',
  recording_replaced: 'The history shows whether the recording was replaced.',
  recording_renamed: 'The history shows whether the recording was renamed.',
  recording_removed: 'The history shows whether the recording was removed.',
  speaking_begun: 'When it answers again, this window shows how far speaking is.',
  speaking_stopped: 'When it answers again, this window shows how far speaking is.',
  pronunciations_changed: 'When it answers again, the list shows whether it was changed.',
  voice_added: 'When it answers again, the list of voices shows whether the voice was added.',
  voice_removed: 'When it answers again, the list of voices shows whether the voice was removed.',
  entry_saved: 'The history shows whether the entry was saved.',
  entry_removed: 'The history shows whether the entry was removed.',
  entries_imported: 'The history shows whether the entries were imported.',
  draft_created: 'The history shows whether the draft was created.',
  draft_copied: 'The history shows whether the copy was made.',
  draft_deleted: 'The history shows whether the draft was deleted.',
  draft_published: 'The history shows whether anything was published.',
  schedule_created: 'The history shows whether the opening hours were added.',
  schedule_changed: 'The history shows whether the opening hours were changed.',
  schedule_switched: 'The history shows whether the opening hours were switched.',
  schedule_deleted: 'The history shows whether the opening hours were deleted.',
  pbx_added: 'The history shows whether the telephone system was added.',
  pbx_changed: 'The history shows whether the telephone system was changed.',
  pbx_removed: 'The history shows whether the telephone system was removed.',
  phone_rung: 'The list of calls shows whether the phone rings.',
  calls_forgotten: 'The history shows whether call records were deleted.',
  settings_changed: 'The history shows whether the settings were changed.',
  proxy_login_changed: 'When it answers again, the settings show whether a password is stored.',
  token_ended: 'The history shows whether the token was ended.',
  tokens_moved: 'When it answers again, the settings show where the tokens are.',
  owner_added:
    'The list of owners shows whether the owner was added. If so, revoke and add it again: the key is not shown twice.',
  owner_revoked: 'The list of owners shows whether the owner was revoked.',
  signed_out: 'Try again to make sure that you are signed out.',
} as const;

/** What answers at the service's address is another program, or a service of another version. */
export function unexpectedAnswerText({
  baseUrl,
  status,
}: {
  readonly baseUrl: string;
  readonly status: number;
}): string {
  const place = baseUrl === '' ? 'the address of the service' : baseUrl;
  return `The program at ${place} does not answer like this version of Rotavox (HTTP ${status}).`;
}
