/** Telephone systems, in the windows and the command line: the state of a connection, what a test found, and why something was refused. */
import type {
  ConfigLines,
  PbxCheckName,
  PbxProblem,
  PbxState,
  PbxTest,
  PbxTrouble,
  RoutedType,
  SilentPrompt,
} from '../../contract/calls/pbx.ts';
import { countWords } from '../count.ts';
import { speechProblemText } from '../menu/speech-text.ts';
import { quotedName } from '../names.ts';
import { dueText, nearText } from '../time.ts';

/** Why a telephone system cannot be used, and what to do, a sentence or more each. */
export function pbxTroubleText({ code, detail }: PbxTrouble): {
  readonly what: string;
  readonly advice: string;
} {
  const answer = detail === '' ? '' : ` (${detail})`;
  switch (code) {
    case 'not_reached':
      return notReachedText(detail);
    case 'not_trusted':
      return {
        what: `Its certificate is not trusted${answer}.`,
        advice:
          'Use a certificate that is valid for the name in the address, or add its issuer to the certificates of this computer.',
      };
    case 'not_ari':
      return {
        what: `Something answers at the address, but not the REST interface of Asterisk (ARI)${answer}.`,
        advice:
          'Check the port and the path of the address, that ari.conf has enabled = yes, and that the module res_ari is loaded.',
      };
    case 'signed_out':
      return {
        what: 'Asterisk refuses the user or the password.',
        advice: 'Enter the user and the password that ari.conf has, then reload ARI in Asterisk.',
      };
    case 'read_only':
      return {
        what: 'The user may only read.',
        advice: 'Set read_only = no for this user in ari.conf, then reload ARI in Asterisk.',
      };
    case 'too_old':
      return {
        what: `This version of Asterisk is too old${answer}.`,
        advice: 'Rotavox works with Asterisk 18 and newer. Until then, use the exported menus.',
      };
    case 'module_missing':
      return {
        what: `The module ${detail} of Asterisk is not loaded.`,
        advice: 'Load it, and make sure that modules.conf does not exclude it.',
      };
    case 'taken_over':
      return {
        what: 'Another program connected to Asterisk as the application rotavox, and Asterisk closed this connection.',
        advice: 'Stop the other program, for example Rotavox on another computer, then test the connection.',
      };
    case 'no_password':
      return {
        what: 'Its password cannot be read from the vault.',
        advice: 'Unlock the vault. If the password is no longer in it, enter it again.',
      };
    case 'prompts_not_fetched':
      return {
        what: `Asterisk could not fetch a prompt from Rotavox${answer}.`,
        advice:
          'Check that the module res_http_media_cache is loaded, and that Asterisk can reach this program.',
      };
    case 'failed':
      return {
        what: `Asterisk gave an unexpected answer${answer}.`,
        advice: 'The log of Asterisk may say why. Then test the connection.',
      };
  }
}

/** By the codes of the operating system. */
function notReachedText(detail: string): { readonly what: string; readonly advice: string } {
  switch (detail) {
    case 'ECONNREFUSED':
      return {
        what: 'Nothing listens at the address (ECONNREFUSED).',
        advice:
          'Check the port, that Asterisk runs, and that http.conf has enabled = yes and the address in bindaddr.',
      };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        what: `The name in the address is not known (${detail}).`,
        advice: 'Check the name, or use the IP address of the telephone system.',
      };
    default:
      return {
        what: `It does not answer${detail === '' ? '' : ` (${detail})`}.`,
        advice: 'Check the address, that Asterisk runs, and that no firewall is between.',
      };
  }
}

/** Both in one line. */
export function pbxTroubleLine(trouble: PbxTrouble): string {
  const { what, advice } = pbxTroubleText(trouble);
  return `${what} ${advice}`;
}

/** The state of a connection in a word or two. */
export const pbxStateLabels: Readonly<Record<PbxState['status'], string>> = {
  connecting: 'Connecting',
  connected: 'Connected',
  unreachable: 'Unreachable',
};

/** Since when, with which version, and when it is tried again. */
export function pbxStateText(state: PbxState, nowMs: number): string {
  switch (state.status) {
    case 'connecting':
      return 'Connecting to Asterisk …';
    case 'connected':
      return `Connected to Asterisk ${state.version} since ${nearText(state.since, nowMs)}.`;
    case 'unreachable': {
      const next =
        state.next_try_at === null
          ? 'Rotavox tries again after a change here or a test.'
          : `Next attempt: ${dueText(state.next_try_at, nowMs)}.`;
      return `Unreachable since ${nearText(state.since, nowMs)}. ${next}`;
    }
  }
}

/** The title of a warning, and the item of the tray. */
export function pbxUnreachableTitle(name: string): string {
  return `Telephone system ${quotedName(name)} is unreachable`;
}

