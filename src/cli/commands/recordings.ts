import { Argument, type Command, Option } from 'commander';
import { writeFile } from 'node:fs/promises';
import { recordingAudioPath } from '../../contract/address.ts';
import { recordingLimitBytes, RenameRecording, UploadRecording } from '../../contract/recording.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { download } from '../download.ts';
import { formatTable } from '../format-table.ts';
import { valueOf } from '../option-values.ts';
import { openPortal } from '../portal.ts';
import { readFileBytes } from '../read-file-bytes.ts';
import { print, printDocument, printJson, refuseTerminal, say } from '../terminal.ts';

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

type AddOptions = GlobalOptions & UploadRecording & { readonly json?: true };

export function recordingAddCommand(recording: Command): void {
  addCommand(recording, 'add', {
    description: 'Keep an audio file (WAV, MP3 or Ogg) as a recording that menus can play. Prints its id.',
    examples: ['rotavox recording add welcome.wav --name "Welcome" --id welcome'],
  })
    .argument('<file>', 'the file, or - for stdin')
    .addOption(
      new Option('--name <name>', 'what it is called')
        .argParser(valueOf(UploadRecording.shape.name))
        .makeOptionMandatory(),
    )
    .option(
      '--id <id>',
      'what stands behind recording|| in a menu (default: a new one)',
      valueOf(UploadRecording.shape.id.unwrap()),
    )
    .option(...jsonOption)
    .action(async (file: string, _options, command: Command) => {
      const options = command.optsWithGlobals<AddOptions>();
      const body = await readFileBytes(file, recordingLimitBytes);
      const added = await openPortal(options).ask('uploadRecording', {
        query: { name: options.name, ...(options.id === undefined ? {} : { id: options.id }) },
        body,
      });
      if (options.json) {
        printJson(added);
        return;
      }
      print(added.id);
      say(`${added.name} is kept. A menu plays it as recording||${added.id}.`);
    });
}

export function recordingRenameCommand(recording: Command): void {
  addCommand(recording, 'rename', {
    description: 'Change the name of a recording; its id stays.',
    examples: ['rotavox recording rename welcome "Welcome, in summer"'],
  })
    .argument('<id>', "the recording's id, as `rotavox recording list` shows it")
    .addArgument(new Argument('<name>', 'what it is called').argParser(valueOf(RenameRecording.shape.name)))
    .action(async (id: string, name: string, _options, command: Command) => {
      const portal = openPortal(command.optsWithGlobals<GlobalOptions>());
      const renamed = await portal.ask('renameRecording', { params: { id }, body: { name } });
      say(`Recording ${renamed.id} is ${renamed.name}.`);
    });
}

export function recordingSaveCommand(recording: Command): void {
  addCommand(recording, 'save', {
    description: 'Write the audio of a recording to a new file.',
    examples: ['rotavox recording save welcome welcome.wav'],
  })
    .argument('<id>', "the recording's id, as `rotavox recording list` shows it")
    .argument('<file>', 'the file, which must not be there yet, or - for stdout')
    .action(async (id: string, file: string, _options, command: Command) => {
      if (file === '-') refuseTerminal('Audio');
      const audio = await download(command.optsWithGlobals<GlobalOptions>(), recordingAudioPath(id));
      if (file === '-') {
        printDocument(audio);
        return;
      }
      await writeFile(file, audio, { flag: 'wx' }).catch((cause: unknown) => {
        const { code = 'unknown' } = cause as NodeJS.ErrnoException;
        const why = code === 'EEXIST' ? 'it is there already; name another, or remove it first' : code;
        throw new CommandFailure(exitCodes.failed, `${file} was not written: ${why}.`, { cause });
      });
      say(`Written: ${file} (${audio.length} bytes).`);
    });
}

export function recordingRemoveCommand(recording: Command): void {
  addCommand(recording, 'remove', {
    description: 'Remove a recording that no stored menu and no draft plays.',
    examples: ['rotavox recording remove welcome'],
  })
    .argument('<id>', "the recording's id, as `rotavox recording list` shows it")
    .action(async (id: string, _options, command: Command) => {
      const portal = openPortal(command.optsWithGlobals<GlobalOptions>());
      const removed = await portal.ask('removeRecording', { params: { id } });
      say(`Recording ${removed.id} is removed.`);
    });
}
