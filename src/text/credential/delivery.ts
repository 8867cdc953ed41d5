import type { DeliveryFinding, InPlaceReason, Quote } from '../../contract/credential/delivery-finding.ts';
import type { DeliveryProblem, HookEnd, SettingReason } from '../../contract/credential/delivery-problem.ts';
import { shellWord } from '../../contract/shell-word.ts';
import { countWords } from '../count.ts';
import { credentialProblemText } from './credentials.ts';
import { internalText } from './rotation-trouble-text.ts';
import { vaultProblemText } from './vault-text.ts';

/** Why a target does not have the current token, and what to do. */
export function deliveryProblemText(problem: DeliveryProblem): string {
  switch (problem.code) {
    case 'own_file':
      return `${problem.path} leads to files of Rotavox itself (${problem.own}), which a delivery would destroy. Nothing was changed. ${changePath}`;
    case 'not_absolute':
      return `${problem.path} is not an absolute path on this system. ${changePath}`;
    case 'not_ordinary':
      return `${problem.path} is not an ordinary file on this system. ${changeToFile}`;
    case 'is_folder':
      return `${problem.path} is a folder. ${changeToFile}`;
    case 'is_device':
      return `${problem.path} is a device, pipe or socket, not a file. ${changeToFile}`;
    case 'too_large':
      return `${problem.path} is larger than 1 MB, so it is probably not meant for a token. Change the path of the target, or move that file away.`;
    case 'changed_meanwhile':
      return `Another program keeps changing ${problem.path}. Find out which one, and stop it.`;
    case 'file_read_back':
      return `${problem.path} was written, but something else was read back. Check whether another program writes it.`;
    case 'owner_differs':
      return `${problem.place} belongs to user ${problem.uid}, group ${problem.gid}, and Rotavox may not create files for them. Change the owner of the file to the user of Rotavox and one of its groups, or deliver with a command.`;
    case 'no_such_account':
      return `${problem.path} is to belong to ${problem.wanted}, which is no account of this machine. Correct the target.`;
    case 'owner_not_allowed':
      return `${problem.path} is to belong to ${problem.wanted}, and Rotavox may not create files for that account. Run Rotavox as an account that may, or leave the owner out.`;
    case 'file_system':
      return (fileSystemTexts[problem.systemCode] ?? unknownFailure(problem.systemCode))(problem.path);
    case 'not_quotable':
      return `The token cannot be written to ${problem.path}: with its line break, NUL, last backslash or mix of quotes, not all readers would read ${problem.variable}=… the same way. Use a file target or a command.`;
    case 'quotes_open':
      return `${problem.variable} cannot be set in ${problem.path} without changing how its other lines are read, probably because a quote is never closed. Close it.`;
    case 'not_dotenv':
      return `${problem.path} is not a dotenv file${problem.line === null ? '' : ` (see line ${problem.line})`}, so no line is added to it: programs would read it wrongly, or not at all. Nothing was changed. Use a dotenv file, a file with the token alone, or a command that writes this one.`;
    case 'more_on_line':
      return `${problem.variable} is set in ${problem.path} on line ${problem.line}, with more after it that would be lost. Nothing was changed. Put what follows on a line of its own.`;
    case 'goes_on':
      return `${problem.variable} is set in ${problem.path} on line ${problem.line}, and its value goes on in the next line, so that only a part of it could be replaced. Nothing was changed. Write it on one line.`;
    case 'encrypted':
      return `Line ${problem.line} of ${problem.path} was encrypted by another program, such as sops or dotenvx, so ${problem.variable} is not written there: the token would stand there in plain text, and that program might no longer be able to read the file. Nothing was changed. Use a command that encrypts the token, or another file.`;
    case 'not_text':
      return `${problem.path} is not text that dotenv readers understand: it has NUL bytes, as UTF-16 has. Save it as UTF-8.`;
    case 'too_many_variables':
      return `${problem.path} sets more than ${problem.limit} variables, so it is probably not meant for a token. ${changePath}`;
    case 'setting':
      return settingText(problem);
    case 'own_entry':
      return `The ${entryText(problem)} is one of those that Rotavox uses itself. Choose another service for this target.`;
    case 'no_keychain':
      return `The ${entryText(problem)} cannot be written, because tokens are stored in an encrypted file here, not in an OS keychain. Use a file, dotenv or command target.`;
    case 'entry_read_back':
      return `The ${entryText(problem)} was written, but something else was read back. Check whether another program writes the same entry.`;
    case 'entry_not_written':
      return `The ${entryText(problem)} was not written. ${vaultProblemText(problem.problem)}`;
    case 'entry_not_readable':
      return `The ${entryText(problem)} cannot be read now. ${vaultProblemText(problem.problem)}`;
    case 'variable_not_allowed':
      return `The command ${problem.program} was not run: the variable ${problem.variable} makes programs load code, or they need it themselves. Remove this target and add it with another variable.`;
    case 'nul_in_token':
      return `The token contains a NUL character, which no environment variable can hold. Let the command ${problem.program} read it on stdin.`;
    case 'hook': {
      const text = hookEndText(problem.end, problem.program);
      return problem.output === '' ? text : `${text} It printed: “${problem.output}”.`;
    }
    case 'stopped':
      return 'Rotavox stopped before this delivery started. It will retry after the next start.';
    case 'no_current_token':
      return `The vault does not have the current token of “${problem.name}”.`;
    case 'vault':
      return vaultProblemText(problem.problem);
    case 'internal':
      return internalText;
  }
}

