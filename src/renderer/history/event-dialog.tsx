import { useEffect, useRef, useState, useSyncExternalStore } from 'react';

import { resultOfEvent } from '../../core/history/result-of-event.ts';
import { Button } from '../kit/button.tsx';
import { CodeBlock } from '../kit/code-block.tsx';
import { Dialog, DialogButtons } from '../kit/dialog.tsx';
import { problemWords } from '../kit/problem-words.ts';
import { EventDetails } from './event-details.tsx';
import styles from './event-dialog.module.css';
import type { EventReader } from './event-reader.ts';
import { kindWords } from './event-words.ts';
import { useKnownEvent } from './use-event.ts';

const resultWords = { ok: 'OK', attention: 'Needs attention', failed: 'Failed' } as const;

/** Everything that one event says, for a person and as JSON, and the way to the events beside it. */
export function EventDialog({
  reader,
  seq,
  newer,
  older,
  onMove,
  onClose,
}: {
  reader: EventReader;
  seq: number;
  /** The events beside it in the list. */
  newer: number | undefined;
  older: number | undefined;
  onMove: (seq: number) => void;
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const known = useKnownEvent(reader, seq);
  const problem = useSyncExternalStore(reader.subscribe, reader.problem);
  const [asked, setAsked] = useState<number>();
  useEffect(() => {
    void reader.readOne(seq).then(() => setAsked(seq));
  }, [reader, seq]);

  return (
    <Dialog
      ref={ref}
      title={known === undefined ? `Event ${seq.toLocaleString()}` : kindWords(known.event.kind)}
      mayClose={() => true}
      onClose={onClose}
    >
      <div className={styles['event']}>
        {known === undefined ? (
          <p className={styles['asking']}>
            {asked !== seq
              ? 'Reading this event …'
              : problem === undefined
                ? 'There is no event with this number.'
                : problemWords(problem)}
          </p>
        ) : (
          <>
            <EventDetails known={known} result={resultWords[resultOfEvent(known.event.kind)]} />
            <CodeBlock text={JSON.stringify(known.event, null, 2)} what="the event as JSON" />
          </>
        )}
      </div>
      <DialogButtons>
        <div className={styles['ways']}>
          {newer === undefined ? null : <Button onPress={() => onMove(newer)}>Newer</Button>}
          {older === undefined ? null : <Button onPress={() => onMove(older)}>Older</Button>}
        </div>
        <Button rank="main" onPress={() => ref.current?.close()}>
          Close
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
