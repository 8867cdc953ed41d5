import type { Command } from 'commander';
import { resolve } from 'node:path';
import { type ProxyLogin, proxyUrl, readProxyAddress } from '../../contract/proxy-address.ts';
import { Settings, SettingsChange } from '../../contract/settings.ts';
import { settingsHelp, settingsText } from '../../text/cli-service.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { wrongUsage } from '../command-failure.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { formatTable } from '../format-table.ts';
import { hoursIn, hoursText, numberIn, shareIn, shareText } from '../option-values.ts';
import { openPortal } from '../open-portal.ts';
import { readProxyPassword } from '../read-token.ts';
import { print, printJson, say } from '../terminal.ts';

export function settingsSetCommand(settings: Command): void {
  addCommand(settings, 'set', settingsHelp.set)
    .argument('<key>', settingsHelp.set.key)
    .argument('<value>', settingsHelp.set.value)
    .option(...jsonOption)
    .action(async (key: string, value: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const { text, login } = key === 'proxy' ? proxyIn(value) : { text: value, login: null };
      const change = changeOf(key, text);
      const portal = openPortal(options); // first: no password is asked for when the service does not run
      const body = login === null ? null : { ...login, password: await readProxyPassword(login.user, text) };
      const changed = await portal.ask('changeSettings', { body: change });
      if (body !== null) await portal.ask('setProxyLogin', { body });
      if (options.json) {
        printJson(changed);
        return;
      }
      say(settingsText.changed(key, settingText(changed[key as keyof Settings])));
      if (key === 'port') say(settingsText.portChanged);
      if (body !== null) say(settingsText.loginStored(body.user));
    });
}

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
  const change = SettingsChange.safeParse({ [key]: settingIn(key as keyof Settings, text) });
  if (change.success) return change.data;
  throw wrongUsage(settingsText.invalid(key, change.error.issues[0]?.message));
}

export function settingsListCommand(settings: Command): void {
  addCommand(settings, 'list', settingsHelp.list, { isDefault: true })
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const current = await openPortal(options).ask('readSettings');
      if (options.json) printJson(current);
      else
        for (const line of formatTable(
          Object.entries(current).map(([key, value]) => [key, settingText(value)]),
        ))
          print(line);
    });
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

/** The value that a text means for a setting; anything else is left for the schema to refuse. */
function settingIn(key: keyof Settings, text: string): unknown {
  switch (key) {
    case 'sms_templates_enabled':
    case 'notifications_enabled':
      return booleans.get(text.toLowerCase()) ?? text;
    case 'quiet_hours':
      return text === 'none' ? null : hoursIn(text);
    case 'no_proxy':
    case 'update_feed':
      return text === 'none' ? null : text;
    case 'certificates':
      return text === 'none' || text === 'system' ? null : resolve(text);
    case 'proxy':
    case 'theme':
    case 'first_steps':
      return text;
    case 'rotation_fraction':
      return shareIn(text);
    case 'rotation_preferred_hours':
      return text === 'none' || text === 'any' ? null : hoursIn(text);
    case 'call_records_caller':
      return text;
    case 'call_records_days':
      return numberIn(text);
    case 'port':
      return text === 'none' ? null : numberIn(text);
  }
}

/** A setting as `settingIn` reads it. */
function settingText(value: Settings[keyof Settings]): string {
  if (value === null) return 'none';
  if (typeof value === 'number') return shareText(value);
  return typeof value === 'object' ? hoursText(value) : String(value);
}
