import { loopbackNames } from '../../contract/address.ts';
import { ariApplication, type ConfigLines } from '../../contract/pbx.ts';
import { entryName } from '../ivr/export/dialplan-names.ts';
import { isPlainId } from '../ivr/export/plain-names.ts';

/** How long Asterisk waits for a sign of this program before the fallback takes the call, in seconds. */
export const leaseSeconds = 15;

/** The variable with the state of a call. */
export const callVariable = 'ROTAVOX_CALL';

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
export function handOverContext(flowName: string): string {
  return `${entryName(flowName)}_calls`;
}

/**
 * The lines of `extensions.conf` that hand calls over to a menu, and to its exported dialplan when this program is not there.
 *
 * Asterisk (res/res_stasis.c, main/pbx.c): `Stasis` returns at once when no program is connected. `TIMEOUT(absolute)` ends it
 * when nobody sets it again, and the call goes on at extension `T` of the context. The time is taken back first, because it
 * would end the fallback too.
 */
export function handOverLines(ivrId: string, flowName: string): ConfigLines {
  const fallback = entryName(flowName);
  return {
    file: 'extensions.conf',
    lines: [
      `; Calls for this menu: Goto(${handOverContext(flowName)},s,1)`,
      `[${handOverContext(flowName)}]`,
      `exten => s,1,Set(TIMEOUT(absolute)=${leaseSeconds})`,
      ` same => n,Stasis(${ariApplication},${isPlainId(ivrId) ? ivrId : '<menu id>'})`,
      ' same => n,Goto(T,1)',
      '; Without Rotavox the exported menu answers (rotavox ivr export --to asterisk).',
      'exten => T,1,Set(TIMEOUT(absolute)=0)',
      ` same => n,Goto(${fallback},s,1)`,
    ],
  };
}

/** The lines of `modules.conf` that load what is missing. Names are those of Asterisk itself. */
export function moduleLines(modules: readonly string[]): ConfigLines {
  return { file: 'modules.conf', lines: modules.map((name) => `load = ${name}.so`) };
}
