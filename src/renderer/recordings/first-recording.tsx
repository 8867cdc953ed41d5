import { Button } from '../kit/button.tsx';
import { Card } from '../kit/card.tsx';
import styles from '../kit/first.module.css';
import { UploadButton } from './upload/upload-button.tsx';

/** What to do while there is no recording. */
export function FirstRecording({
  onRecord,
  onFiles,
  onSamples,
}: {
  onRecord: () => void;
  onFiles: (files: readonly File[]) => void;
  onSamples: () => void;
}) {
  return (
    <Card title="Add your first recording">
      <p className={styles['lead']}>
        A recording is what a caller hears: a greeting with the choices, a word on a wrong key, a goodbye.
        Speak it here, or bring a WAV, MP3 or Ogg file; dropping it anywhere on this page does the same.
      </p>
      <div className={styles['buttons']}>
        <Button rank="main" onPress={onRecord}>
          Record…
        </Button>
        <UploadButton onFiles={onFiles} />
        <Button onPress={onSamples}>Add the sample recordings</Button>
      </div>
      <p className={styles['aside']}>
        The samples are four short tones: a greeting chime, a wrong key tone, a waiting tone and a goodbye
        chime.
      </p>
    </Card>
  );
}
