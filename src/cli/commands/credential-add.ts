import { type Command, Option } from 'commander';
import { AddCredentialFields } from '../../contract/credential.ts';
import { type InputProblem, inputProblems } from '../../contract/provider-inputs.ts';
import { defaultProvider, listed, type ProviderChoice, ProviderName } from '../../contract/provider.ts';
import { signInMethods } from '../../contract/sign-in.ts';
import { isAssisted, isKnownProvider, providerFacts } from '../../providers/catalogue.ts';
import { clientCertificateCliText, credentialHelp, credentialText } from '../../text/cli-credential.ts';
import { providerCommandText } from '../../text/cli-provider.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { wrongUsage } from '../command-failure.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { inputsOf, addTokenOptions, validityFields, type TokenOptions, valueOf } from '../option-values.ts';
import { openPortal } from '../open-portal.ts';
import { readLogin, readToken } from '../read-token.ts';
import { printJson, say } from '../terminal.ts';
import { type PassphraseOptions, readClientCertificate } from './credential-set.ts';
import { signIn } from './credential-sign-in.ts';

interface AddOptions extends GlobalOptions, TokenOptions, PassphraseOptions {
  readonly provider: string;
  readonly input?: Readonly<Record<string, string>>;
  readonly signIn?: (typeof signInMethods)[number];
  readonly baseUrl?: string;
  readonly remindOnly?: true;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  readonly json?: true;
}

const { name: nameSchema, base_url: baseUrl } = AddCredentialFields.shape;
const help = credentialHelp.add;

export function credentialAddCommand(credential: Command): void {
  const command = addCommand(credential, 'add', help)
    .argument('<name>', help.name, valueOf(nameSchema))
    .option('--provider <id>', help.provider, valueOf(ProviderName), defaultProvider.id)
    .option('--base-url <url>', help.baseUrl, valueOf(baseUrl))
    .option('--input <name=value>', help.input, inputsOf)
    .addOption(new Option('--sign-in <how>', help.signIn).choices(signInMethods));
  addTokenOptions(command)
    .option('--client-certificate <file>', help.clientCertificate)
    .option('--client-key <file>', help.clientKey)
    .option('--key-passphrase-file <file>', credentialHelp.set.passphraseFile)
    .option('--remind-only', help.remindOnly)
    .option(...jsonOption)
    .action(async (name: string, _options, parsed: Command) => {
      const options = parsed.optsWithGlobals<AddOptions>();
      const provider = { id: options.provider, inputs: { ...options.input } as Record<string, string> };
      const [problem] = inputProblems(provider);
      if (problem !== undefined) throw wrongUsage(providerCommandText.wrongInput(provider.id, problem));
      const missing = missingService(provider);
      if (missing !== null) throw wrongUsage(providerCommandText.wrongInput(provider.id, missing));
      const { clientCertificate, clientKey } = options;
      if (clientCertificate === undefined && clientKey !== undefined)
        throw wrongUsage(clientCertificateCliText.bothNeeded);
      const portal = openPortal(options); // first: no token is asked for when the service does not run
      const presented =
        clientCertificate === undefined
          ? {}
          : { client_certificate: await readClientCertificate(clientCertificate, clientKey, options) };
      if (options.signIn !== undefined) {
        await signIn(portal, {
          name,
          provider,
          ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }),
          method: options.signIn,
          asksSecret: true,
          opensBrowser: true,
          isJson: options.json === true,
          ...presented,
        });
        return;
      }
      const { email } = provider.inputs;
      const entered =
        email === undefined
          ? { value: await readToken(name, options) }
          : await readLogin(name, email, options);
      const view = await portal.ask('addCredential', {
        body: {
          name,
          ...entered,
          ...(provider.id === defaultProvider.id ? {} : { provider }),
          ...(options.baseUrl === undefined ? {} : { base_url: options.baseUrl }),
          ...validityFields(options),
          ...(options.remindOnly ? { remind_only: true } : {}),
          ...presented,
        },
      });
      if (options.json) {
        printJson(view);
        return;
      }
      say(...credentialText.added(view, Date.now()));
      if (view.message !== null) say(view.message);
    });
}

/** Which service, where one of a list has to be named: its default would send the token to a service that nobody named. */
function missingService(provider: ProviderChoice): InputProblem | null {
  if (!isKnownProvider(provider.id) || !isAssisted(provider)) return null;
  const { name, choices = [] } =
    providerFacts(provider.id).inputs.find((one) => one.name === 'service') ?? {};
  if (name === undefined || provider.inputs[name] !== undefined) return null;
  return { name, rule: `must be ${listed(choices)}`, isMissing: true };
}
