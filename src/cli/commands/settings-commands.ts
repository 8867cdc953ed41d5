import { resolve } from 'node:path';
import { type ProxyLogin, proxyUrl, readProxyAddress } from '../../contract/service/proxy-address.ts';
import { Settings, SettingsChange } from '../../contract/service/settings.ts';
import { settingsHelp, settingsText, settingText } from '../../text/cli/cli-service.ts';
import { type CommandGroup, routeCommand } from '../command-table.ts';
import { wrongUsage } from '../command-failure.ts';
import { hoursIn, numberIn, shareIn } from '../option-values.ts';
import { readProxyPassword } from '../read-token.ts';
import { readings } from '../readings.ts';

export const settingsCommands: CommandGroup = {
  help: settingsHelp,
  commands: {
    list: routeCommand({
      help: settingsHelp.list,
      isDefault: true,
      ...readings['settings/list'],
    }),
    set: routeCommand({
      help: settingsHelp.set,
      arguments: { '<key>': settingsHelp.set.key, '<value>': settingsHelp.set.value },
      prepare({ key, value }) {
        const { text, login } = key === 'proxy' ? proxyIn(value) : { text: value, login: null };
        return { text, login, change: changeOf(key, text) };
      },
      async call(portal, _input, { text, login, change }) {
        const body =
          login === null ? null : { ...login, password: await readProxyPassword(login.user, text) };
        const changed = await portal.ask('changeSettings', { body: change });
        if (body !== null) await portal.ask('setProxyLogin', { body });
        return changed;
      },
      words: (changed, { key }, { login }) => [
        settingsText.changed(key, settingText(changed[key as keyof Settings])),
        key === 'port' ? settingsText.portChanged : null,
        login === null ? null : settingsText.loginStored(login.user),
      ],
    }),
  },
};

/** The address of a proxy without the user in it, who is asked for the password; an argument never has that. */
function proxyIn(value: string): { readonly text: string; readonly login: Pick<ProxyLogin, 'user'> | null } {
  const read = readProxyAddress(value);
  if (!read.ok || read.value.login === null) return { text: value, login: null };
  const { user, password } = read.value.login;
  if (password !== '') throw wrongUsage(settingsText.passwordInArgument);
  return { text: proxyUrl(read.value), login: { user } };
}

/** Reads a change of a setting with the schema of the contract. */
function changeOf(key: string, text: string): SettingsChange {
  if (!Object.hasOwn(Settings.shape, key)) {
    throw wrongUsage(settingsText.unknown(key));
  }
  const change = SettingsChange.safeParse({ [key]: meanings[key as keyof Settings](text) });
  if (change.success) return change.data;
  throw wrongUsage(settingsText.invalid(key, change.error.issues[0]?.message));
}

/** How a person may write true and false. */
const booleans = new Map<string, boolean>([
  ['true', true],
  ['on', true],
  ['yes', true],
  ['false', false],
  ['off', false],
  ['no', false],
]);

const orNone =
  (read: (text: string) => unknown, ...alsoNone: readonly string[]) =>
  (text: string): unknown =>
    text === 'none' || alsoNone.includes(text) ? null : read(text);
const asTyped = (text: string): string => text;
const switchIn = (text: string): boolean | string => booleans.get(text.toLowerCase()) ?? text;

/** What a text means for a setting; anything else is left for the schema to refuse. */
const meanings: Readonly<Record<keyof Settings, (text: string) => unknown>> = {
  sms_templates_enabled: switchIn,
  notifications_enabled: switchIn,
  quiet_hours: orNone(hoursIn),
  update_feed: orNone(asTyped),
  theme: asTyped,
  rotation_fraction: shareIn,
  rotation_preferred_hours: orNone(hoursIn, 'any'),
  port: orNone(numberIn),
  first_steps: asTyped,
  call_records_days: numberIn,
  outside_countries: (text) => (text === 'none' ? [] : text.split(',')),
  outside_calls_per_hour: numberIn,
  call_records_caller: asTyped,
  proxy: asTyped,
  no_proxy: orNone(asTyped),
  certificates: orNone(resolve, 'system'),
  speech_language: asTyped,
  speech_voice: orNone(asTyped),
};
