import { describe, expect, it } from 'vitest';
import { panelTheme } from '../../../src/main/tray/tray-icon-name.ts';

describe('the drawing for the panel', () => {
  it.each([true, false])('is a template on macOS, which colours it itself (dark: %s)', (isDark) => {
    expect(panelTheme({ platform: 'darwin', isDark, desktop: undefined, wanted: null })).toBe('template');
  });

  it.each([
    [true, 'light'],
    [false, 'dark'],
  ] as const)('on Windows stands out from a taskbar that is dark: %s', (isDark, theme) => {
    expect(panelTheme({ platform: 'win32', isDark, desktop: undefined, wanted: null })).toBe(theme);
    // Variables of other systems are ignored there.
    expect(panelTheme({ platform: 'win32', isDark, desktop: 'GNOME', wanted: null })).toBe(theme);
  });

  it.each([undefined, '', 'GNOME', 'ubuntu:GNOME', 'Unity:Unity7:ubuntu', 'X-Cinnamon', 'XFCE', 'sway'])(
    'on Linux is light for the dark panel that %s has whatever its windows are',
    (desktop) => {
      expect(panelTheme({ platform: 'linux', isDark: false, desktop, wanted: null })).toBe('light');
      expect(panelTheme({ platform: 'linux', isDark: true, desktop, wanted: null })).toBe('light');
    },
  );

  it.each(['KDE', 'MATE', 'ubuntu:MATE', 'LXQt', 'Deepin'])('follows the windows on %s', (desktop) => {
    expect(panelTheme({ platform: 'linux', isDark: false, desktop, wanted: null })).toBe('dark');
    expect(panelTheme({ platform: 'linux', isDark: true, desktop, wanted: null })).toBe('light');
  });

  it('is what the person has chosen, on Linux alone', () => {
    const asked = { isDark: true, desktop: 'XFCE', wanted: 'coloured' } as const;
    expect(panelTheme({ platform: 'linux', ...asked })).toBe('coloured');
    expect(panelTheme({ platform: 'win32', ...asked })).toBe('light');
    expect(panelTheme({ platform: 'darwin', ...asked })).toBe('template');
  });
});
