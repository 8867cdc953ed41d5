/**
 * Loaded into the app before its own code: presses a row of the tray's menu the moment that the menu first has it.
 *
 * PRESS_AT_ONCE names the row, PRESS_REPORT a file that is told whether the service was already up.
 */
const { existsSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { Tray } = require('electron');

const { PRESS_AT_ONCE: label, PRESS_REPORT: report, ROTAVOX_DATA_DIR: dataDir } = process.env;
const { setContextMenu } = Tray.prototype;

Tray.prototype.setContextMenu = function (menu) {
  setContextMenu.call(this, menu);
  const row = menu?.items.find((item) => item.label === label);
  if (row === undefined) return;
  Tray.prototype.setContextMenu = setContextMenu;
  writeFileSync(report, existsSync(join(dataDir, 'runtime.json')) ? 'the service was up' : 'starting');
  row.click();
};
