import type { Command } from 'commander';
import { Settings, SettingsChange } from '../../contract/settings.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { wrongUsage } from '../command-failure.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { openPortal } from '../portal.ts';
import { settingIn, settingText } from '../setting-text.ts';
import { printJson, say } from '../terminal.ts';

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
