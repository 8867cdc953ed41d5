import type { RecordingView } from '../../../contract/recording.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { type Act, useAct } from '../../kit/use-act.ts';
import type { PortalReply } from '../../kit/portal-reply.ts';
import { SoundThreadFailed } from '../sound/start-sound-thread.ts';
import { threadFailedWords } from './use-held-sound.ts';

/** Saves a changed sound in the place of a recording's, or as a new recording. Each has the file made, and answers whether it was saved. */
export function useSaveSound({ id }: RecordingView): {
  readonly act: Act;
  readonly replace: (file: () => Promise<Blob>) => Promise<boolean>;
  readonly saveNew: (file: () => Promise<Blob>, name: string) => Promise<boolean>;
} {
  const act = useAct();
  return {
    act,
    replace: async (file) => {
      const ask = () => sent(file, (body) => askPortal('replaceRecording', { params: { id }, body }));
      return (await act.run('replace', ask, 'it was replaced')) !== null;
    },
    saveNew: async (file, name) => {
      const ask = () => sent(file, (body) => askPortal('uploadRecording', { query: { name }, body }));
      return (await act.run('new', ask, 'it was saved')) !== null;
    },
  };
}

async function sent<T>(
  file: () => Promise<Blob>,
  send: (body: Blob) => Promise<PortalReply<T>>,
): Promise<PortalReply<T>> {
  let body: Blob;
  try {
    body = await file();
  } catch (error) {
    if (error instanceof SoundThreadFailed) return { kind: 'refused', reason: threadFailedWords };
    throw error;
  }
  return send(body);
}
