import { Icon } from '../kit/icon.tsx';
import { Text } from '../kit/text.tsx';
import styles from './answer-line.module.css';

/** What came of a press, said beside the button and read out. Its place is always there, or it could not be heard. */
export function AnswerLine({
  tone = 'calm',
  words,
}: {
  tone?: 'calm' | 'good' | 'bad';
  words: string | null;
}) {
  return (
    <Text
      tone={tone === 'bad' ? 'bad' : 'soft'}
      size="small"
      breaks
      className={styles['answer']}
      data-tone={tone}
      role="status"
    >
      {words === null ? null : (
        <>
          {tone === 'calm' ? null : <Icon name={tone === 'good' ? 'tick' : 'alert'} />}
          <span>{words}</span>
        </>
      )}
    </Text>
  );
}
