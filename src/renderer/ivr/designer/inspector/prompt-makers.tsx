import { lazy, Suspense, useRef, useState } from 'react';
import { recordingText as text } from '../../../../text/designer-inspector.ts';
import { audioFiles } from '../../../recordings/upload/upload-list.tsx';
import { uploadFile } from '../../../recordings/upload/use-uploads.ts';
import { SmallButton } from '../small-button.tsx';

const RecordDialog = lazy(async () => ({
  default: (await import('../../../recordings/microphone/record-dialog.tsx')).RecordDialog,
}));

/** Where the upload of a prompt stands, as the field shows it. */
export type PromptUpload =
  | { readonly kind: 'idle'; /** What was done with the file. */ readonly note: string | null }
  | { readonly kind: 'sending' }
  | { readonly kind: 'refused'; readonly reason: string };

/** Records or uploads a prompt where it is needed; the new recording is chosen. */
export function PromptMakers({
  label,
  onMade,
  onUpload,
}: {
  label: string;
  onMade: (id: string) => void;
  onUpload: (state: PromptUpload) => void;
}) {
  const [isRecording, setRecording] = useState(false);
  const inputRef = useRef<HTMLInputElement>(null);

  async function upload(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    onUpload({ kind: 'sending' });
    const state = await uploadFile(file.name, () => Promise.resolve(file));
    if (state.kind === 'refused') {
      onUpload(state);
      return;
    }
    onUpload({ kind: 'idle', note: state.note });
    onMade(state.id);
  }

  return (
    <>
      <SmallButton name={text.recordFor(label)} icon="microphone" onPress={() => setRecording(true)} />
      <SmallButton name={text.uploadFor(label)} icon="upload" onPress={() => inputRef.current?.click()} />
      <input
        ref={inputRef}
        type="file"
        hidden
        accept={audioFiles}
        aria-label={text.fileFor(label)}
        onChange={({ currentTarget }) => {
          void upload(currentTarget.files?.[0]);
          currentTarget.value = ''; // the same file can be chosen again
        }}
      />
      {isRecording ? (
        <Suspense>
          <RecordDialog onSaved={onMade} onClose={() => setRecording(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
