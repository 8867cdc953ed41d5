/**
 * A program that consists of nothing but updates: the real module and the real electron-updater in a real Electron.
 *
 * Runs as main process of what `packed-updates-app.ts` puts together, and is driven over the IPC channel of its parent.
 */
import { app } from 'electron';
import { createRequire } from 'node:module';
import { startUpdates } from '../../../src/main/updates/start-updates.ts';

export type Order =
  | { readonly kind: 'check' | 'download' | 'install' | 'quit' }
  | { readonly kind: 'set_feed'; readonly feed: string | null };

export type Report =
  | { readonly kind: 'state'; readonly state: ReturnType<typeof startUpdates>['state'] }
  | { readonly kind: 'up'; readonly state: ReturnType<typeof startUpdates>['state'] }
  | { readonly kind: 'host_closed' }
  | { readonly kind: 'quitting'; readonly loadedUpdater: boolean };

let feed = process.env['TEST_FEED'] ?? null;

function report(message: Report): void {
  process.send?.(message);
}

app.requestSingleInstanceLock();

const updates = startUpdates({
  feed: () => feed,
  beforeInstall: async () => {
    report({ kind: 'host_closed' });
  },
  onChange: (state) => {
    report({ kind: 'state', state });
  },
  limits: { answerMs: Number(process.env['TEST_ANSWER_MS'] ?? 30_000), standstillMs: 30_000 },
});

process.on('message', (order: Order) => {
  switch (order.kind) {
    case 'check':
    case 'download':
    case 'install':
      void updates[order.kind]();
      break;
    case 'set_feed':
      feed = order.feed;
      updates.feedChanged();
      break;
    case 'quit':
      app.quit();
      break;
  }
});

let isQuitting = false;
app.on('will-quit', (event) => {
  event.preventDefault();
  if (isQuitting) return;
  isQuitting = true;
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  report({ kind: 'quitting', loadedUpdater: loaded.some((file) => file.includes('electron-updater')) });
  void updates.close({ install: true }).then(() => {
    app.exit(0);
  });
});

// Not awaited: Electron is not ready before its main module is through.
void app.whenReady().then(() => {
  report({ kind: 'up', state: updates.state });
});