/** Why a value of a settings file is not set, and what to do. */
function settingText({ reason, path, key, line }: Extract<DeliveryProblem, { code: 'setting' }>): string {
  const at = line === null ? path : `${path}, line ${line}`;
  return `${settingTexts[reason](at, key)} Nothing was changed.`;
}

const settingTexts: Readonly<Record<SettingReason, (at: string, key: string) => string>> = {
  not_parsed: (at) =>
    `${at}: the file has an error, so no program can read it. Correct it, or choose another format for the target.`,
  missing: (at, key) =>
    `${at} has no ${key}. Correct the key, or add the target with permission to create it.`,
  no_room: (at, key) =>
    `${key} cannot be added to ${at} without changing more. Add it by hand with an empty text, and then the target.`,
  not_text: (at, key) =>
    `${at}: ${key} is not a text but a number, a list or nothing. Put a text in quotes there, or correct the key.`,
  shared: (at, key) =>
    `${at}: ${key} is shared through an anchor or alias of YAML, so other values would change with it. Write it out.`,
  duplicate: (at, key) =>
    `${at}: ${key} is there more than once, or also in other upper and lower case, and programs differ in which they use. Keep one, and use its spelling as the key.`,
  several_lines: (at, key) => `${at}: ${key} is a text of several lines. Write it on one line.`,
  comment: (at, key) =>
    `${at}: what follows ${key} is a comment for some programs and a part of the token for others. Put the comment on a line of its own.`,
  reference: (at, key) =>
    `${at}: ${key} refers to a variable, which the token would replace. Deliver the token to that variable, or write an empty text here.`,
  encrypted: (at, key) =>
    `${at}: another program, such as sops, has encrypted this, so ${key} is not written there: the token would stand there in plain text, and that program might no longer be able to read the file. Use a command that encrypts the token, or another file.`,
  encrypted_file: (at, key) =>
    `${at}: sops has encrypted values of this file, and its checksum is over the others, too, so ${key} is not written there: sops might no longer be able to read the file. Use a command that sets the token with sops, or another file.`,
  several_documents: (at) => `${at}: the file has several YAML documents. Use a file with one document.`,
  not_utf8: (at) => `${at} is not UTF-8. Save it as UTF-8.`,
  too_large: (at) => `${at} is larger than 256 KB, so it is probably no settings file. ${changePath}`,
  unwritable: (at, key) =>
    `${at}: this token cannot be written as ${key} so that all programs read the same, because of a line break or special characters in it. Use a file target or a command.`,
};

const changePath = 'Change the path of the target.';
const changeToFile = 'Change the path of the target to a file.';

