import type { Command } from 'commander';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { formatTable } from '../format-table.ts';
import { openPortal } from '../portal.ts';
import { print, printJson, say } from '../terminal.ts';

export function recordingListCommand(recording: Command): void {
  addCommand(recording, 'list', {
    description: 'List the recordings, how long each is and where it is played.',
    examples: ['rotavox recording list', 'rotavox recording list --json'],
  })
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const list = await openPortal(options).ask('listRecordings');
      if (options.json) {
        printJson(list);
        return;
      }
      if (list.recordings.length === 0) {
        say('There is no recording. Add one with `rotavox recording add FILE --name NAME`.');
        return;
      }
      const rows = list.recordings.map(
        ({ id, format, bytes, duration_ms: durationMs, name, used_by: uses }) => [
          id,
          format,
          `${Math.ceil(bytes / 1024)} KiB`,
          durationMs === null ? '?' : `${(durationMs / 1000).toFixed(1)} s`,
          name,
          uses.map((use) => `${use.name} (${use.field})`).join(', ') || 'nowhere',
        ],
      );
      for (const line of formatTable(rows, ['id', 'format', 'size', 'length', 'name', 'played in']))
        print(line);
    });
}
