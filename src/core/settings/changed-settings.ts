import type { Settings, SettingsChange } from '../../contract/settings.ts';

/** The settings after a change: what it does not name stays. */
export function changedSettings(before: Settings, change: SettingsChange): Settings {
  const named = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...before, ...(Object.fromEntries(named) as Partial<Settings>) };
}