/** What callers meet while the connection is down. */
export const pbxDownText =
  'Calls that come in now are answered by the fallback menu in the dialplan, where there is one.';

/** What a connection test looks at, in the order of a test. */
export const pbxCheckNames: Readonly<Record<PbxCheckName, string>> = {
  reach: 'Asterisk answers',
  sign_in: 'User and password',
  version: 'Version',
  modules: 'Modules',
  rights: 'Rights of the user',
  application: 'Application rotavox',
  prompts: 'Prompts are fetched',
};

/** The result of a test in one sentence. */
export function pbxTestText({ version, checks }: Pick<PbxTest, 'version' | 'checks'>): string {
  const failed = checks.filter(({ trouble }) => trouble !== null).length;
  const asterisk = version === null ? 'The telephone system' : `Asterisk ${version}`;
  if (failed === 0)
    return `${asterisk} is ready: ${checks.length === 1 ? 'the check passes' : `all ${checks.length} checks pass`}.`;
  return `${asterisk} is not ready: ${countWords(failed, 'check')} ${failed === 1 ? 'fails' : 'fail'}.`;
}

/** What to do with lines that a test or the setup shows. */
export function configLinesText({ file }: Pick<ConfigLines, 'file'>): string {
  return file === 'Asterisk CLI' ? 'Enter in the Asterisk CLI (asterisk -r):' : `Add to ${file}:`;
}

/** Why something cannot be done with a telephone system. */
export function pbxProblemText(problem: PbxProblem): string {
  switch (problem.kind) {
    case 'not_found':
      return `There is no telephone system ${quotedName(problem.name)}.`;
    case 'name_taken':
      return `There is already a telephone system ${quotedName(problem.name)}. Choose another name.`;
    case 'address_taken':
      return `The telephone system ${quotedName(problem.name)} already has this address. Asterisk accepts one connection of Rotavox.`;
    case 'insecure_http':
      return `The password would be sent to ${problem.url} unencrypted. Use https, or confirm that the network is trusted.`;
    case 'password_needed':
      return 'Enter the password again: it is sent to the new address only after that.';
    case 'vault':
      return 'The password could not be stored in the vault. Unlock the vault and try again.';
    case 'unreachable':
      return `The telephone system ${quotedName(problem.name)} cannot be used. ${pbxTroubleLine(problem.trouble)}`;
    case 'menu_not_found':
      return `There is no phone menu or draft with the id ${problem.id}.`;
    case 'draft_has_errors':
      return `This draft cannot be called yet: it has ${countWords(problem.count, 'error')}.`;
    case 'endpoint_refused':
      return `The phone ${problem.endpoint} could not be called${
        problem.detail === '' ? '' : ` (${problem.detail})`
      }. Check that the name is right and that the phone is registered.`;
  }
}

/** Above the prompts that callers do not hear. `of`: of what they are the prompts. */
export function silentTitle(silent: readonly Pick<SilentPrompt, 'reason'>[], of = 'stored menus'): string {
  const unknown = silent.filter(({ reason }) => reason === 'unknown_sound').length;
  const certain = silent.length - unknown;
  if (certain === 0) return `Callers may not hear ${countWords(unknown, 'prompt')} of ${of}`;
  const title = `Callers do not hear ${countWords(certain, 'prompt')} of ${of}`;
  return unknown === 0 ? title : `${title}, and may not hear ${unknown} more`;
}

/** Why callers do not hear a prompt, or may not. */
export function silentReasonText({
  reason,
  pbx,
  speech,
}: Pick<SilentPrompt, 'reason' | 'pbx' | 'speech'>): string {
  switch (reason) {
    case 'not_speech':
      return speech === undefined
        ? 'No speech was made of this text. Publish the menu again, or record the prompt.'
        : speechProblemText(speech);
    case 'gone':
      return 'There is no such recording, and no sound of a telephone system can have this name. Upload it, or choose another.';
    case 'not_convertible':
      return 'Its audio cannot be converted for the telephone. Upload it again.';
    case 'no_sound':
      return `${pbx === null ? 'The telephone system' : quotedName(pbx)} does not have a sound with this name. Upload it here, or add the sound there.`;
    case 'unknown_sound':
      return 'It is not in the list of recordings. Callers hear it only if the telephone system has a sound with this name.';
  }
}

/** The types of destinations that are mapped to places of the dialplan. */
export const routedTypeNames: Readonly<Record<RoutedType, string>> = {
  extension: 'Extensions',
  department: 'Queues and departments',
  ring_group: 'Ring groups',
  number: 'Outside numbers',
  voicemail: 'Voicemail',
  timegroup: 'Time groups',
  time_condition: 'Time conditions',
};
