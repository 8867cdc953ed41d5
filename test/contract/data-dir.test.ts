import { describe, expect, it } from 'vitest';
import { dataDirOf } from '../../src/contract/service/data-dir.ts';

describe('the data folder when nobody names one', () => {
  it.each([
    ['linux', {}, '/home/ada/.config/Rotavox/data'],
    ['linux', { XDG_CONFIG_HOME: '/xdg' }, '/xdg/Rotavox/data'],
    ['linux', { XDG_CONFIG_HOME: '' }, '/home/ada/.config/Rotavox/data'],
    ['linux', { XDG_CONFIG_HOME: 'relative' }, '/home/ada/.config/Rotavox/data'],
    ['darwin', { XDG_CONFIG_HOME: '/xdg' }, '/home/ada/Library/Application Support/Rotavox/data'],
    ['win32', { APPDATA: 'D:\\Roaming' }, 'D:\\Roaming\\Rotavox\\data'],
    ['win32', {}, '/home/ada\\AppData\\Roaming\\Rotavox\\data'],
    ['linux', { ROTAVOX_DATA_DIR: '/chosen', XDG_CONFIG_HOME: '/xdg' }, '/chosen'],
    ['win32', { ROTAVOX_DATA_DIR: '' }, '/home/ada\\AppData\\Roaming\\Rotavox\\data'],
  ])('is on %s with %o: %s', (platform, environment, expected) => {
    expect(dataDirOf({ environment, platform, homeDir: '/home/ada' })).toBe(expected);
  });
});
