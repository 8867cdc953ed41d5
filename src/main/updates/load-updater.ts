import type { ClientRequest } from 'electron';
import type { BaseUpdater, CancellationToken as Token } from 'electron-updater';
import type { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor.js';
import type { UpdateTarget } from './find-update-target.ts';

export interface LoadedUpdater {
  readonly updater: BaseUpdater;
  /** For a download. */
  readonly token: Token;
  /** Ends what is under way, for good. */
  stop(): void;
}

/**
 * Loads electron-updater and makes it ask one feed, quietly.
 *
 * Only here is it loaded, at the first check: its 60 modules have no place in the start of the app. Decided: nothing is
 * downloaded or installed by itself; never an older version; always the whole file in one request with one checksum, no
 * patches put together from ranges; no web installer, which fetches more from elsewhere; staged rollouts are for
 * everybody, since to be in or out of one we would need an id.
 */
export async function loadUpdater(target: UpdateTarget['kind'], base: URL): Promise<LoadedUpdater> {
  const { AppImageUpdater, CancellationToken, NsisUpdater } = await import('electron-updater');
  const updater = target === 'nsis' ? new NsisUpdater() : new AppImageUpdater();
  updater.logger = null;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  updater.disableDifferentialDownload = true;
  updater.disableWebInstaller = true;
  updater.isUserWithinRollout = () => true;
  updater.on('login', (_who, answer) => {
    (answer as () => void)(); // no password, said at once: without an answer the request would wait for ever
  });
  updater.setFeedURL({ provider: 'generic', url: base.href });
  keepNoIdentity(updater);
  const token = new CancellationToken();
  const abortRequest = watchRequests(updater);
  return {
    updater,
    token,
    stop() {
      token.cancel();
      abortRequest();
    },
  };
}

/** electron-updater makes up an id, keeps it in `.updaterId` and sends it with each check. There is no switch for it. */
function keepNoIdentity(updater: BaseUpdater): void {
  Object.defineProperty(updater, 'stagingUserIdPromise', { value: { value: Promise.resolve('') } });
}

/**
 * Returns how to abort the request that is under way; there is one at a time.
 *
 * The token stops none, and `session.closeAllConnections` not these.
 */
function watchRequests(updater: BaseUpdater): () => void {
  const { httpExecutor } = updater as unknown as { httpExecutor: ElectronHttpExecutor };
  const createRequest = httpExecutor.createRequest.bind(httpExecutor);
  let latest: ClientRequest | undefined;
  httpExecutor.createRequest = (options, callback) => {
    latest = createRequest(options, callback);
    return latest;
  };
  return () => latest?.abort();
}
