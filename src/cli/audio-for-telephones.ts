import { recordingAudioPath } from '../contract/address.ts';
import { speechPreview } from '../contract/downloads.ts';
import { type Recording, recordingLimitBytes, type SpeakText } from '../contract/menu/recording.ts';
import type { GlobalOptions } from './chosen-data-dir.ts';
import { CommandFailure } from './command-failure.ts';
import { download, openDownload } from './download.ts';
import { say } from './terminal.ts';

/**
 * What callers hear for a prompt, converted by what converts it for calls: its recording, or the speech of a text that has none yet.
 *
 * Null where there is neither, or none that can be read. Why a text cannot be spoken is said on stderr.
 */
export async function audioForTelephones(
  options: GlobalOptions,
  recording: Pick<Recording, 'id' | 'format'> | null,
  asked: SpeakText | null,
): Promise<Uint8Array | null> {
  const { telephoneWav } = await import('../calls/prompt-audio.ts');
  if (recording !== null) {
    const file = await download(options, recordingAudioPath(recording.id), recordingLimitBytes);
    return telephoneWav(file, recording.format);
  }
  const speech = asked === null ? null : await speechOf(options, asked);
  return speech === null ? null : telephoneWav(speech, 'wav');
}

async function speechOf(options: GlobalOptions, asked: SpeakText): Promise<Uint8Array | null> {
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await openDownload(options, speechPreview.path, asked)) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    say(...error.lines);
    return null;
  }
}
