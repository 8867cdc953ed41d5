import type { RecordingView } from '../../../contract/recording.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { type Act, useAct } from '../../kit/use-act.ts';
import { encodeWav } from '../sound/encode-wav.ts';
import type { Sound } from '../sound/sound.ts';

/** Saves a changed sound in the place of a recording's, or as a new recording. Each answers whether it was saved. */
export function useSaveSound({ id }: RecordingView): {
  readonly act: Act;
  readonly replace: (sound: Sound) => Promise<boolean>;
  readonly saveNew: (sound: Sound, name: string) => Promise<boolean>;
} {
  const act = useAct();
  const fileOf = (sound: Sound): Blob => new Blob([encodeWav(sound)], { type: 'audio/wav' });
  return {
    act,
    replace: async (sound) => {
      const ask = () => askPortal('replaceRecording', { params: { id }, body: fileOf(sound) });
      return (await act.run('replace', ask, 'it was replaced')) !== null;
    },
    saveNew: async (sound, name) => {
      const ask = () => askPortal('uploadRecording', { query: { name }, body: fileOf(sound) });
      return (await act.run('new', ask, 'it was saved')) !== null;
    },
  };
}
