import type { UpdateState } from './update-state.ts';

export interface UpdateNotice {
  readonly title: string;
  readonly body: string;
}

/**
 * What to tell the person when a state is entered; null when it speaks for itself in the menu.
 *
 * Only the end of what somebody asked for is told: the menu that they clicked is closed by then. The daily check says
 * nothing, whatever it finds.
 */
export function updateNotice(state: UpdateState): UpdateNotice | null {
  switch (state.kind) {
    case 'current':
      return state.asked
        ? { title: 'Rotavox is up to date', body: 'The update feed offers nothing newer.' }
        : null;
    case 'available':
      return state.asked
        ? { title: `Rotavox ${state.version} is available`, body: 'Download it from the menu.' }
        : null;
    case 'ready':
      return {
        title: `Rotavox ${state.version} is downloaded`,
        body: 'Restart from the menu to install it, or it is installed when you quit.',
      };
    case 'failed':
      return state.asked ? { title: titleOfFailure[state.step], body: state.problem } : null;
    case 'off':
    case 'cannot':
    case 'idle':
    case 'checking':
    case 'downloading':
    case 'installing':
      return null;
  }
}

const titleOfFailure = {
  check: 'Could not check for updates',
  download: 'Could not download the update',
  install: 'Could not install the update',
} as const;
