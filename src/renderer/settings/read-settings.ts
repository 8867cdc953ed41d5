import type { Settings } from '../../contract/settings.ts';
import type { Resource } from '../kit/live/resource.ts';
import { readPortal } from '../kit/read-portal.ts';

/** The settings as they are, whoever changes them. Light enough for the first view, which follows the theme. */
export const presentSettings: Resource<Settings> = {
  key: ['settings'],
  about: ['settings.'],
  read: (signal) => readPortal('settings', signal),
};
