import type { Actor } from '../contract/history/audit-event.ts';
import type { RotationPolicy } from '../contract/credential/credential.ts';
import type { Settings, SettingsChange } from '../contract/service/settings.ts';
import type { Decision } from './ledger.ts';
import type { State } from './state.ts';

/** Changes settings; only differences are recorded. `actor`: who changes them, usually the owner. */
export function changeSettings(
  { settings }: State,
  wanted: SettingsChange,
  actor: Actor = { kind: 'owner' },
): Decision<Settings> {
  const value = changedSettings(settings, wanted);
  const keys = Object.keys(value) as (keyof Settings)[];
  const differing = keys.filter((key) => JSON.stringify(value[key]) !== JSON.stringify(settings[key]));
  if (differing.length === 0) return { events: [], value };
  const changed = Object.fromEntries(differing.map((key) => [key, value[key]])) as SettingsChange;
  return {
    events: [
      {
        kind: 'settings.changed',
        subject: 'settings',
        actor,
        data: { settings: changed },
      },
    ],
    value,
  };
}

/** The settings after a change: omitted fields keep their value. */
export function changedSettings(before: Settings, change: SettingsChange): Settings {
  const named = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...before, ...(Object.fromEntries(named) as Partial<Settings>) };
}

/** The policy of a new credential without its own. */
export function defaultPolicyOf({ rotation_fraction, rotation_preferred_hours }: Settings): RotationPolicy {
  return { fraction: rotation_fraction, preferred_hours: rotation_preferred_hours };
}
