import { setTimeout as wait } from 'node:timers/promises';
import { credentialHelp, credentialText } from '../../text/cli/cli-credential.ts';
import { signInText } from '../../text/credential/sign-in-text.ts';
import type { ClientCertificate } from '../../contract/service/network.ts';
import type { ProviderChoice } from '../../contract/credential/provider.ts';
import type { SignInView, StartSignIn } from '../../contract/credential/sign-in.ts';
import { credentialName, customCommand } from '../command-table.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import { openPortal, type Portal } from '../open-portal.ts';
import { readClientSecret } from '../read-token.ts';
import { print, printJson, say } from '../terminal.ts';
import { openBrowser } from './open.ts';

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
export async function signIn(
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
