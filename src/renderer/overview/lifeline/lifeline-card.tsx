import { useId, useRef } from 'react';

import type { Lifeline } from '../../../contract/lifeline.ts';
import { Button } from '../../kit/button.tsx';
import { useShortcut } from '../../kit/keys/use-shortcut.ts';
import { setSearch, useSearch } from '../../kit/navigation.ts';
import { useMinute } from '../../kit/use-minute.ts';
import { Legend } from './legend.tsx';
import styles from './lifeline-card.module.css';
import { LifelinePicture, type PictureHandle } from './lifeline-picture.tsx';
import { SpanChoice } from './span-choice.tsx';
import { defaultSpan, type Span, spans } from './time-scale.ts';

/** The picture of everything in time: what each value lived, and what will happen to it. */
export function LifelineCard({
  lifeline,
  empty,
}: {
  lifeline: Lifeline | undefined;
  empty: React.ReactNode;
}) {
  const titleId = useId();
  const picture = useRef<PictureHandle>(null);
  const nowMs = useMinute();
  const [span, setSpan] = useSpan();
  const hasRows = lifeline !== undefined && lifeline.rows.length > 0;

  const zoom = (step: 1 | -1): void => {
    const next = spans[spans.indexOf(span) + step];
    if (next !== undefined) setSpan(next);
  };
  useShortcut('+', 'Lifeline: look closer', () => zoom(-1));
  useShortcut('-', 'Lifeline: see more', () => zoom(1));
  useShortcut('0', 'Lifeline: back to now', () => picture.current?.goToNow());

  return (
    <section className={styles['card']} aria-labelledby={titleId}>
      <header className={styles['head']}>
        <h2 id={titleId} className={styles['title']}>
          Lifeline
        </h2>
        {hasRows ? (
          <div className={styles['tools']}>
            <SpanChoice span={span} onChange={setSpan} />
            <Button onPress={() => picture.current?.goToNow()}>Now</Button>
          </div>
        ) : null}
      </header>
      {lifeline === undefined ? <div className={styles['waiting']} /> : null}
      {lifeline !== undefined && !hasRows ? <div className={styles['empty']}>{empty}</div> : null}
      {hasRows ? (
        <>
          <LifelinePicture ref={picture} rows={lifeline.rows} span={span} nowMs={nowMs} />
          <footer className={styles['foot']}>
            <Legend />
            {lifeline.left_out > 0 ? (
              <p>
                {lifeline.left_out.toLocaleString()} more are not drawn: these are the{' '}
                {lifeline.rows.length.toLocaleString()} that end first.
              </p>
            ) : null}
          </footer>
        </>
      ) : null}
    </section>
  );
}

/** How much is in sight, which the address remembers for the way back. */
function useSpan(): [Span, (span: Span) => void] {
  const wanted = Number(useSearch().get('days'));
  const span = spans.find((one) => one === wanted) ?? defaultSpan;
  return [span, (next) => setSearch({ days: next === defaultSpan ? undefined : String(next) })];
}