/** What the codes of the system mean to the person who named the file. */
const fileSystemTexts: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `The folder of ${path} does not exist. Create it, or change the path of the target.`,
  ENOTDIR: (path) => `${path} leads through something that is not a folder. ${changePath}`,
  EACCES: deniedText,
  EPERM: deniedText,
  EROFS: (path) =>
    `${path} is on a read-only file system. Make it writable, or change the path of the target.`,
  ENOSPC: (path) => `The disk of ${path} is full. Free up space. The file still has its old content.`,
  EDQUOT: (path) =>
    `The disk quota for ${path} is used up. Free up space. The file still has its old content.`,
  ENAMETOOLONG: (path) => `The path ${path} is too long for this system. ${changePath}`,
  ELOOP: (path) => `${path} leads through links that form a loop. Correct them, or change the path.`,
  EBUSY: (path) =>
    `${path} is in use, or is a mount of its own, and cannot be replaced. Close what uses it, add the target with writing in place, mount its folder instead, or deliver with a command.`,
};

function deniedText(path: string): string {
  return `${path} cannot be replaced: Rotavox may not read it, or may not write in its folder. Give its user these permissions, or change the path of the target.`;
}

function unknownFailure(systemCode: string): (path: string) => string {
  return (path) => `${path} could not be replaced (${systemCode}). Check its disk, or change the path.`;
}

function entryText({ service, account }: { readonly service: string; readonly account: string }): string {
  return `keychain entry of service “${service}”, account “${account}”`;
}

function hookEndText(end: HookEnd, program: string): string {
  switch (end.kind) {
    case 'exited':
      return `The command ${program} ended with exit code ${end.exitCode}. Run it by hand to find out why.`;
    case 'killed':
      return `The command ${program} was ended by ${end.signal}. Find out what sent it, or why it crashed.`;
    case 'not_started':
      return notStartedText(end.systemCode, program);
    case 'time_limit':
      return `The command ${program} did not end within ${end.seconds} s, so it was ended with everything that it had started. Make it faster, or give the target a longer time limit.`;
    case 'stopped':
      return `The command ${program} was ended because Rotavox is stopping. Rotavox will run it again after the next start.`;
  }
}

function notStartedText(systemCode: string, program: string): string {
  switch (systemCode) {
    case 'ENOENT':
      return /[\s|&;<>$]/.test(program)
        ? `There is no program “${program}”. The command is run without a shell: give the program and its arguments one by one, or name a shell, such as sh -c '…'.`
        : `The command ${program} was not found, or the interpreter that its first line names was not. Install it, or correct the command of the target.`;
    case 'EACCES':
      return `The command ${program} may not be run. Make it an executable file (on Linux and macOS: chmod +x), or name the program that runs it first in the command of the target.`;
    default:
      return `The command ${program} could not be started (${systemCode}). Try the command of the target by hand.`;
  }
}

/** Another target would be overwritten, or would overwrite this one. `name`: of the credential that delivers there. */
export function targetTakenText(name: string): string {
  return `“${name}” delivers to this place, and one token would be written over the other. Choose another file, variable or entry; or remove that target first.`;
}

export function targetExistsText(name: string): string {
  return `“${name}” already delivers to this place.`;
}

/** What a delivery would change, and what stays. */
export function deliveryFindingsText(findings: readonly DeliveryFinding[]): string {
  // What ends with a line break is followed by the next line, and not by a blank.
  return findings.map(findingText).join(' ').replaceAll('\n ', '\n').trim();
}

