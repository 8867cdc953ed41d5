import { type Ref, useRef } from 'react';
import { Row, Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { recordingsText, uploadsText, uploadText } from '../../../text/menu/recordings-text.ts';
import cardStyles from '../../kit/card.module.css';
import { Button } from '../../kit/button.tsx';
import { Icon } from '../../kit/icon.tsx';
import styles from '../recordings.module.css';
import type { Upload, UploadState } from './use-uploads.ts';

/** How far the uploads are, which were converted, and why some were refused. The others only show in the list below. */
export function UploadList({ uploads, onClear }: { uploads: readonly Upload[]; onClear: () => void }) {
  const over = uploads.filter(({ state }) => state.kind === 'done' || state.kind === 'refused');
  const refused = uploads.filter(({ state }) => state.kind === 'refused');
  const told = over.filter(
    ({ state }) => state.kind === 'refused' || (state.kind === 'done' && state.note !== null),
  );
  const isOver = over.length === uploads.length;
  return (
    <section className={cardStyles['card']} aria-label={uploadText.title} hidden={uploads.length === 0}>
      <Stack gap={3}>
        <Row gap={4} align="center" justify="between">
          <Text role="status" weight="strong" isTabular>
            {uploads.length === 0 ? null : uploadsText(uploads.length, over.length, refused.length)}
          </Text>
          {isOver ? <Button onPress={onClear}>{recordingsText.close}</Button> : null}
        </Row>
        {isOver ? null : (
          <progress
            className={styles['progress']}
            aria-label={uploadText.title}
            max={uploads.length}
            value={over.length}
          />
        )}
        {told.length === 0 ? null : (
          <Stack as="ul" gap={2}>
            {told.map(({ key, fileName, state }) => (
              <Text as="li" key={key} tone={state.kind === 'refused' ? 'bad' : 'soft'} size="medium" breaks>
                {state.kind === 'refused' ? (
                  <>
                    <Icon name="alert" />{' '}
                  </>
                ) : null}
                <Text as="span" tone="plain" weight="strong">
                  {fileName}:
                </Text>{' '}
                {stateText(state)}
              </Text>
            ))}
          </Stack>
        )}
      </Stack>
    </section>
  );
}

/** What is said about an upload that is over; null: nothing. */
function stateText(state: UploadState): string | null {
  if (state.kind === 'refused') return state.reason;
  return state.kind === 'done' ? state.note : null;
}

/** What a file dialog offers. */
export const audioFiles = 'audio/*,.wav,.mp3,.ogg,.oga,.opus,.m4a,.flac,.webm,.aiff,.aif';

/** Asks for audio files. What they are is found out from their content, not from their names. */
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
        {recordingsText.upload}
      </Button>
      <UploadInput ref={inputRef} onFiles={onFiles} />
    </>
  );
}

/** What a press of a button that uploads clicks. */
export function UploadInput({
  ref,
  onFiles,
}: {
  ref: Ref<HTMLInputElement>;
  onFiles: (files: readonly File[]) => void;
}) {
  return (
    <input
      ref={ref}
      type="file"
      hidden
      multiple
      accept={audioFiles}
      aria-label={recordingsText.files}
      onChange={({ currentTarget }) => {
        onFiles([...(currentTarget.files ?? [])]);
        currentTarget.value = ''; // the same file can be chosen again
      }}
    />
  );
}
