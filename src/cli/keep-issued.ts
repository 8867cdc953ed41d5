import type { CredentialView } from '../contract/credential-view.ts';
import type { IssuedToken } from '../contract/token.ts';
import { CommandFailure } from './command-failure.ts';
import { nextRotation } from './credential-lines.ts';
import { exitCodes } from './exit-codes.ts';
import type { Portal } from './portal.ts';
import { issuedWords, printIssued } from './print-issued.ts';
import { printJson, say } from './terminal.ts';

/**
 * Has a token that was just issued kept fresh, so that nobody needs to see its value.
 *
 * When that fails the value is printed after all: it is in no other place, and the token is there already.
 */
export async function keepIssued(
  portal: Portal,
  issued: IssuedToken,
  options: { readonly keepAs: string; readonly json?: true },
): Promise<void> {
  const { keepAs: name, json } = options;
  let credential: CredentialView;
  try {
    const { access_token: value, expires_at, validity_days } = issued;
    credential = await portal.ask('addCredential', { body: { name, value, expires_at, validity_days } });
  } catch (error) {
    printIssued(issued, options);
    if (!(error instanceof CommandFailure)) throw error;
    const [why = '', ...more] = error.lines;
    const advice = `Put it there with \`rotavox credential add\`, or end it with \`rotavox token blacklist ${issued.id}\`.`;
    throw new CommandFailure(exitCodes.failed, [`It is not kept as ${name}: ${why}`, ...more, advice], {
      cause: error,
    });
  }
  if (json) {
    const { access_token: _value, ...token } = issued;
    printJson({ ...token, credential });
    return;
  }
  say(
    issuedWords(issued),
    `It is kept fresh as ${name}; next rotation: ${nextRotation(credential, Date.now())}. ` +
      `\`rotavox get ${name}\` shows its value.`,
  );
}
