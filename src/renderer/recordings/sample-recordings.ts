import goodbyeChime from '../../../resources/recordings/goodbye-chime.wav?url';
import greetingChime from '../../../resources/recordings/greeting-chime.wav?url';
import waitingTone from '../../../resources/recordings/waiting-tone.wav?url';
import wrongKeyTone from '../../../resources/recordings/wrong-key-tone.wav?url';
import { recordingsText } from '../../text/recordings.ts';
import type { Upcoming } from './upload/use-uploads.ts';

const { samples } = recordingsText;

/** Four tones to start with, uploaded like files of the user. */
export const sampleRecordings: readonly Upcoming[] = [
  sample(samples.greeting, greetingChime),
  sample(samples.wrongKey, wrongKeyTone),
  sample(samples.waiting, waitingTone),
  sample(samples.goodbye, goodbyeChime),
];

function sample(name: string, address: string): Upcoming {
  return {
    fileName: `${name}.wav`,
    read: async () => {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(answer.statusText);
      return answer.blob();
    },
  };
}
