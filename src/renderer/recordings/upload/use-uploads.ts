import { useRef, useState } from 'react';
import { recordingLimitBytes } from '../../../contract/recording.ts';
import { problemText } from '../../../text/connection.ts';
import { recordingsText, uploadText } from '../../../text/recordings.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { readyAudio } from './convert-audio.ts';

/** Where the upload of one file stands. */
export type UploadState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sending' }
  /** `note`: what was done with the file before it was stored. */
  | { readonly kind: 'done'; readonly id: string; readonly note: string | null }
  | { readonly kind: 'refused'; readonly reason: string };

export interface Upload {
  readonly key: number;
  readonly fileName: string;
  readonly state: UploadState;
}

/** Something to upload: its name, and the file when its turn comes. */
export interface Upcoming {
  readonly fileName: string;
  readonly read: () => Promise<Blob>;
}

/**
 * Uploads files one after the other, and keeps what became of each.
 *
 * One that is refused does not hold up the others. What
 * comes while others are under way joins them; after that it begins anew.
 */
export function useUploads() {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const queue = useRef<Promise<void>>(Promise.resolve());
  const lastKey = useRef(0);

  function change(key: number, state: UploadState): void {
    setUploads((all) => all.map((one) => (one.key === key ? { ...one, state } : one)));
  }
  function add(upcoming: readonly Upcoming[]): Promise<void> {
    setUploads((all) => (all.every(isOver) ? [] : all));
    for (const { fileName, read } of upcoming) {
      const key = (lastKey.current += 1);
      setUploads((all) => [...all, { key, fileName, state: { kind: 'waiting' } }]);
      queue.current = queue.current.then(async () => {
        change(key, { kind: 'sending' });
        change(key, await uploadFile(fileName, read));
      });
    }
    return queue.current;
  }
  return {
    uploads,
    add,
    addFiles: (files: readonly File[]) =>
      add(files.map((file) => ({ fileName: file.name, read: () => Promise.resolve(file) }))),
    /** Removes the finished ones. */
    clear: () => setUploads((all) => all.filter((one) => !isOver(one))),
  };
}

function isOver({ state }: Upload): boolean {
  return state.kind === 'done' || state.kind === 'refused';
}

/** Uploads one file. */
export async function uploadFile(
  fileName: string,
  read: () => Promise<Blob>,
): Promise<Extract<UploadState, { kind: 'done' | 'refused' }>> {
  let file: Blob;
  try {
    file = await read();
    // A folder and a file that was taken away meanwhile show only when they are read.
    await file.slice(0, 1).arrayBuffer();
  } catch {
    return { kind: 'refused', reason: uploadText.unreadable };
  }
  if (file.size > recordingLimitBytes) {
    return { kind: 'refused', reason: uploadText.tooLarge(file.size, recordingLimitBytes) };
  }
  const ready = await readyAudio(file);
  if (!ready.ok) return { kind: 'refused', reason: ready.refusal };
  const { body, note } = ready.value;
  const reply = await askPortal('uploadRecording', { query: { name: nameOfFile(fileName) }, body });
  if (reply.kind === 'ok') return { kind: 'done', id: reply.value.id, note };
  const field = reply.kind === 'refused' ? reply.errors?.[0] : undefined;
  return {
    kind: 'refused',
    reason: field === undefined ? problemText(reply, 'recording_added') : field.message,
  };
}

const longest = 100;

/** What a recording is called that comes from a file: the file's own name, as a person would write it. */
export function nameOfFile(fileName: string): string {
  const words = fileName
    .replace(/\.[^.]{1,5}$/, '')
    .replace(/[_\s]+/g, ' ')
    .trim();
  return Array.from(words === '' ? recordingsText.unnamed : words)
    .slice(0, longest)
    .join('')
    .trim();
}
