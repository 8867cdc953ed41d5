import type { ElectronApplication } from '@playwright/test';

/** The paths that the app's windows show, and whether each is visible. */
export function windowsOf(app: ElectronApplication) {
  return app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => ({
      path: new URL(window.webContents.getURL() || 'about:blank').pathname,
      isVisible: window.isVisible(),
    })),
  );
}
