import { useRef } from 'react';

import { Button } from '../../kit/button.tsx';

/** Asks for audio files. What they are is found out by the service, not by their names. */
export function UploadButton({
  rank = 'plain',
  onFiles,
}: {
  rank?: 'main' | 'plain';
  onFiles: (files: readonly File[]) => void;
}) {
  const inputRef = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button rank={rank} onPress={() => inputRef.current?.click()}>
        Upload…
      </Button>
      <input
        ref={inputRef}
        type="file"
        hidden
        multiple
        accept="audio/*,.wav,.mp3,.ogg,.oga,.opus"
        aria-label="Audio files"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = ''; // the same file can be chosen again
        }}
      />
    </>
  );
}
