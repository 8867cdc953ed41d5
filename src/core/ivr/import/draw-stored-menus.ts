import type { IvrDocument } from '../../../contract/ivr-draft.ts';
import type { IvrBody } from '../../../contract/ivr.ts';
import { drawMenus } from './draw-menus.ts';
import { ImportNotes } from './import-notes.ts';
import { readMenu } from './read-menu.ts';

/** A menu as it is stored here: a body that was accepted, and the id that other menus lead to it by. */
export interface StoredMenu extends IvrBody {
  readonly id: string;
}

/**
 * A drawing of menus that are stored here, the id of one of them a line.
 *
 * They are read like those of a file. There is nothing to warn of: a body that was accepted is whole, and what it has
 * beside its fields (its version, its dates) is no part of a drawing.
 */
export function drawStoredMenus(menus: readonly StoredMenu[]): IvrDocument {
  const notes = new ImportNotes();
  return drawMenus(
    menus.map((menu, place) => readMenu({ path: `[${place}]`, fields: { ...menu } }, notes)),
    notes,
  );
}
