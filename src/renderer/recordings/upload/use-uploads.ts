import { useRef, useState } from 'react';
import { type AudioRefusal, recordingLimitBytes } from '../../../contract/menu/recording.ts';
import { problemText } from '../../../text/window/connection.ts';
import {
  audioRefusalText,
  convertedText,
  recordingsText,
  undecodableText,
  uploadText,
} from '../../../text/menu/recordings-text.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { readAudio } from '../../../core/recording/read-audio.ts';
import { done, refused, type Result } from '../../../core/result.ts';
import { holdFile, SoundThreadFailed, startSoundThread } from '../sound/start-sound-thread.ts';

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

/** What is sent of a file, and what a person is told when that, or what is stored of it, is not the file itself. */
interface ReadyAudio {
  readonly body: Blob;
  readonly note: string | null;
}

/**
 * A file as the service takes it, or why it cannot be uploaded.
 *
 * What the service does not read, such as m4a and FLAC, a browser often decodes; then a WAV file is sent. What neither can read is
 * refused here by its name.
 */
// see decisions/audio.md
async function readyAudio(file: Blob): Promise<Result<ReadyAudio, string>> {
  const read = readAudio(new Uint8Array(await file.arrayBuffer()));
  if (read.ok) {
    const { wav } = read.value;
    const isConverted = wav !== undefined && !wav.isPlain;
    return done({ body: file, note: isConverted ? convertedText({ codec: wav.codec }) : null });
  }
  if (!isWorthDecoding(read.refusal)) return refused(audioRefusalText(read.refusal));
  const body = await decodedFile(file);
  if (body === null) return refused(undecodableText(read.refusal));
  if (body.size > recordingLimitBytes)
    return refused(audioRefusalText({ code: 'too_long', bytes: body.size }));
  return done({ body, note: convertedText(read.refusal) });
}

/** Not what is damaged or empty: it would be no better. */
function isWorthDecoding({ code }: AudioRefusal): boolean {
  return code === 'other_format' || code === 'wav_codec' || code === 'ogg_codec' || code === 'unknown';
}

/** As a WAV file of one channel; null when this browser cannot decode it. */
async function decodedFile(file: Blob): Promise<Blob | null> {
  try {
    const first = await encodedAt(file, await durationOf(file));
    // Its duration was not known, and it is too long for so many samples a second.
    return first.wav.size > recordingLimitBytes ? (await encodedAt(file, first.durationMs)).wav : first.wav;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'EncodingError') return null;
    if (error instanceof SoundThreadFailed) return null;
    throw error;
  }
}

async function encodedAt(
  file: Blob,
  durationMs: number | null,
): Promise<{ readonly wav: Blob; readonly durationMs: number }> {
  const thread = await startSoundThread();
  try {
    const { all, outline } = await holdFile(thread, await file.arrayBuffer(), durationMs);
    return { wav: (await thread.cut(all, 'own')).file, durationMs: outline.lengthMs };
  } finally {
    thread.end();
  }
}

/** As a player finds it; null when it does not, or when the file does not say so. */
function durationOf(file: Blob): Promise<number | null> {
  const address = URL.createObjectURL(file);
  const audio = new Audio();
  return new Promise((resolve) => {
    const end = (durationMs: number | null): void => {
      audio.removeAttribute('src');
      URL.revokeObjectURL(address);
      resolve(durationMs);
    };
    audio.addEventListener('error', () => end(null), { once: true });
    audio.addEventListener(
      'loadedmetadata',
      () => end(Number.isFinite(audio.duration) ? audio.duration * 1000 : null),
      { once: true },
    );
    audio.preload = 'metadata';
    audio.src = address;
  });
}
