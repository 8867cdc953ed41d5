/**
 * Loaded into the app before its own code: has `endWithTheSession` (src/main/desktop.ts) believe that it is on Windows.
 *
 * Nothing else of the app does, for this machine's Electron has no Windows icons, ids and installers. Whether Windows tells
 * the window is not shown by this.
 */
const { platform } = process;

Object.defineProperty(process, 'platform', {
  get: () => (new Error('asked by').stack.includes('endWithTheSession') ? 'win32' : platform),
});
