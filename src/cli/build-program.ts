import { Command, type Help } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { addCommand } from './add-command.ts';
import { appCommand } from './commands/app.ts';
import {
  callsExportCommand,
  callsForgetCommand,
  callsListCommand,
  callsShowCommand,
} from './commands/call-commands.ts';
import { completionCommand } from './commands/completion.ts';
import { confirmMoveCommand } from './commands/confirm-move.ts';
import { credentialAddCommand } from './commands/credential-add.ts';
import { credentialAddressCommand } from './commands/credential-address.ts';
import { credentialSetCommand } from './commands/credential-set.ts';
import {
  credentialRotationCommands,
  credentialReissueCommand,
  credentialRemoveCommand,
  credentialReplaceCommand,
  credentialSecondTokenCommand,
  credentialRotateCommand,
  credentialTestCommand,
} from './commands/credential-change.ts';
import {
  credentialHistoryCommand,
  credentialListCommand,
  credentialShowCommand,
} from './commands/credential-list-command.ts';
import { credentialPolicyCommand } from './commands/credential-policy.ts';
import { credentialSignInCommand } from './commands/credential-sign-in.ts';
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
import { doctorCommand } from './commands/doctor-command.ts';
import { execCommand } from './commands/exec.ts';
import { getCommand } from './commands/get.ts';
import { historyCommand } from './commands/history-command.ts';
import { hostCommands } from './commands/host-commands.ts';
import {
  ivrDraftDeleteCommand,
  ivrDraftListCommand,
  ivrDraftPublishCommand,
  ivrDraftShowCommand,
  ivrDraftVersionsCommand,
} from './commands/ivr-draft-commands.ts';
import { ivrExportCommand } from './commands/ivr-export.ts';
import { ivrImportCommand } from './commands/ivr-import-command.ts';
import {
  ivrCreateCommand,
  ivrDeleteCommand,
  ivrListCommand,
  ivrShowCommand,
} from './commands/ivr-commands.ts';
import { ivrSimulateCommand } from './commands/ivr-simulate.ts';
import { ivrValidateCommand } from './commands/ivr-validate.ts';
import { journalCommand } from './commands/journal-commands.ts';
import { openCommand } from './commands/open.ts';
import { ownerCommands } from './commands/owner-commands.ts';
import {
  ivrRingCommand,
  pbxAddCommand,
  pbxChangeCommand,
  pbxListCommand,
  pbxRemoveCommand,
  pbxTestCommand,
} from './commands/pbx-commands.ts';
import {
  providerAddCommand,
  providerRemoveCommand,
  providerTestCommand,
} from './commands/provider-file-command.ts';
import { providerListCommand, providerShowCommand } from './commands/provider-commands.ts';
import { proxyCommands } from './commands/proxy-commands.ts';
import {
  recordingAddCommand,
  recordingListCommand,
  recordingRemoveCommand,
  recordingRenameCommand,
  recordingSaveCommand,
} from './commands/recording-commands.ts';
import { revokeAllCommand } from './commands/revoke-all-command.ts';
import { serveCommand } from './commands/serve.ts';
import { serviceCommand } from './commands/service-commands.ts';
import { settingsListCommand, settingsSetCommand } from './commands/settings-commands.ts';
import { statusCommand } from './commands/status.ts';
import { tokenIssueCommand } from './commands/token-issue.ts';
import {
  tokenDismissUseCommand,
  tokenHistoryCommand,
  tokenListCommand,
  tokenStatusCommands,
  tokenShowCommand,
} from './commands/token-commands.ts';
import { backupCommands } from './commands/backup-commands.ts';
import { vaultCommand } from './commands/vault-commands.ts';
import { programHelp } from '../text/cli.ts';
import { credentialHelp } from '../text/cli-credential.ts';
import { extensionHelp, recordingHelp, smsTemplateHelp } from '../text/cli-directories.ts';
import { draftHelp, ivrHelp } from '../text/cli-ivr.ts';
import { pbxHelp } from '../text/cli-pbx.ts';
import { providerHelp } from '../text/cli-provider.ts';
import { callsHelp } from '../text/cli-calls.ts';
import { settingsHelp } from '../text/cli-service.ts';
import { tokenHelp } from '../text/cli-token.ts';
import { commanderOutput } from './terminal.ts';
import { rememberCommand } from './typed-fields.ts';

