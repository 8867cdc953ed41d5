import { z } from 'zod';
import { CallerKept } from '../calls/call.ts';
import { OutsideCallsPerHour, OutsideCountries } from '../calls/outside-calls.ts';
import { CertificateFile, ProxyExceptions, ProxySetting } from './network.ts';
import { defaultPolicy, RotationPolicy } from '../credential/credential.ts';
import { SpeechLanguage, VoiceId } from '../menu/speech.ts';
import { HoursOfDay, UpdateFeed, wholeDays } from '../shapes.ts';

const switchError = 'must be true or false';

/** How the windows look. `system`: as the person's desktop does. */
export const Theme = z.enum(['system', 'light', 'dark'], { error: 'must be system, light or dark' });
export type Theme = z.infer<typeof Theme>;

/** The state of the first steps. `automatic`: shown until a token is rotated automatically. */
export const FirstSteps = z.enum(['automatic', 'open', 'dismissed', 'done'], {
  error: 'must be automatic, open, dismissed or done',
});
export type FirstSteps = z.infer<typeof FirstSteps>;

const portError = 'must be a whole number from 1024 to 65535';
const Port = z.int({ error: portError }).min(1024, portError).max(65_535, portError);

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
  theme: Theme,
  /** The policy of a credential that is added without its own; existing credentials keep theirs. */
  rotation_fraction: RotationPolicy.shape.fraction,
  rotation_preferred_hours: RotationPolicy.shape.preferred_hours,
  /** Where the service listens from its next start on, unless that start names another port. Null: 7682. */
  port: Port.nullable(),
  first_steps: FirstSteps,
  /** How long records of calls are kept, in days. */
  call_records_days: wholeDays(3650),
  call_records_caller: CallerKept,
  /** Where menus may call outside numbers. Empty: nowhere. */
  outside_countries: OutsideCountries,
  outside_calls_per_hour: OutsideCallsPerHour,
  /** How calls to other machines leave this one. */
  proxy: ProxySetting,
  /** Where they go directly; null: as `NO_PROXY` says. */
  no_proxy: ProxyExceptions.nullable(),
  /** Trusted in addition to what the system trusts. */
  certificates: CertificateFile.nullable(),
  /** Of the texts that menus speak. */
  speech_language: SpeechLanguage,
  /** Null: the first voice of the language. */
  speech_voice: VoiceId.nullable(),
});
export type Settings = z.infer<typeof Settings>;

export const defaultSettings: Settings = {
  sms_templates_enabled: false,
  notifications_enabled: true,
  quiet_hours: null,
  update_feed: null,
  theme: 'system',
  rotation_fraction: defaultPolicy.fraction,
  rotation_preferred_hours: defaultPolicy.preferred_hours,
  port: null,
  first_steps: 'automatic',
  call_records_days: 90,
  call_records_caller: 'whole',
  outside_countries: [],
  outside_calls_per_hour: 30,
  proxy: 'system',
  no_proxy: null,
  certificates: null,
  speech_language: 'en-US',
  speech_voice: null,
};

export const SettingsChange = Settings.partial();
export type SettingsChange = z.infer<typeof SettingsChange>;
