import { useEffect } from 'react';

import { useLive } from '../kit/live/use-live.ts';
import { applyTheme } from './apply-theme.ts';
import { presentSettings } from './read-settings.ts';

/** Keeps the look of this window to the setting, whoever changes it. Shows nothing itself. */
export function FollowTheme() {
  const theme = useLive(presentSettings).known?.value.theme;
  useEffect(() => {
    if (theme !== undefined) applyTheme(theme);
  }, [theme]);
  return null;
}
