import { AddCredentialFields } from '../../contract/credential/credential.ts';
import { type InputProblem, inputProblems } from '../../contract/credential/provider-inputs.ts';
import {
  defaultProvider,
  isDefaultProvider,
  listed,
  type ProviderChoice,
  ProviderName,
} from '../../contract/credential/provider.ts';
import { signInMethods } from '../../contract/credential/sign-in.ts';
import { isAssisted, isKnownProvider, providerFacts } from '../../providers/catalogue.ts';
import { clientCertificateCliText, credentialHelp, credentialText } from '../../text/cli/cli-credential.ts';
import { providerCommandText } from '../../text/cli/cli-provider.ts';
import { customCommand } from '../command-table.ts';
import { wrongUsage } from '../command-failure.ts';
import { inputsOf, tokenOptions, validityFields } from '../option-values.ts';
import { openPortal } from '../open-portal.ts';
import { readLogin, readToken } from '../read-token.ts';
import { printJson, say } from '../terminal.ts';
import { readClientCertificate } from './credential-set.ts';
import { signIn } from './credential-sign-in.ts';

const { name: nameSchema, base_url: baseUrlSchema } = AddCredentialFields.shape;
const help = credentialHelp.add;

export const credentialAddCommand = customCommand({
  help,
  arguments: { '<name>': { help: help.name, schema: nameSchema } },
  options: {
    '--provider <id>': { help: help.provider, schema: ProviderName, usual: defaultProvider.id },
    '--base-url <url>': { help: help.baseUrl, schema: baseUrlSchema },
    '--input <name=value>': { help: help.input, read: inputsOf },
    '--sign-in <how>': { help: help.signIn, choices: signInMethods },
    ...tokenOptions,
    '--client-certificate <file>': help.clientCertificate,
    '--client-key <file>': help.clientKey,
    '--key-passphrase-file <file>': credentialHelp.set.passphraseFile,
    '--remind-only': help.remindOnly,
  },
  async run({ name, provider: id, baseUrl, input, clientCertificate, clientKey, json, ...options }) {
    const provider = { id, inputs: { ...input } as Record<string, string> };
    const [problem] = inputProblems(provider);
    if (problem !== undefined) throw wrongUsage(providerCommandText.wrongInput(provider.id, problem));
    const missing = missingService(provider);
    if (missing !== null) throw wrongUsage(providerCommandText.wrongInput(provider.id, missing));
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
        ...(baseUrl === undefined ? {} : { baseUrl }),
        method: options.signIn,
        asksSecret: true,
        opensBrowser: true,
        isJson: json,
        ...presented,
      });
      return;
    }
    const { email } = provider.inputs;
    const entered =
      email === undefined ? { value: await readToken(name, options) } : await readLogin(name, email, options);
    const view = await portal.ask('addCredential', {
      body: {
        name,
        ...entered,
        ...(isDefaultProvider(provider) ? {} : { provider }),
        base_url: baseUrl,
        ...validityFields(options),
        ...(options.remindOnly ? { remind_only: true } : {}),
        ...presented,
      },
    });
    if (json) {
      printJson(view);
      return;
    }
    say(...credentialText.added(view, Date.now()));
    if (view.message !== null) say(view.message);
  },
});

/** Which service, where one of a list has to be named: its default would send the token to a service that nobody named. */
function missingService(provider: ProviderChoice): InputProblem | null {
  if (!isKnownProvider(provider.id) || !isAssisted(provider)) return null;
  const { name, choices = [] } =
    providerFacts(provider.id).inputs.find((one) => one.name === 'service') ?? {};
  if (name === undefined || provider.inputs[name] !== undefined) return null;
  return { name, rule: `must be ${listed(choices)}`, isMissing: true };
}
