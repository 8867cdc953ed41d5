import { describe, expect, it } from 'vitest';
import { menuTemplate, type TrayAction, type TrayItem } from '../../../src/main/tray/tray-item.ts';

/** A click as Electron makes it; its arguments are ignored. */
function click(entry: { click?: unknown } | undefined): void {
  (entry?.click as () => void)();
}

describe('the menu as Electron wants it', () => {
  const quit: TrayAction = { kind: 'quit' };
  const items: TrayItem[] = [
    { kind: 'text', label: 'Starting …' },
    { kind: 'separator' },
    { kind: 'submenu', label: 'token', items: [{ kind: 'action', label: 'Quit', action: quit }] },
    { kind: 'switch', label: 'Open at login', isOn: true, action: { kind: 'open-at-login', isOn: false } },
  ];

  it('has an entry for every item, in order, and items without an action cannot be clicked', () => {
    expect(menuTemplate(items, () => undefined)).toEqual([
      { label: 'Starting …', enabled: false },
      { type: 'separator' },
      { label: 'token', submenu: [{ label: 'Quit', click: expect.any(Function) as unknown }] },
      { label: 'Open at login', type: 'checkbox', checked: true, click: expect.any(Function) as unknown },
    ]);
  });

  it('asks for the action of the entry that is clicked, also below another', () => {
    const asked: TrayAction[] = [];
    const [, , submenu, login] = menuTemplate(items, (action) => asked.push(action));
    click(login);
    click((submenu?.submenu as { click?: unknown }[])[0]);
    expect(asked).toEqual([{ kind: 'open-at-login', isOn: false }, quit]);
  });

  it('shows an ampersand as one, at every depth', () => {
    const [words, below] = menuTemplate(
      [
        { kind: 'text', label: 'R&D && more' },
        { kind: 'submenu', label: 'A&B', items: [{ kind: 'text', label: '&' }] },
      ],
      () => undefined,
    );
    expect(words?.label).toBe('R&&D &&&& more');
    expect(below).toMatchObject({ label: 'A&&B', submenu: [{ label: '&&' }] });
  });
});
