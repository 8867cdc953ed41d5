import { loopbackNames } from '../../contract/address.ts';
import { ariApplication, type ConfigLines } from '../../contract/calls/pbx.ts';
import { commentText, entryName, type FlowIdentity } from '../ivr/export/dialplan-names.ts';
import { isPlainId } from '../ivr/export/plain-names.ts';

/** How long Asterisk waits for a sign of this program before the fallback takes the call, in seconds. */
export const leaseSeconds = 15;

/** The variable with the state of a call. */
export const callVariable = 'ROTAVOX_CALL';

/**
 * Where Asterisk counts the calls to outside numbers (func_db, family and key): the beginning of the hour in seconds, `-` and how many
 * calls there were. Its database outlives restarts of both programs, and live calls and exported menus share it.
 */
export const outsideCounter = 'rotavox/outside';

/**
 * Where an Asterisk fetches prompts. One that is reached through loopback is on this machine, or at the end of a tunnel that leads
 * back, too. Any other one uses the address for other machines: the loopback address there is not ours, and in a team the
 * next leader may be elsewhere.
 */
export function promptsBaseUrl(
  pbxUrl: string,
  own: { readonly loopback: string; readonly public: string },
): string {
  const [, inBrackets, plain = ''] = /^https?:\/\/(?:\[([^\]]*)\]|([^:/]*))/i.exec(pbxUrl) ?? [];
  const host = (inBrackets ?? plain).toLowerCase();
  return loopbackNames.includes(host) || /^127\.[\d.]+$/.test(host) ? own.loopback : own.public;
}

/** The lines of `ari.conf` for a user. The password is left for the owner to fill in: it is shown nowhere. */
export function ariUserLines(user: string): ConfigLines {
  return {
    file: 'ari.conf',
    lines: [
      '[general]',
      'enabled = yes',
      '',
      `[${isPlainId(user) ? user : 'rotavox'}]`,
      'type = user',
      'read_only = no',
      'password_format = plain',
      'password = <the password that you entered in Rotavox>',
    ],
  };
}

/** The lines of `http.conf` for the address of a connection. */
export function httpServerLines(url: string): ConfigLines {
  const [, scheme = '', given, path = ''] =
    /^(https?):\/\/(?:\[[^\]]*\]|[^:/]*)(?::(\d+))?(\/.*)?$/i.exec(url) ?? [];
  const isTls = scheme.toLowerCase() === 'https';
  const port = given ?? (isTls ? '443' : '80');
  const prefix = path.replace(/^\/+|(?<!\/)\/+$/g, '');
  return {
    file: 'http.conf',
    lines: [
      '[general]',
      'enabled = yes',
      ...(isTls
        ? [
            'tlsenable = yes',
            `tlsbindaddr = 0.0.0.0:${port}`,
            'tlscertfile = /etc/asterisk/keys/asterisk.pem',
          ]
        : ['bindaddr = 127.0.0.1', `bindport = ${port}`]),
      'sessionlimit = 200',
      ...(prefix === '' ? [] : [`prefix = ${prefix}`]),
    ],
  };
}

/** The context that takes calls for a menu; callers are sent to its extension `s`. */
export function handOverContext(menu: FlowIdentity): string {
  return `${entryName(menu)}_calls`;
}

/**
 * What the site itself allows a call, as the dialplan notes it before the lease takes its place: seconds that were left (0: no
 * limit), and when that was, by the clock of Asterisk.
 */
export const siteLimit = { left: 'ROTAVOX_LIMIT', at: 'ROTAVOX_LIMIT_AT' } as const;

/**
 * The lines of `extensions.conf` that hand calls over to a menu, and to its exported dialplan when this program is not there.
 *
 * Asterisk (res/res_stasis.c, main/pbx.c): `Stasis` returns at once when no program is connected. `TIMEOUT(absolute)` ends it
 * when nobody sets it again, and the call goes on at extension `T` of the context. The time is taken back first, because it
 * would end the fallback too. Where the site limits its calls in the same way, what is left of that takes its place.
 */
export function handOverLines(menu: FlowIdentity): ConfigLines {
  const context = handOverContext(menu);
  const { left, at } = siteLimit;
  const rest = `$[\${${left}} - \${EPOCH} + \${${at}}]`;
  return {
    file: 'extensions.conf',
    lines: [
      `; Calls for the menu ${commentText(menu.name)}: Goto(${context},s,1)`,
      `[${context}]`,
      `exten => s,1,Set(${left}=\${TIMEOUT(absolute)})`,
      ` same => n,Set(${at}=\${EPOCH})`,
      ` same => n,Set(TIMEOUT(absolute)=${leaseSeconds})`,
      ` same => n,Stasis(${ariApplication},${isPlainId(menu.id) ? menu.id : '<menu id>'})`,
      ' same => n,Goto(T,1)',
      '; Without Rotavox the exported menu answers (rotavox ivr export --to asterisk).',
      'exten => T,1,Set(TIMEOUT(absolute)=0)',
      ` same => n,GotoIf($["\${${left}}" = "" | 0\${${left}} = 0]?answer)`,
      ` same => n,GotoIf($[${rest} < 1]?end)`,
      ` same => n,Set(TIMEOUT(absolute)=${rest})`,
      ` same => n(answer),Goto(${entryName(menu)},s,1)`,
      ' same => n(end),Hangup()',
    ],
  };
}

/** The lines of `modules.conf` that load what is missing. Names are those of Asterisk itself. */
export function moduleLines(modules: readonly string[]): ConfigLines {
  return { file: 'modules.conf', lines: modules.map((name) => `load = ${name}.so`) };
}
