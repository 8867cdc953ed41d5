import type { TrayAction, TrayItem } from '../../../src/main/tray/tray-item.ts';
import type { TrayView } from '../../../src/main/tray/tray-view.ts';

/** The menu as text: one line an item, submenus indented, `[x]` for a switch, `>` for clickable items. */
export function readMenu(items: readonly TrayItem[], indent = ''): string[] {
  return items.flatMap((item) => {
    switch (item.kind) {
      case 'separator':
        return [`${indent}---`];
      case 'text':
        return [`${indent}${item.label}`];
      case 'action':
        return [`${indent}> ${item.label}`];
      case 'switch':
        return [`${indent}[${item.isOn ? 'x' : ' '}] ${item.label}`];
      case 'submenu':
        return [`${indent}${item.label}`, ...readMenu(item.items, `${indent}  `)];
    }
  });
}

export function labelsOf(items: readonly TrayItem[]): string[] {
  return items.flatMap((item) => {
    if (item.kind === 'separator') return [];
    return item.kind === 'submenu' ? [item.label, ...labelsOf(item.items)] : [item.label];
  });
}

export function actionsOf(items: readonly TrayItem[]): TrayAction[] {
  return items.flatMap((item) => {
    if (item.kind === 'submenu') return actionsOf(item.items);
    return 'action' in item ? [item.action] : [];
  });
}

/** The labels of the credentials, from top to bottom. */
export function rowsOf({ menu }: TrayView): string[] {
  return menu.flatMap((item) => (item.kind === 'submenu' ? [item.label] : []));
}
