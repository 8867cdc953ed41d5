/** An empty window: at once, or, with `--hidden`, when the app is started again. */
const { join } = require('node:path');
const { app, BrowserWindow } = require('electron');

const open = () => void new BrowserWindow().loadFile(join(__dirname, 'index.html'));

if (app.requestSingleInstanceLock()) {
  app.on('second-instance', open);
  if (!process.argv.includes('--hidden')) app.whenReady().then(open);
} else {
  app.exit();
}
