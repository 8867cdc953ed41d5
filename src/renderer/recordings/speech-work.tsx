import { useEffect, useId, useRef, useState } from 'react';
import type { RecordingView, SpeakingJob, SpeechStatus } from '../../contract/menu/recording.ts';
import { countChanges, speechWorkText as text } from '../../text/menu/speech-window.ts';
import { speechProblemText } from '../../text/menu/speech-text.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { ActionButton, Button } from '../kit/button.tsx';
import cardStyles from '../kit/card.module.css';
import { Consequences, QuestionDialog } from '../kit/dialog.tsx';
import { FieldError } from '../kit/field.tsx';
import { Icon } from '../kit/icon.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import type { Resource } from '../kit/live/resource.ts';
import { useLive } from '../kit/live/use-live.ts';
import { setSearch } from '../kit/navigation.ts';
import { Text } from '../kit/text.tsx';
import { isBusyWith, useAct } from '../kit/use-act.ts';
import { ListenButton } from './listen-button.tsx';
import styles from './recordings.module.css';

/** How many prompts have no recording, how many recordings have changed, and how far speaking them is. */
const speechStatus: Resource<SpeechStatus> = {
  key: ['speech'],
  about: ['speech', 'pronunciation', 'recording.', 'ivr.', 'draft.', 'settings.'],
  read: (signal) => askPortal('readSpeech', { query: { failures: 'first' }, signal }),
};

/** What there is to speak, the way to have all of it spoken, how far that is, and what failed. Nothing where there is nothing to do. */
export function SpeechWork({ recordings }: { recordings: readonly RecordingView[] }) {
  const status = useLive(speechStatus).known?.value;
  const act = useAct();
  const id = useId();
  const [closed, setClosed] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const stopRef = useRef<HTMLButtonElement>(null);
  const sectionRef = useRef<HTMLElement>(null);
  /** It was begun here: the button that did it has gone. */
  const isOurs = useRef(false);
  const job = status?.job ?? null;
  const isRunning = job?.status === 'running';

  useEffect(() => {
    if (!isOurs.current) return;
    if (isRunning) stopRef.current?.focus();
    else if (document.activeElement === document.body) sectionRef.current?.focus();
    isOurs.current = isRunning;
  }, [isRunning]);

  if (status === undefined) return null;
  const { missing, changed } = status;
  const isTold = job !== null && !isRunning && closed !== job.started_at;
  if (missing === 0 && changed === 0 && !isRunning && !isTold) return null;

  function begin(what: SpeakingJob['what']) {
    isOurs.current = true;
    return askPortal('speakAll', { body: { what } });
  }
  return (
    <section ref={sectionRef} className={cardStyles['card']} aria-labelledby={id} tabIndex={-1}>
      <Stack gap={3}>
        <Text as="h2" id={id} size="normal" weight="bold">
          {text.title}
        </Text>
        {isRunning ? (
          <Running
            job={job}
            stopRef={stopRef}
            onStop={() => void act.run('stop', () => askPortal('stopSpeakingAll', {}), 'speaking_stopped')}
          />
        ) : (
          <>
            {isTold ? <Ended job={job} onClose={() => setClosed(job.started_at)} /> : null}
            {missing === 0 ? null : (
              <Row gap={3} wraps align="center" justify="between">
                <Text>{text.missing(missing)}</Text>
                <Button onPress={() => void act.run('missing', () => begin('missing'), 'speaking_begun')}>
                  {text.speakMissing(missing)}
                </Button>
              </Row>
            )}
            {changed === 0 ? null : (
              <Row gap={3} wraps align="center" justify="between">
                <Text>{text.changed(changed, countChanges(recordings))}</Text>
                <Row gap={2} wraps>
                  <Button onPress={() => setSearch({ kind: 'changed' })}>{text.show}</Button>
                  <Button onPress={() => setAsking(true)}>{text.speakChanged(changed)}</Button>
                </Row>
              </Row>
            )}
          </>
        )}
        <FieldError id={`${id}-error`} error={act.refusal} />
      </Stack>
      {isAsking ? (
        <QuestionDialog
          title={text.again.title(changed)}
          cancel={text.again.cancel}
          verb={text.again.verb}
          ask={() => begin('changed')}
          change="speaking_begun"
          onClose={() => setAsking(false)}
        >
          <Consequences of={text.again.consequences} />
        </QuestionDialog>
      ) : null}
    </section>
  );
}

