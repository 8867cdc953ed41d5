/** An icon in the tray with a menu: the baseline of our figures. */
const { join } = require('node:path');
const { app, Menu, Tray } = require('electron');

const picture = join(__dirname, 'icon.png'); // put there by launches.ts
let tray;

app.whenReady().then(() => {
  tray = new Tray(picture);
  tray.setToolTip('Hello');
  tray.setContextMenu(Menu.buildFromTemplate([{ label: 'Quit', click: () => app.quit() }]));
});
