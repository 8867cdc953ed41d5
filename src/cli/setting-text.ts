import type { Settings } from '../contract/settings.ts';
import { hoursIn, hoursText } from './hours-text.ts';
import { numberIn } from './option-values.ts';
import { shareIn, shareText } from './share-text.ts';

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
export function settingIn(key: keyof Settings, text: string): unknown {
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
export function settingText(value: Settings[keyof Settings]): string {
  if (value === null) return 'none';
  if (typeof value === 'number') return shareText(value);
  return typeof value === 'object' ? hoursText(value) : String(value);
}
