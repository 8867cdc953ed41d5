import { setTimeout as wait } from 'node:timers/promises';
import { AddCredentialFields } from '../../contract/credential/credential.ts';
import { type InputProblem, inputProblems } from '../../contract/credential/provider-inputs.ts';
import {
  defaultProvider,
  isDefaultProvider,
  listed,
  type ProviderChoice,
  ProviderName,
} from '../../contract/credential/provider.ts';
import { signInMethods, type SignInView, type StartSignIn } from '../../contract/credential/sign-in.ts';
import { isAssisted, isKnownProvider, providerFacts } from '../../providers/catalogue.ts';
import { clientCertificateCliText, credentialHelp, credentialText } from '../../text/cli/cli-credential.ts';
import { providerCommandText } from '../../text/cli/cli-provider.ts';
import { signInText } from '../../text/credential/sign-in-text.ts';
import { ClientCertificate, clientCertificateInput } from '../../contract/service/network.ts';
import { credentialName, customCommand, routeCommand } from '../command-table.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import { inputsOf, tokenOptions, validityFields } from '../option-values.ts';
import { openPortal, type Portal } from '../open-portal.ts';
import { askSecret, canAsk, readClientSecret, readLogin, readToken } from '../read-token.ts';
import { print, printJson, say } from '../terminal.ts';
import { readFileBytes, readFileText } from '../read-file-bytes.ts';
import { isPkcs12, readPkcs12 } from '../read-pkcs12.ts';
import { openBrowser } from './open.ts';

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

type Method = StartSignIn['method'];

export const credentialSignInCommand = customCommand({
  help: credentialHelp.signIn,
  arguments: credentialName,
  options: {
    '--device': credentialHelp.signIn.device,
    '--client-secret': credentialHelp.signIn.clientSecret,
    '--no-browser': credentialHelp.signIn.noBrowser,
  },
  run: ({ name, device, clientSecret = false, browser, json, ...options }) =>
    signIn(openPortal(options), {
      name,
      method: device ? 'device' : 'browser',
      asksSecret: clientSecret,
      opensBrowser: browser,
      isJson: json,
    }),
});

/** Begins a sign-in, shows where it goes on, and waits until it has ended. */
async function signIn(
  portal: Portal,
  wanted: {
    readonly name: string;
    /** Of a credential that the sign-in adds. */
    readonly provider?: ProviderChoice;
    readonly baseUrl?: string;
    readonly method: Method;
    readonly asksSecret: boolean;
    readonly opensBrowser: boolean;
    readonly isJson: boolean;
    readonly client_certificate?: ClientCertificate;
  },
): Promise<void> {
  const { name, provider, baseUrl, method, asksSecret, opensBrowser, isJson, ...more } = wanted;
  const secret = asksSecret ? await readClientSecret(name) : '';
  const started = await portal.ask('startSignIn', {
    body: {
      name,
      method,
      ...(provider === undefined ? {} : { provider }),
      ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
      ...(secret === '' ? {} : { client_secret: secret }),
      ...more,
    },
  });
  const isOpened = method === 'browser' && opensBrowser && (await openBrowser(started.url));
  say(...signInText.started({ url: started.url, code: started.user_code, isOpened }));
  const ended = await untilEnded(portal, started);
  if (ended.status === 'failed') {
    throw new CommandFailure(exitCodes.failed, ended.message ?? signInText.failed);
  }
  const view = await portal.ask('readCredential', { params: { name } });
  if (isJson) printJson(view);
  else if (provider === undefined) print(signInText.signedIn(name));
  else say(...credentialText.added(view, Date.now()));
}

/** How often it is asked whether the person is done. */
const pollMs = 1_000;

async function untilEnded(portal: Portal, { id }: SignInView): Promise<SignInView> {
  for (;;) {
    const view = await portal.ask('readSignIn', { params: { id } });
    if (view.status !== 'waiting') return view;
    await wait(pollMs);
  }
}

const setHelp = credentialHelp.set;
/** More than any certificate with its chain. */
const largestFile = 1024 * 1024;

interface PassphraseOptions {
  readonly keyPassphraseFile?: string;
}

/** Sets what a credential presents to a service that asks for a client certificate. */
export const credentialSetCommand = routeCommand({
  help: setHelp,
  arguments: {
    ...credentialName,
    '<what>': setHelp.what,
    '<certificate>': setHelp.certificate,
    '[key]': setHelp.key,
  },
  options: { '--key-passphrase-file <file>': setHelp.passphraseFile },
  prepare({ what, certificate, key }) {
    if (what !== clientCertificateInput) throw wrongUsage(clientCertificateCliText.unknown(what));
    return { isRemoved: certificate === 'none' && key === undefined };
  },
  async call(portal, { name, certificate, key, ...options }, { isRemoved }) {
    const params = { name };
    if (isRemoved) return portal.ask('removeClientCertificate', { params });
    const body = await readClientCertificate(certificate, key, options);
    return portal.ask('setClientCertificate', { params, body });
  },
  words: (_view, { name }, { isRemoved }) =>
    isRemoved ? clientCertificateCliText.removed(name) : clientCertificateCliText.stored(name),
});

/**
 * Reads a client certificate and its key from two files in PEM, or from one in PKCS#12. A passphrase is asked for, or is in a file,
 * never an argument.
 */
async function readClientCertificate(
  certificateFile: string,
  keyFile: string | undefined,
  options: PassphraseOptions,
): Promise<ClientCertificate> {
  const bytes = await readFileBytes(certificateFile, largestFile);
  if (isPkcs12(bytes)) {
    if (keyFile !== undefined) throw wrongUsage(clientCertificateCliText.keyInside(certificateFile, keyFile));
    return checked(await fromPkcs12(bytes, certificateFile, options));
  }
  if (keyFile === undefined) throw wrongUsage(clientCertificateCliText.keyMissing);
  const key = await readFileText(keyFile, largestFile);
  const passphrase = key.includes('ENCRYPTED')
    ? await passphraseFor(clientCertificateCliText.keyIn(keyFile), options)
    : null;
  return checked({ certificate: new TextDecoder().decode(bytes).trim(), key: key.trim(), passphrase });
}

function checked(read: unknown): ClientCertificate {
  const parsed = ClientCertificate.safeParse(read);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw wrongUsage(clientCertificateCliText.invalid(String(issue?.path[0]), issue?.message));
}

/** Without a passphrase first: many such files have none. */
async function fromPkcs12(
  bytes: Uint8Array,
  file: string,
  options: PassphraseOptions,
): Promise<Omit<ClientCertificate, 'passphrase'>> {
  const open = readPkcs12(bytes, '');
  const found =
    open.kind === 'wrong_passphrase'
      ? readPkcs12(bytes, (await passphraseFor(clientCertificateCliText.file(file), options)) ?? '')
      : open;
  if (found.kind === 'read') return { certificate: found.certificate, key: found.key };
  throw wrongUsage(clientCertificateCliText.pkcs12[found.kind](file));
}

async function passphraseFor(
  what: string,
  { keyPassphraseFile: file }: PassphraseOptions,
): Promise<string | null> {
  if (file !== undefined) return (await readFileText(file, largestFile)).split(/\r?\n/)[0] ?? null;
  if (canAsk()) return askSecret(clientCertificateCliText.question(what));
  throw wrongUsage(clientCertificateCliText.passphraseNeeded(what));
}