function findingText(finding: DeliveryFinding): string {
  switch (finding.code) {
    case 'impossible':
      return finding.problem.code === 'hook'
        ? `${deliveryProblemText(finding.problem)} Nothing was run.`
        : deliveryProblemText(finding.problem);
    case 'target_exists':
      return targetExistsText(finding.name);
    case 'target_taken':
      return targetTakenText(finding.name);
    case 'nothing_to_deliver':
      return `${nothingToDeliver} ${deliveryProblemText(finding.problem)}`;
    case 'token_unusable':
      return `${nothingToDeliver} ${credentialProblemText(finding.problem)}`;
    case 'file_unchanged':
      return `${finding.place} already has the current token: nothing would change.`;
    case 'file_created':
      return `${finding.place} does not exist yet. It will be created ${modeText(finding.mode)}, with the token${finding.newline === false ? ' and no line break' : ' and a line break'}.`;
    case 'file_replaced':
      return `Everything in ${finding.place} (${finding.lineCount === 0 ? 'empty now' : `${countWords(finding.lineCount, 'line')} now`}) will be replaced by the token${finding.newline === false ? ', without a line break' : ' and a line break'}.`;
    case 'variable_created':
      return `${finding.place} does not exist yet. It will be created ${modeText(finding.mode)}, with ${finding.variable} in it.`;
    case 'variable_unchanged':
      return `${finding.variable} in ${finding.place} already has the current token (${linesText(finding.lines)}): nothing would change.`;
    case 'variable_added':
      return `${finding.variable} is not in ${finding.place} yet. It will be added at the end, as ${linesText(finding.lines)}${finding.needsLineBreak ? ', after a line break' : ''}.`;
    case 'variable_changed':
      return finding.lines.length === 1
        ? `In ${finding.place}, ${linesText(finding.changed)} will change: ${finding.variable} gets the new token.`
        : `In ${finding.place}, ${finding.variable} is set on ${linesText(finding.lines)}; readers use the last one. ${capitalised(linesText(finding.changed))} will change, so that no old token is left.`;
    case 'setting_created':
      return `${finding.place} does not exist yet. It will be created ${modeText(finding.mode)}, with ${finding.key} in it.`;
    case 'setting_unchanged':
      return `${finding.key} in ${finding.place} already has the current token (line ${finding.line}): nothing would change.`;
    case 'setting_changed':
      return `In ${finding.place}, line ${finding.line} will change: ${finding.key} gets the new token.`;
    case 'setting_added':
      return `${finding.key} is not in ${finding.place} yet. It will be added, as line ${finding.line}.`;
    case 'line_keeps':
      return `The line keeps ${listText(finding.parts.map((part) => keptParts[part](finding.quote)))}.`;
    case 'line_gets_quotes':
      return `It gets ${quoteNames[finding.quote]}, which this token needs. Readers that know no quotes, such as env files of Docker, take them as part of the token: use a file or a command there.`;
    case 'lines_joined':
      return `The old token on line ${finding.line} spans ${finding.lineCount} lines, which become one.`;
    case 'rest_unchanged':
      return 'Everything else in the file stays as it is.';
    case 'through_link':
      return `${finding.path} leads there through a link, which stays.`;
    case 'written_in_place':
      return `It is written in place, ${inPlaceTexts[finding.reason]}. A program that reads it at that moment may see a part of the token.`;
    case 'mode_kept':
      return `Its owner and its mode (${finding.mode}) stay.`;
    case 'readable_by_others':
      // A command stands on a line of its own, whole.
      return `Other users of this machine can read it. To keep it to its owner, run:\nchmod 600 ${shellWord(finding.place)}\n`;
    case 'entry_unchanged':
      return `The ${entryText(finding)} already has the current token: nothing would change.`;
    case 'entry_replaced':
      return `The ${entryText(finding)} exists. Its token will be replaced.`;
    case 'entry_created':
      return `There is no ${entryText(finding)} yet. It will be created.`;
    case 'command_found': {
      const { program, argumentCount, seconds, variable } = finding;
      const given = argumentCount === 0 ? 'no arguments' : countWords(argumentCount, 'argument');
      const way = variable === null ? 'on stdin' : `in the environment variable ${variable}`;
      return `${program} will be run with ${given}, without a shell, for at most ${seconds} s. It gets the token ${way}, never as an argument. It was found and may be run; it was not run now.`;
    }
  }
}

const inPlaceTexts: Readonly<Record<InPlaceReason, string>> = {
  asked: 'as the target says',
  mount: 'because it is mounted itself, here or in a container, which would keep the old file',
  link: 'because it has another name (a hard link), which would keep the old file',
  attributes: 'because a new file might lose its access control list or its attributes',
};

function modeText(mode = '600'): string {
  return mode === '600' ? 'for its owner only (mode 600)' : `with the mode ${mode}`;
}

const nothingToDeliver = 'There is no token to deliver now.';

const quoteNames: Readonly<Record<Quote, string>> = {
  '': 'no quotes',
  "'": 'single quotes',
  '"': 'double quotes',
  '`': 'backticks',
};

const keptParts = {
  export: () => 'its export prefix',
  quotes: (quote: Quote) => `its ${quoteNames[quote]}`,
  comment: () => 'its comment',
} as const;

function linesText(lines: readonly number[]): string {
  return `${lines.length === 1 ? 'line' : 'lines'} ${listText(lines.map(String))}`;
}

function listText(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
