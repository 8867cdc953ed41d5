import { type Command, Option } from 'commander';
import { recordingLimitBytes, UploadRecording } from '../../contract/recording.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { valueOf } from '../option-values.ts';
import { openPortal } from '../portal.ts';
import { readFileBytes } from '../read-file-bytes.ts';
import { print, printJson, say } from '../terminal.ts';

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
