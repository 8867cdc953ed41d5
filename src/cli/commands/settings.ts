import type { Command } from 'commander';
import { Settings, SettingsChange } from '../../contract/settings.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { wrongUsage } from '../command-failure.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { formatTable } from '../format-table.ts';
import { hoursIn, hoursText, numberIn, shareIn, shareText } from '../option-values.ts';
import { openPortal } from '../portal.ts';
import { print, printJson, say } from '../terminal.ts';

export function settingsSetCommand(settings: Command): void {
  addCommand(settings, 'set', {
    description: 'Change a setting.',
    examples: [
      'rotavox settings set sms_templates_enabled true',
      'rotavox settings set quiet_hours 22:00-07:00',
      'rotavox settings set update_feed none',
      'rotavox settings set theme dark',
      'rotavox settings set rotation_fraction 2/3',
    ],
  })
    .argument('<key>', `which one: ${Object.keys(Settings.shape).join(', ')}`)
    .argument('<value>', 'what it is to be')
    .option(...jsonOption)
    .action(async (key: string, value: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const change = changeOf(key, value);
      const changed = await openPortal(options).ask('changeSettings', { body: change });
      if (options.json) {
        printJson(changed);
        return;
      }
      say(`${key} is ${settingText(changed[key as keyof Settings])}.`);
      if (key === 'port') say('The next start listens there, and apps must then call that port.');
    });
}

/** The change that a key and a text stand for, by the contract's own schema. */
function changeOf(key: string, text: string): SettingsChange {
  if (!Object.hasOwn(Settings.shape, key)) {
    throw wrongUsage(`There is no setting "${key}". There is: ${Object.keys(Settings.shape).join(', ')}.`);
  }
  const change = SettingsChange.safeParse({ [key]: settingIn(key as keyof Settings, text) });
  if (change.success) return change.data;
  throw wrongUsage(`${key} ${change.error.issues[0]?.message ?? 'cannot be that'}.`);
}

export function settingsListCommand(settings: Command): void {
  addCommand(settings, 'list', {
    description: 'List the settings. `rotavox settings` alone does the same.',
    examples: ['rotavox settings list', 'rotavox settings --json'],
    isDefault: true,
  })
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const present = await openPortal(options).ask('readSettings');
      if (options.json) printJson(present);
      else
        for (const line of formatTable(
          Object.entries(present).map(([key, value]) => [key, settingText(value)]),
        ))
          print(line);
    });
}

/** How people write a switch. */
const switchWords = new Map<string, boolean>([
  ['true', true],
  ['on', true],
  ['yes', true],
  ['false', false],
  ['off', false],
  ['no', false],
]);

/** What a text on the command line stands for; what it cannot be is left for the schema to refuse. */
function settingIn(key: keyof Settings, text: string): unknown {
  switch (key) {
    case 'sms_templates_enabled':
    case 'notifications_enabled':
      return switchWords.get(text.toLowerCase()) ?? text;
    case 'quiet_hours':
      return text === 'none' ? null : hoursIn(text);
    case 'update_feed':
      return text === 'none' ? null : text;
    case 'theme':
    case 'first_steps':
      return text;
    case 'rotation_fraction':
      return shareIn(text);
    case 'rotation_preferred_hours':
      return text === 'none' || text === 'any' ? null : hoursIn(text);
    case 'port':
      return text === 'none' ? null : numberIn(text);
  }
}

/** A setting as `settingIn` would read it again. */
function settingText(value: Settings[keyof Settings]): string {
  if (value === null) return 'none';
  if (typeof value === 'number') return shareText(value);
  return typeof value === 'object' ? hoursText(value) : String(value);
}