/** All commands, for commander. Wrong usage is thrown; the process is never ended here. */
export function buildProgram(): Command {
  const program = new Command('rotavox')
    .description(programHelp.description)
    .version(packageJson.version, '-V, --version', programHelp.version)
    .helpOption('-h, --help', programHelp.help)
    .helpCommand('help [command]', programHelp.helpCommand)
    .option('--data-dir <dir>', programHelp.dataDir)
    .option('--host <url>', programHelp.host)
    .exitOverride()
    .hook('preAction', (_program, command) => rememberCommand(command))
    .configureOutput(commanderOutput)
    .showHelpAfterError(programHelp.afterError)
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions })
    .addHelpText('after', programHelp.after)
    .addHelpText('after', programHelp.examples(['rotavox serve', ...tokenHelp.examples.slice(0, 1)]));

  serveCommand(program);
  openCommand(program);
  appCommand(program);
  statusCommand(program);
  doctorCommand(program);
  confirmMoveCommand(program);
  serviceCommand(program);

  const token = addCommand(program, 'token', tokenHelp);
  tokenIssueCommand(token);
  tokenListCommand(token);
  tokenShowCommand(token);
  tokenHistoryCommand(token);
  tokenDismissUseCommand(token);
  tokenStatusCommands(token);

  const credential = addCommand(program, 'credential', credentialHelp);
  credentialAddCommand(credential);
  credentialListCommand(credential);
  credentialShowCommand(credential);
  credentialTestCommand(credential);
  credentialRotateCommand(credential);
  credentialRotationCommands(credential);
  credentialPolicyCommand(credential);
  credentialAddressCommand(credential);
  credentialSetCommand(credential);
  credentialTargetCommand(credential);
  credentialReplaceCommand(credential);
  credentialSecondTokenCommand(credential);
  credentialReissueCommand(credential);
  credentialSignInCommand(credential);
  credentialHistoryCommand(credential);
  credentialRemoveCommand(credential);
  revokeAllCommand(credential);
  getCommand(program);
  execCommand(program);
  proxyCommands(program);

  const provider = addCommand(program, 'provider', providerHelp);
  providerListCommand(provider);
  providerShowCommand(provider);
  providerTestCommand(provider);
  providerAddCommand(provider);
  providerRemoveCommand(provider);

  const ivr = addCommand(program, 'ivr', ivrHelp);
  ivrCreateCommand(ivr);
  ivrListCommand(ivr);
  ivrShowCommand(ivr);
  ivrValidateCommand(ivr);
  ivrSimulateCommand(ivr);
  ivrImportCommand(ivr);
  ivrExportCommand(ivr);
  ivrDeleteCommand(ivr);
  ivrRingCommand(ivr);
  const draft = addCommand(ivr, 'draft', draftHelp);
  ivrDraftListCommand(draft);
  ivrDraftShowCommand(draft);
  ivrDraftVersionsCommand(draft);
  ivrDraftPublishCommand(draft);
  ivrDraftDeleteCommand(draft);

  const recording = addCommand(program, 'recording', recordingHelp);
  recordingListCommand(recording);
  recordingAddCommand(recording);
  recordingRenameCommand(recording);
  recordingSaveCommand(recording);
  recordingRemoveCommand(recording);

  const extension = addCommand(program, 'extension', extensionHelp);
  extensionListCommand(extension);
  extensionSetCommand(extension);
  extensionRemoveCommand(extension);
  directoryFileCommands(extension, 'extension');

  const smsTemplate = addCommand(program, 'sms-template', smsTemplateHelp);
  smsTemplateListCommand(smsTemplate);
  smsTemplateSetCommand(smsTemplate);
  smsTemplateRemoveCommand(smsTemplate);
  directoryFileCommands(smsTemplate, 'sms-template');

  const pbx = addCommand(program, 'pbx', pbxHelp);
  pbxListCommand(pbx);
  pbxAddCommand(pbx);
  pbxTestCommand(pbx);
  pbxChangeCommand(pbx);
  pbxRemoveCommand(pbx);

  ownerCommands(program);

  const calls = addCommand(program, 'calls', callsHelp);
  callsListCommand(calls);
  callsShowCommand(calls);
  callsExportCommand(calls);
  callsForgetCommand(calls);

  historyCommand(program);
  journalCommand(program);
  vaultCommand(program);
  backupCommands(program);
  hostCommands(program);

  const settings = addCommand(program, 'settings', settingsHelp);
  settingsListCommand(settings);
  settingsSetCommand(settings);
  completionCommand(program);
  return program;
}

/** The options of every command, without those that a command has with another meaning (`serve --host`). */
function visibleGlobalOptions(this: Help, command: Command) {
  const own = new Set(command.options.map(({ long }) => long));
  const listed: Command['options'][number][] = [];
  for (let above = command.parent; above !== null; above = above.parent)
    listed.push(...above.options.filter((option) => !option.hidden && !own.has(option.long)));
  return listed;
}
