import type { Settings, SettingsChange } from '../../contract/settings.ts';
import type { Decision } from '../ledger.ts';
import type { State } from '../state.ts';

/** Sets what differs from what is set; nothing is recorded when nothing does. */
export function changeSettings(state: State, change: SettingsChange): Decision<Settings> {
  const entries = Object.entries(change) as [keyof Settings, Settings[keyof Settings]][];
  const changed = Object.fromEntries(entries.filter(([key, value]) => state.settings[key] !== value));
  const value = { ...state.settings, ...changed };
  if (Object.keys(changed).length === 0) return { events: [], value };
  return {
    events: [
      {
        kind: 'settings.changed',
        subject: 'settings',
        actor: { kind: 'owner' },
        data: { settings: changed },
      },
    ],
    value,
  };
}
