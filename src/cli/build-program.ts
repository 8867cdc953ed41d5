import { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { addCommand } from './add-command.ts';
import { credentialAddCommand } from './commands/credential-add.ts';
import {
  credentialMoveCommands,
  credentialReissueCommand,
  credentialRemoveCommand,
  credentialReplaceCommand,
  credentialRotateCommand,
  credentialTestCommand,
} from './commands/credential-change.ts';
import {
  credentialHistoryCommand,
  credentialListCommand,
  credentialShowCommand,
} from './commands/credential-list.ts';
import { credentialPolicyCommand } from './commands/credential-policy.ts';
import { credentialTargetCommand } from './commands/credential-target.ts';
import {
  directoryFileCommands,
  extensionListCommand,
  extensionRemoveCommand,
  extensionSetCommand,
  smsTemplateListCommand,
  smsTemplateRemoveCommand,
  smsTemplateSetCommand,
} from './commands/directories.ts';
import { execCommand } from './commands/exec.ts';
import { getCommand } from './commands/get.ts';
import { historyCommand } from './commands/history.ts';
import {
  ivrDraftDeleteCommand,
  ivrDraftListCommand,
  ivrDraftPublishCommand,
  ivrDraftShowCommand,
  ivrDraftVersionsCommand,
} from './commands/ivr-draft.ts';
import { ivrExportCommand } from './commands/ivr-export.ts';
import { ivrImportCommand } from './commands/ivr-import.ts';
import { ivrCreateCommand, ivrDeleteCommand, ivrListCommand, ivrShowCommand } from './commands/ivr.ts';
import { ivrSimulateCommand } from './commands/ivr-simulate.ts';
import { ivrValidateCommand } from './commands/ivr-validate.ts';
import { openCommand } from './commands/open.ts';
import {
  recordingAddCommand,
  recordingListCommand,
  recordingRemoveCommand,
  recordingRenameCommand,
  recordingSaveCommand,
} from './commands/recordings.ts';
import { serveCommand } from './commands/serve.ts';
import { settingsListCommand, settingsSetCommand } from './commands/settings.ts';
import { statusCommand } from './commands/status.ts';
import { tokenIssueCommand } from './commands/token-issue.ts';
import {
  tokenHistoryCommand,
  tokenListCommand,
  tokenMoveCommands,
  tokenShowCommand,
} from './commands/token.ts';
import { commanderOutput } from './terminal.ts';

/** The whole command line, as commander takes it. Errors in how it is used are thrown, and it never ends the process. */
export function buildProgram(): Command {
  const program = new Command('rotavox')
    .description('Issues API tokens, keeps them alive, and serves phone menus (IVRs) on this machine.')
    .version(packageJson.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show how it is used')
    .helpCommand('help [command]', 'show how a command is used')
    .option(
      '--data-dir <dir>',
      "the data folder (default: ROTAVOX_DATA_DIR, else the system's place for app data)",
    )
    .exitOverride()
    .configureOutput(commanderOutput)
    .showHelpAfterError('(Add --help to see how it is used.)')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      'after',
      '\nResults are on stdout, words on stderr. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not running.' +
        '\n\nExample:\n  $ rotavox serve\n  $ rotavox token issue --name nightly-report --validity 7',
    );

  serveCommand(program);
  openCommand(program);
  statusCommand(program);

  const token = addCommand(program, 'token', {
    description: 'Issue API tokens, move them between states, read what happened to them.',
    examples: ['rotavox token issue --name nightly-report --validity 7', 'rotavox token list'],
  });
  tokenIssueCommand(token);
  tokenListCommand(token);
  tokenShowCommand(token);
  tokenHistoryCommand(token);
  tokenMoveCommands(token);

  const credential = addCommand(program, 'credential', {
    description:
      'Have tokens kept fresh: rotated before they expire, kept in the vault, delivered where they are used.',
    examples: ['rotavox credential add pbx --base-url https://api.example.com', 'rotavox credential list'],
  });
  credentialAddCommand(credential);
  credentialListCommand(credential);
  credentialShowCommand(credential);
  credentialTestCommand(credential);
  credentialRotateCommand(credential);
  credentialMoveCommands(credential);
  credentialPolicyCommand(credential);
  credentialTargetCommand(credential);
  credentialReplaceCommand(credential);
  credentialReissueCommand(credential);
  credentialHistoryCommand(credential);
  credentialRemoveCommand(credential);
  getCommand(program);
  execCommand(program);

  const ivr = addCommand(program, 'ivr', {
    description: 'Create phone menus (IVRs), check, call and read them.',
    examples: ['rotavox ivr create menu.json', 'rotavox ivr list'],
  });
  ivrCreateCommand(ivr);
  ivrListCommand(ivr);
  ivrShowCommand(ivr);
  ivrValidateCommand(ivr);
  ivrSimulateCommand(ivr);
  ivrImportCommand(ivr);
  ivrExportCommand(ivr);
  ivrDeleteCommand(ivr);
  const draft = addCommand(ivr, 'draft', {
    description: 'Look at drafts of the designer, publish and delete them.',
    examples: ['rotavox ivr draft list', 'rotavox ivr draft publish draft_…'],
  });
  ivrDraftListCommand(draft);
  ivrDraftShowCommand(draft);
  ivrDraftVersionsCommand(draft);
  ivrDraftPublishCommand(draft);
  ivrDraftDeleteCommand(draft);

  const recording = addCommand(program, 'recording', {
    description: 'Keep the audio that menus play.',
    examples: ['rotavox recording add welcome.wav --name Welcome', 'rotavox recording list'],
  });
  recordingListCommand(recording);
  recordingAddCommand(recording);
  recordingRenameCommand(recording);
  recordingSaveCommand(recording);
  recordingRemoveCommand(recording);

  const extension = addCommand(program, 'extension', {
    description: 'Keep the directory of extensions that menus lead to.',
    examples: ['rotavox extension set 101 "Front desk"', 'rotavox extension list'],
  });
  extensionListCommand(extension);
  extensionSetCommand(extension);
  extensionRemoveCommand(extension);
  directoryFileCommands(extension, 'extension');

  const smsTemplate = addCommand(program, 'sms-template', {
    description: 'Keep the SMS templates that keys of menus send.',
    examples: ['rotavox sms-template set 31 Directions "1 Main Street"', 'rotavox sms-template list'],
  });
  smsTemplateListCommand(smsTemplate);
  smsTemplateSetCommand(smsTemplate);
  smsTemplateRemoveCommand(smsTemplate);
  directoryFileCommands(smsTemplate, 'sms-template');

  historyCommand(program);

  const settings = addCommand(program, 'settings', {
    description: 'Read and change what the owner can set.',
    examples: ['rotavox settings', 'rotavox settings set sms_templates_enabled true'],
  });
  settingsListCommand(settings);
  settingsSetCommand(settings);
  return program;
}
