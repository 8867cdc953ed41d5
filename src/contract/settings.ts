import { z } from 'zod';
import { UpdateFeed } from './base-url.ts';
import { HoursOfDay } from './hours-of-day.ts';

const switchError = 'must be true or false';

/** What the owner can set. Every field has a default, so that an older state file opens. */
export const Settings = z.strictObject({
  /** Spec section 2.3: SMS templates apply only when this is on for the account. */
  sms_templates_enabled: z.boolean({ error: switchError }),
  /** Whether the desktop app tells of what needs a person. */
  notifications_enabled: z.boolean({ error: switchError }),
  /** When it keeps that to itself until they are over. Null: never. */
  quiet_hours: HoursOfDay.nullable(),
  /** Where the desktop app looks for new versions of itself. Null: it does not look. */
  update_feed: UpdateFeed.nullable(),
});
export type Settings = z.infer<typeof Settings>;

export const defaultSettings: Settings = {
  sms_templates_enabled: false,
  notifications_enabled: true,
  quiet_hours: null,
  update_feed: null,
};

export const SettingsChange = Settings.partial();
export type SettingsChange = z.infer<typeof SettingsChange>;
