import { menuText } from '../../text/time.ts';
import type { UpdateState } from './update-state.ts';

/** What a click does: `explain` shows why this copy cannot update itself, `settings` where the feed is set. */
export type UpdateAction = 'check' | 'download' | 'install' | 'settings' | 'explain';

export interface UpdateMenuItem {
  readonly label: string;
  readonly enabled: boolean;
  /** Null while there is nothing to click. */
  readonly action: UpdateAction | null;
}

/** The one line about updates, for the tray's menu and the application's. */
export function updateMenuItem(state: UpdateState): UpdateMenuItem {
  switch (state.kind) {
    case 'off':
      return item('Updates are off', 'settings');
    case 'cannot':
      return item('This copy does not update itself…', 'explain');
    case 'idle':
      return item('Check for updates…', 'check');
    case 'checking':
      return item('Checking for updates…', null);
    case 'current':
      return item(`Up to date · checked ${menuText(state.checkedAt)}`, 'check');
    case 'available':
      return item(`Rotavox ${state.version} is available: download`, 'download');
    case 'downloading': {
      const progress = state.percent === null ? '…' : ` · ${state.percent} %`;
      return item(`Downloading ${state.version}${progress}`, null);
    }
    case 'ready':
      return item(`Restart to install ${state.version}`, 'install');
    case 'installing':
      return item(`Installing ${state.version}…`, null);
    case 'failed':
      return item(
        state.step === 'check' ? 'Update check failed: try again' : 'Update failed: try again',
        'check',
      );
  }
}

function item(label: string, action: UpdateAction | null): UpdateMenuItem {
  return { label, enabled: action !== null, action };
}
