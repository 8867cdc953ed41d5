import { z } from 'zod';

/** What the owner can set. Every field has a default, so that an older state file opens. */
export const Settings = z.strictObject({
  /** Spec section 2.3: SMS templates apply only when this is on for the account. */
  sms_templates_enabled: z.boolean({ error: 'must be true or false' }),
});
export type Settings = z.infer<typeof Settings>;

export const defaultSettings: Settings = { sms_templates_enabled: false };

export const SettingsChange = Settings.partial();
export type SettingsChange = z.infer<typeof SettingsChange>;
