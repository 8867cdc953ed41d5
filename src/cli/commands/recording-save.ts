import type { Command } from 'commander';
import { writeFile } from 'node:fs/promises';
import { recordingAudioPath } from '../../contract/address.ts';
import { addCommand } from '../add-command.ts';
import { CommandFailure } from '../command-failure.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { download } from '../download.ts';
import { exitCodes } from '../exit-codes.ts';
import { printDocument, refuseTerminal, say } from '../terminal.ts';

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
