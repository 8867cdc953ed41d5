import type { IssuedToken } from '../contract/token.ts';
import { localTime, timeLeft } from './moments.ts';
import { print, printJson, say } from './terminal.ts';

/** Prints an issued token with its value, the only time that it can be seen. */
export function printIssued(issued: IssuedToken, { json }: { json?: true }): void {
  if (json) {
    printJson(issued);
    return;
  }
  print(issued.access_token);
  say(issuedWords(issued), 'Keep its value now: it is not stored and cannot be shown again.');
}

/** Which token was issued and how long it lives, in a sentence. */
export function issuedWords({ id, name, expires_at: expiresAt }: IssuedToken): string {
  const left = timeLeft(expiresAt, Date.now());
  return `Issued ${id} "${name}", Active until ${localTime(expiresAt)} (${left}).`;
}
