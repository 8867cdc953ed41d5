import { ariApplication, type ConfigLines } from '../../contract/pbx.ts';

/**
 * The lines that a person adds to the files of Asterisk.
 *
 * `user` and `password` have no `;`, which begins a comment there: `newPbxPassword` makes such passwords.
 */
export function ariLines({
  user,
  password,
}: {
  readonly user: string;
  readonly password: string;
}): ConfigLines {
  return {
    file: 'ari.conf',
    lines: [
      '[general]',
      'enabled = yes',
      '',
      `[${user}]`,
      'type = user',
      'read_only = no',
      'password_format = plain',
      `password = ${password}`,
    ],
  };
}

/** The HTTP server of Asterisk: without TLS for programs on the same machine only. */
export function httpLines(isSameMachine: boolean): ConfigLines {
  return {
    file: 'http.conf',
    lines: isSameMachine
      ? ['[general]', 'enabled = yes', 'bindaddr = 127.0.0.1', 'bindport = 8088']
      : [
          '[general]',
          'enabled = yes',
          'tlsenable = yes',
          'tlsbindaddr = 0.0.0.0:8089',
          'tlscertfile = /etc/asterisk/keys/asterisk.pem',
        ],
  };
}

/** Loads both files. */
export const reloadLines: ConfigLines = {
  file: 'Asterisk CLI',
  lines: ['module reload http', 'module reload res_ari.so'],
};

/** For how long Asterisk waits for this program, in seconds, before the fallback menu takes a call. */
const leaseSeconds = 15;

/**
 * Hands calls of a number over to a stored menu, with the exported menu as fallback. `entry` is the context of the export.
 *
 * The time limit is renewed by this program as long as it runs. When it is over, Asterisk goes to the extension `T` of the
 * context that the call is in: hence a context of its own for each menu, and no limit before the fallback begins.
 */
export function handOverLines({
  number,
  ivr,
  entry,
}: {
  readonly number: string;
  readonly ivr: string;
  readonly entry: string;
}): { readonly menu: ConfigLines; readonly number: ConfigLines } {
  const context = `${entry}_call`;
  const fallback = ['Set(TIMEOUT(absolute)=0)', `Goto(${entry},s,1)`] as const;
  return {
    menu: {
      file: 'extensions.conf',
      lines: [
        `#include ${entry}.conf`,
        '',
        `[${context}]`,
        `exten => s,1,Set(TIMEOUT(absolute)=${leaseSeconds})`,
        ` same => n,Stasis(${ariApplication},${ivr})`,
        ` same => n,${fallback[0]}`,
        ` same => n,${fallback[1]}`,
        `exten => T,1,${fallback[0]}`,
        ` same => n,${fallback[1]}`,
      ],
    },
    number: { file: 'extensions.conf', lines: [`exten => ${number},1,Goto(${context},s,1)`] },
  };
}

/** A password for a user of ari.conf from random bytes: letters and digits only, which need no escapes in that file. */
export function newPbxPassword(random: Uint8Array): string {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
  return Array.from(random, (byte) => letters[byte % letters.length]).join('');
}
