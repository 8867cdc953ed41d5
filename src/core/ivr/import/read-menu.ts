import type { FoundMenu } from './find-menus.ts';
import type { ImportNotes } from './import-notes.ts';
import type { ImportedMenu } from './imported-menu.ts';
import { MenuReader } from './menu-reader.ts';
import { readKeys } from './read-keys.ts';

/** Reads a menu in all forms of the body (spec 2.3) and of the platform's `GET /v1/ivrs`, field by field. */
export function readMenu(found: FoundMenu, notes: ImportNotes): ImportedMenu {
  const reader = new MenuReader(found, notes);
  const name = reader.text('name');
  if (name === null) reader.warn('name', 'is missing, so it stays open.');
  const menu: ImportedMenu = {
    storedAs: reader.text('id', 'ivr_id', '_id'),
    name: name ?? '',
    description: reader.text('description') ?? '',
    recording: reader.recording('recording'),
    timeout: reader.count('timeout'),
    keys: readKeys(reader),
    incorrect_count: reader.count('incorrect_count', 'invalid_retries'),
    invalid_recording: reader.recording('invalid_recording', 'recording_invalid'),
    invalid_destination: reader.target('invalid_destination'),
    timeout_retry_recording: reader.recording('timeout_retry_recording'),
    timeout_recording: reader.recording('timeout_recording'),
    timeout_destination: reader.target('timeout_destination'),
    timeout_tries: reader.count('timeout_tries', 'timeout_retries'),
  };
  reader.leaveOutTheRest();
  return menu;
}
