import { Argument, type Command, Option } from 'commander';
import { writeFile } from 'node:fs/promises';
import { recordingAudioPath } from '../../contract/address.ts';
import { recordingLimitBytes, RenameRecording, UploadRecording } from '../../contract/recording.ts';
import {
  recordingHelp,
  recordingListHead,
  recordingListRow,
  recordingText,
} from '../../text/cli-directories.ts';
import { optionHelp } from '../../text/cli.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { download } from '../download.ts';
import { formatTable } from '../format-table.ts';
import { valueOf } from '../option-values.ts';
import { openPortal } from '../open-portal.ts';
import { readFileBytes } from '../read-file-bytes.ts';
import { print, printDocument, printJson, refuseTerminal, say } from '../terminal.ts';

export function recordingListCommand(recording: Command): void {
  addCommand(recording, 'list', recordingHelp.list)
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const list = await openPortal(options).ask('listRecordings');
      if (options.json) {
        printJson(list);
        return;
      }
      if (list.recordings.length === 0) {
        say(recordingText.none);
        return;
      }
      for (const line of formatTable(list.recordings.map(recordingListRow), recordingListHead)) print(line);
    });
}

type AddOptions = GlobalOptions & UploadRecording & { readonly json?: true };

export function recordingAddCommand(recording: Command): void {
  addCommand(recording, 'add', recordingHelp.add)
    .argument('<file>', optionHelp.inputFile)
    .addOption(
      new Option('--name <name>', recordingHelp.name)
        .argParser(valueOf(UploadRecording.shape.name))
        .makeOptionMandatory(),
    )
    .option('--id <id>', recordingHelp.add.id, valueOf(UploadRecording.shape.id.unwrap()))
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
      say(recordingText.added(added));
      // What was in front of an MP3 file is nobody's audio.
      if (added.format === 'wav' && added.bytes !== body.length) say(recordingText.converted);
    });
}

export function recordingRenameCommand(recording: Command): void {
  addCommand(recording, 'rename', recordingHelp.rename)
    .argument('<id>', recordingHelp.id)
    .addArgument(new Argument('<name>', recordingHelp.name).argParser(valueOf(RenameRecording.shape.name)))
    .action(async (id: string, name: string, _options, command: Command) => {
      const portal = openPortal(command.optsWithGlobals<GlobalOptions>());
      const renamed = await portal.ask('renameRecording', { params: { id }, body: { name } });
      say(recordingText.renamed(renamed));
    });
}

export function recordingSaveCommand(recording: Command): void {
  addCommand(recording, 'save', recordingHelp.save)
    .argument('<id>', recordingHelp.id)
    .argument('<file>', recordingHelp.save.file)
    .action(async (id: string, file: string, _options, command: Command) => {
      if (file === '-') refuseTerminal(recordingText.audio);
      const options = command.optsWithGlobals<GlobalOptions>();
      const audio = await download(options, recordingAudioPath(id), recordingLimitBytes);
      if (file === '-') {
        printDocument(audio);
        return;
      }
      await writeFile(file, audio, { flag: 'wx' }).catch((cause: unknown) => {
        const { code = 'unknown' } = cause as NodeJS.ErrnoException;
        throw new CommandFailure(exitCodes.failed, recordingText.notSaved(file, code), { cause });
      });
      say(recordingText.saved(file, audio.length));
    });
}

export function recordingRemoveCommand(recording: Command): void {
  addCommand(recording, 'remove', recordingHelp.remove)
    .argument('<id>', recordingHelp.id)
    .action(async (id: string, _options, command: Command) => {
      const portal = openPortal(command.optsWithGlobals<GlobalOptions>());
      const removed = await portal.ask('removeRecording', { params: { id } });
      say(recordingText.removed(removed.id));
    });
}
