import type { UpdateState } from './update-state.ts';

/** How it stands with updates, in a sentence, for who has just asked. */
export function updateWords(state: UpdateState): string {
  switch (state.kind) {
    case 'off':
      return 'Updates are off: no update feed is set.';
    case 'cannot':
      return state.why;
    case 'idle':
      return 'The update feed has not been asked yet.';
    case 'checking':
      return 'The update feed is being asked.';
    case 'current':
      return 'Rotavox is up to date: the update feed offers nothing newer.';
    case 'available':
      return `Rotavox ${state.version} is available. Download it from the menu.`;
    case 'downloading':
      return `Rotavox ${state.version} is being downloaded.`;
    case 'ready':
      return `Rotavox ${state.version} is downloaded. Restart from the menu to install it, or it is installed when you quit.`;
    case 'installing':
      return `Rotavox ${state.version} is being installed.`;
    case 'failed':
      return state.problem;
  }
}
