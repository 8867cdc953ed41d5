import type { IvrDocument, NodeId } from '../../../../contract/ivr-draft.ts';
import { addKey, changeKey } from '../../../../core/ivr/edit/edit-keys.ts';
import { changeMenu } from '../../../../core/ivr/edit/edit-nodes.ts';
import type { LineStart } from '../canvas/port-handle.ts';

/** Where on a menu's card something was dropped: on one of its ways out, or on the card itself. */
export type MenuSpot = LineStart | { readonly kind: 'card'; readonly menu: NodeId };

/**
 * Gives a menu a recording: its prompt, or what is played after a wrong key or silence where it was dropped on that.
 *
 * Silence has two: the one before the menu begins again takes it too while it is open.
 */
export function giveRecording(document: IvrDocument, spot: MenuSpot, id: string): IvrDocument {
  if (spot.kind === 'caller') return document;
  const menu = document.nodes[spot.menu];
  if (menu?.kind !== 'menu') return document;
  const recording = `recording||${id}`;
  switch (spot.kind) {
    case 'invalid':
      return changeMenu(document, menu.id, { invalid_recording: recording });
    case 'timeout':
      return changeMenu(document, menu.id, {
        timeout_recording: recording,
        timeout_retry_recording: menu.timeout_retry_recording ?? recording,
      });
    case 'card':
    case 'key':
    case 'free-key':
      return changeMenu(document, menu.id, { recording });
  }
}

/** Gives a key an SMS template; anywhere else there is no place for one. A key that is not used yet is added. */
export function giveSmsTemplate(document: IvrDocument, spot: MenuSpot, id: string): IvrDocument {
  switch (spot.kind) {
    case 'key':
      return changeKey(document, spot.menu, spot.index, { sms_template: id });
    case 'free-key': {
      const menu = document.nodes[spot.menu];
      const index = menu?.kind === 'menu' ? menu.keys.length : 0;
      return changeKey(addKey(document, spot.menu, { key: spot.key }), spot.menu, index, {
        sms_template: id,
      });
    }
    case 'caller':
    case 'card':
    case 'invalid':
    case 'timeout':
      return document;
  }
}
