import goodbyeChime from '../../../resources/recordings/goodbye-chime.wav?url';
import greetingChime from '../../../resources/recordings/greeting-chime.wav?url';
import waitingTone from '../../../resources/recordings/waiting-tone.wav?url';
import wrongKeyTone from '../../../resources/recordings/wrong-key-tone.wav?url';
import type { Upcoming } from './upload/use-uploads.ts';

/** Something to begin with: four tones that the service can be given like files of the person's own. */
export const sampleRecordings: readonly Upcoming[] = [
  sample('Greeting chime', greetingChime),
  sample('Wrong key tone', wrongKeyTone),
  sample('Waiting tone', waitingTone),
  sample('Goodbye chime', goodbyeChime),
];

function sample(name: string, address: string): Upcoming {
  return {
    fileName: `${name}.wav`,
    read: async () => {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(`The sample “${name}” is not there (${answer.status}).`);
      return answer.blob();
    },
  };
}
