import type { Command } from 'commander';
import { originOf } from '../../contract/address.ts';
import { BaseUrl } from '../../contract/shapes.ts';
import { credentialAddressText, credentialHelp } from '../../text/cli-credential.ts';
import { addCommand, credentialNameArgument, jsonOption } from '../add-command.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { valueOf } from '../option-values.ts';
import { openPortal } from '../open-portal.ts';
import { print, printJson, say } from '../terminal.ts';

const help = credentialHelp.address;

interface AddressOptions extends GlobalOptions {
  /** The address whose origin may get the token. */
  readonly sendTokenTo?: string;
  readonly json?: true;
}

/** Shows the address of the service, or changes it once the token works at the new one. */
export function credentialAddressCommand(credential: Command): void {
  addCommand(credential, 'address', help)
    .argument(...credentialNameArgument)
    .argument('[url]', help.url, valueOf(BaseUrl))
    .option('--send-token-to <origin>', help.sendTokenTo, valueOf(BaseUrl))
    .option(...jsonOption)
    .action(async (name: string, url: string | undefined, _options, command: Command) => {
      const { sendTokenTo, ...options } = command.optsWithGlobals<AddressOptions>();
      const portal = openPortal(options);
      const view = await portal.ask('readCredential', { params: { name } });
      if (url === undefined) {
        if (options.json) printJson(view);
        else print(view.base_url);
        return;
      }
      const [from, to] = [originOf(view.base_url), originOf(url)];
      const confirmed = sendTokenTo === undefined ? undefined : originOf(sendTokenTo);
      if (view.service === 'remote' && from !== to && confirmed !== to)
        throw new CommandFailure(
          exitCodes.failed,
          credentialAddressText.notConfirmed(name, url, { from, to }),
        );
      const change = await portal.ask('changeCredentialAddress', {
        params: { name },
        body: { base_url: url, ...(confirmed === undefined ? {} : { confirmed_origin: confirmed }) },
      });
      if (options.json) printJson(change);
      if (!change.is_saved)
        throw new CommandFailure(exitCodes.failed, credentialAddressText.notSaved(change.test.message));
      if (!options.json) say(credentialAddressText.saved(name, url));
    });
}
