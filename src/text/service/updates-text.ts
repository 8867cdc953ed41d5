import type {
  ShownUpdate,
  UpdateObstacle,
  UpdateProblem,
  UpdateStep,
} from '../../contract/service/update.ts';
import { networkFailureText } from './network-text.ts';
import { menuText } from '../time.ts';

/** What the menus, notifications and the settings say about new versions of the app. */

/** A sentence for a person who has just asked. */
export function updateStateText(state: ShownUpdate): string {
  switch (state.kind) {
    case 'off':
      return 'Updates are off: no update feed is set.';
    case 'cannot':
      return obstacleText(state.why);
    case 'replaced':
      return `${replacedText.title}. ${replacedText.body}`;
    case 'idle':
      return 'The update feed has not been checked yet.';
    case 'checking':
      return 'Checking the update feed.';
    case 'current':
      return 'Rotavox is up to date.';
    case 'available':
      return `Rotavox ${state.version} is available. Download it from the menu.`;
    case 'downloading':
      return `Rotavox ${state.version} is being downloaded.`;
    case 'ready':
      return `Rotavox ${state.version} is downloaded. ${howToInstall}`;
    case 'installing':
      return `Rotavox ${state.version} is being installed.`;
    case 'failed':
      return updateProblemText(state.problem);
  }
}

const replacedText = {
  title: 'Another version of Rotavox was installed',
  body: 'Restart Rotavox from its menu to use it. Once no window is open, it restarts by itself.',
} as const;

const howToInstall = 'Restart from the menu to install it, or it is installed when you quit.';

/** The line about updates in the menus of the tray and of the app. */
export function updateLabel(state: ShownUpdate): string {
  switch (state.kind) {
    case 'off':
      return 'Updates are off';
    case 'cannot':
      return 'This copy does not update itself…';
    case 'replaced':
      return 'Restart to use the new version';
    case 'idle':
      return 'Check for updates…';
    case 'checking':
      return 'Checking for updates…';
    case 'current':
      return `Up to date · checked ${menuText(state.checkedAt)}`;
    case 'available':
      return `Rotavox ${state.version} is available: download`;
    case 'downloading':
      return `Downloading ${state.version}${state.percent === null ? '…' : ` · ${state.percent} %`}`;
    case 'ready':
      return `Restart to install ${state.version}`;
    case 'installing':
      return `Installing ${state.version}…`;
    case 'failed':
      return state.step === 'check' ? 'Update check failed: try again' : 'Update failed: try again';
  }
}

/** The title of what the menu item opens in a copy that cannot update itself. */
export const noUpdatesTitle = 'This copy does not update itself';

/**
 * The notification when a state is entered; null if there is none.
 *
 * Only the result of what a person asked for is reported, because the menu that they clicked is closed by then. The daily
 * check reports nothing.
 */
export function updateNotice(state: ShownUpdate): { readonly title: string; readonly body: string } | null {
  switch (state.kind) {
    case 'current':
      return state.asked
        ? { title: 'Rotavox is up to date', body: 'The update feed has no newer version.' }
        : null;
    case 'available':
      return state.asked
        ? { title: `Rotavox ${state.version} is available`, body: 'Download it from the menu.' }
        : null;
    case 'replaced':
      return replacedText;
    case 'ready':
      return { title: `Rotavox ${state.version} is downloaded`, body: howToInstall };
    case 'failed':
      return state.asked
        ? { title: failureTitles[state.step], body: updateProblemText(state.problem) }
        : null;
    case 'off':
    case 'cannot':
    case 'idle':
    case 'checking':
    case 'downloading':
    case 'installing':
      return null;
  }
}

const failureTitles: Readonly<Record<UpdateStep, string>> = {
  check: 'Could not check for updates',
  download: 'Could not download the update',
  install: 'Could not install the update',
};

function obstacleText(obstacle: UpdateObstacle): string {
  switch (obstacle.code) {
    case 'checkout':
      return 'This copy of Rotavox runs from a checkout of its sources. Update the checkout instead.';
    case 'no_key':
      return 'This copy of Rotavox was packed without a key to verify updates, so it does not update itself. Install new versions manually.';
    case 'macos':
      return 'This copy of Rotavox cannot update itself, because macOS requires a signature. Install the new version manually.';
    case 'unpacked':
      return 'This copy of Rotavox is an unpacked folder, which cannot update itself. Replace the folder with the new version.';
    case 'read_only':
      return `This copy of Rotavox is ${obstacle.file}, in a folder that you may not write to. Move it to a folder of your own, or ask the person who installed it.`;
    case 'package':
      return `This copy of Rotavox was installed as a ${obstacle.format} package. Install the new package in the same way.`;
  }
}

/** Two sentences: what failed, and what to do. */
export function updateProblemText(problem: UpdateProblem): string {
  const feed = 'feed' in problem ? `The update feed (${problem.feed})` : '';
  switch (problem.code) {
    case 'no_list':
      return `${feed} has no list of versions. Check its address in the settings.`;
    case 'no_file':
      return `${feed} lists the new version but does not have its file. Try again later.`;
    case 'unsigned':
      return `${feed} has no signature for its list of versions, so nothing was downloaded. Tell the person who runs the feed.`;
    case 'timeout':
      return `${feed} stopped responding. Try again later.`;
    case 'denied':
      return `${feed} denies access (${problem.status}). Check its address in the settings.`;
    case 'feed_failed':
      return `${feed} answers with an error (${problem.status}). Try again later.`;
    case 'way':
      return networkFailureText(feed, problem.failure);
    case 'connection_lost':
      return `The connection to the update feed (${problem.feed}) was lost (${problem.error}). Try again.`;
    case 'unreachable':
      return `${feed} cannot be reached (${problem.error}). Check the network and the address.`;
    case 'wrong_signature':
      return 'The list of versions in the update feed is not signed with the key of this program, so nothing was downloaded. Try again; if it happens twice, do not use this feed and tell the person who runs it.';
    case 'unknown_list':
      return 'The signed list of versions in the update feed cannot be read by this version of Rotavox. Tell the person who runs the feed.';
    case 'older_version':
      return `The update feed offers ${problem.version}, which is older than this version (${problem.running}). Nothing was downloaded; tell the person who runs the feed.`;
    case 'no_file_for_system':
      return `The update feed offers ${problem.version}, but not for this system (${problem.system}). Tell the person who runs the feed.`;
    case 'wrong_file':
      return 'The downloaded file is not the one in the signed list; it was deleted and nothing was installed. Try again; if it happens twice, tell the person who runs the feed.';
    case 'disk_full':
      return 'There is not enough space on the disk for the new version. Free some space and try again.';
    case 'not_writable':
      return `The download folder cannot be written (${problem.error}). Check its permissions and try again.`;
    case 'feed_changed':
      return 'Updates were turned off or the update feed was changed. Check again if you want to.';
    case 'not_started':
      return 'The new version is installed but could not be started. Start Rotavox yourself.';
    case 'not_replaced':
      return `The new version could not replace ${problem.file} (${problem.error}); the current version is unchanged. Make sure that its folder can be written and has enough space, then try again.`;
    case 'unexpected':
      return `The update failed unexpectedly (${problem.detail}). Try again; if it fails again, please report it.`;
  }
}
