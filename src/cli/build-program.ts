import { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { addCommand } from './add-command.ts';
import { credentialAddCommand } from './commands/credential-add.ts';
import { credentialHistoryCommand } from './commands/credential-history.ts';
import { credentialListCommand } from './commands/credential-list.ts';
import { credentialMoveCommands } from './commands/credential-move.ts';
import { credentialPolicyCommand } from './commands/credential-policy.ts';
import { credentialReissueCommand } from './commands/credential-reissue.ts';
import { credentialRemoveCommand } from './commands/credential-remove.ts';
import { credentialReplaceCommand } from './commands/credential-replace.ts';
import { credentialRotateCommand } from './commands/credential-rotate.ts';
import { credentialShowCommand } from './commands/credential-show.ts';
import { credentialTargetCommand } from './commands/credential-target.ts';
import { credentialTestCommand } from './commands/credential-test.ts';
import { execCommand } from './commands/exec.ts';
import { extensionListCommand } from './commands/extension-list.ts';
import { extensionRemoveCommand } from './commands/extension-remove.ts';
import { extensionSetCommand } from './commands/extension-set.ts';
import { getCommand } from './commands/get.ts';
import { historyCommand } from './commands/history.ts';
import { ivrCreateCommand } from './commands/ivr-create.ts';
import { ivrDeleteCommand } from './commands/ivr-delete.ts';
import { ivrDraftDeleteCommand } from './commands/ivr-draft-delete.ts';
import { ivrDraftListCommand } from './commands/ivr-draft-list.ts';
import { ivrDraftPublishCommand } from './commands/ivr-draft-publish.ts';
import { ivrDraftShowCommand } from './commands/ivr-draft-show.ts';
import { ivrDraftVersionsCommand } from './commands/ivr-draft-versions.ts';
import { ivrExportCommand } from './commands/ivr-export.ts';
import { ivrImportCommand } from './commands/ivr-import.ts';
import { ivrListCommand } from './commands/ivr-list.ts';
import { ivrShowCommand } from './commands/ivr-show.ts';
import { ivrSimulateCommand } from './commands/ivr-simulate.ts';
import { ivrValidateCommand } from './commands/ivr-validate.ts';
import { openCommand } from './commands/open.ts';
import { recordingAddCommand } from './commands/recording-add.ts';
import { recordingListCommand } from './commands/recording-list.ts';
import { recordingRemoveCommand } from './commands/recording-remove.ts';
import { recordingRenameCommand } from './commands/recording-rename.ts';
import { recordingSaveCommand } from './commands/recording-save.ts';
import { serveCommand } from './commands/serve.ts';
import { settingsListCommand } from './commands/settings-list.ts';
import { settingsSetCommand } from './commands/settings-set.ts';
import { smsTemplateListCommand } from './commands/sms-template-list.ts';
import { smsTemplateRemoveCommand } from './commands/sms-template-remove.ts';
import { smsTemplateSetCommand } from './commands/sms-template-set.ts';
import { statusCommand } from './commands/status.ts';
import { tokenHistoryCommand } from './commands/token-history.ts';
import { tokenIssueCommand } from './commands/token-issue.ts';
import { tokenListCommand } from './commands/token-list.ts';
import { tokenMoveCommands } from './commands/token-move.ts';
import { tokenShowCommand } from './commands/token-show.ts';
import { directoryFileCommands } from './directory-file-commands.ts';
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
