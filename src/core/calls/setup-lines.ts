import type { ConfigLines } from '../../contract/calls/pbx.ts';
import type { FlowIdentity } from '../ivr/export/dialplan-names.ts';
import { ariUserLines, handOverContext, httpServerLines } from './asterisk-lines.ts';

/** The lines for `ari.conf` with the password in its place, which the setup made and has not stored yet. */
export function ariSetupLines({
  user,
  password,
}: {
  readonly user: string;
  readonly password: string;
}): ConfigLines {
  const { file, lines } = ariUserLines(user);
  return { file, lines: [...lines.slice(0, -1), `password = ${password}`] };
}

/** The address at which the setup expects the HTTP server of Asterisk. Without TLS for programs on the same machine only. */
export const setupUrls = {
  here: 'http://127.0.0.1:8088',
  elsewhere: 'https://pbx.example.com:8089',
} as const;
export type SetupPlace = keyof typeof setupUrls;

export function httpSetupLines(place: SetupPlace): ConfigLines {
  return httpServerLines(setupUrls[place]);
}

/** The line that leads a number to the context of a menu. */
export function numberLine(number: string, menu: FlowIdentity): string {
  return `exten => ${number},1,Goto(${handOverContext(menu)},s,1)`;
}

/** A number as it is dialled; nothing that would be a pattern or end the line. */
export function isDialledNumber(number: string): boolean {
  return /^[0-9A-Za-z+*#-]{1,40}$/.test(number);
}

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

/** A password for a user of ari.conf from random bytes: letters and digits only, which need no escapes in that file. */
export function newPbxPassword(random: Uint8Array): string {
  return Array.from(random, (byte) => letters[byte % letters.length]).join('');
}