function Running({
  job: { done, failed, total, current },
  stopRef,
  onStop,
}: {
  job: SpeakingJob;
  stopRef: React.RefObject<HTMLButtonElement | null>;
  onStop: () => void;
}) {
  const over = done + failed;
  return (
    <>
      <Row gap={3} wraps align="center" justify="between">
        <Text role="status" isTabular>
          {text.running(over, total, failed)}
        </Text>
        <Button ref={stopRef} onPress={onStop}>
          {text.stop}
        </Button>
      </Row>
      <progress className={styles['progress']} aria-label={text.title} max={total} value={over} />
      <Text tone="soft" size="small" isCut>
        {current}
      </Text>
    </>
  );
}

/** What came of it, with each text that was not spoken and why. */
function Ended({ job, onClose }: { job: SpeakingJob; onClose: () => void }) {
  const [all, setAll] = useState<SpeakingJob['failures'] | null>(null);
  const act = useAct();
  const id = useId();
  const failures = all ?? job.failures;
  async function showAll(): Promise<void> {
    const read = await act.run('all', () => askPortal('readSpeech', {}));
    if (read !== null) setAll(read.value.job?.failures ?? null);
  }
  return (
    <>
      <Row gap={3} align="center" justify="between">
        <Text role="status" weight="strong">
          {text.ended(job)}
        </Text>
        <Button onPress={onClose}>{text.close}</Button>
      </Row>
      {job.interrupted === null ? null : (
        <Text tone="bad" breaks>
          {job.interrupted}
        </Text>
      )}
      {failures.length === 0 ? null : (
        <Stack as="ul" gap={2} aria-label={text.failed}>
          {failures.map((failure) => (
            <Failure key={`${failure.text} ${JSON.stringify(failure.speech)}`} failure={failure} />
          ))}
        </Stack>
      )}
      {failures.length >= job.failed ? null : (
        <Row gap={2}>
          <Button onPress={() => void showAll()}>{text.showAll(job.failed)}</Button>
        </Row>
      )}
      <FieldError id={`${id}-error`} error={act.refusal} />
    </>
  );
}

/** A text that was not spoken. Of an odd sound a person decides: it is heard, and can be used all the same. */
function Failure({
  failure: { text: words, problem, speech },
}: {
  failure: SpeakingJob['failures'][number];
}) {
  const id = useId();
  const act = useAct();
  const isOdd = problem.kind === 'engine_failed' && problem.reason === 'implausible';
  const as = { language: speech?.language ?? null, voice: speech?.voice ?? null };
  const [isUsed, setUsed] = useState(false);

  async function use(): Promise<void> {
    const body = { text: words, as_it_is: true, ...speech } as const;
    const ask = () => askPortal('speakRecording', { body });
    if ((await act.run('use', ask, 'recording_added')) !== null) setUsed(true);
  }
  return (
    <Stack as="li" gap={1} align="start">
      <Text tone="bad" size="medium" breaks>
        <Icon name="alert" />{' '}
        <Text as="span" tone="plain" weight="strong">
          {words}:
        </Text>{' '}
        {speechProblemText(problem)}
      </Text>
      {isOdd ? (
        <Row gap={3} wraps align="center">
          <ListenButton
            heard={{ text: words, ...as, asItIs: true }}
            about={words}
            words={text.listenToThis}
            errorId={`${id}-listen`}
          />
          <ActionButton about={words} isBusy={isBusyWith(act, 'use')} onPress={() => void use()}>
            {isUsed ? text.used : text.use}
          </ActionButton>
          <FieldError id={`${id}-use`} error={act.refusal} />
        </Row>
      ) : null}
    </Stack>
  );
}
