import { useEffect, useEffectEvent, useRef, useState } from 'react';

import type { ScenarioInput } from '../../../../contract/ivr-draft.ts';
import type { Flow } from '../../../../core/ivr/flow.ts';
import { SmallButton } from '../inspector/small-button.tsx';
import { useDesigner } from '../use-designer.ts';
import { Call } from './call.tsx';
import { NotYet } from './not-yet.tsx';
import { hearLeaving } from './one-phone.ts';
import type { Pace } from './play-clock.ts';
import styles from './play-phone.module.css';
import { isSameFlow } from './same-flow.ts';

/**
 * A phone that calls the drawing. The engine that plays here is the one that proves and publishes.
 *
 * A call goes on with the drawing as it was when it began; the phone says when that is not the present one any more.
 */
export function PlayPhone({
  inputs = [],
  onClose,
}: {
  /** What the caller does by itself: a scenario that is played. */
  inputs?: readonly ScenarioInput[];
  onClose: () => void;
}) {
  const { check, store } = useDesigner();
  const phoneRef = useRef<HTMLElement>(null);
  const [called, setCalled] = useState<{
    flow: Flow | null;
    count: number;
    inputs: readonly ScenarioInput[];
  }>({
    flow: check.flow,
    count: 0,
    inputs,
  });
  const [pace, setPace] = useState<Pace>(inputs.length > 0 ? 'fast' : 'real');
  const [isMuted, setMuted] = useState(false);
  const flow = called.flow ?? check.flow;

  const leave = useEffectEvent(onClose);

  useEffect(() => {
    // A call takes the focus by itself.
    if (flow === null) phoneRef.current?.focus();
  }, [flow]);
  useEffect(() => () => store.light(null), [store]);
  useEffect(() => hearLeaving(() => leave()), []);

  function callAgain(again: readonly ScenarioInput[]): void {
    setCalled(({ count }) => ({ flow: check.flow ?? flow, count: count + 1, inputs: again }));
  }

  return (
    <section
      ref={phoneRef}
      className={styles['phone']}
      aria-label="Phone"
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose();
      }}
    >
      <header className={styles['head']}>
        <h2 className={styles['title']}>Phone</h2>
        <SmallButton name="Close the phone" icon="remove" onPress={onClose} />
      </header>
      <div className={styles['body']}>
        {flow === null ? (
          <NotYet />
        ) : (
          <>
            {check.flow !== null && isSameFlow(flow, check.flow) ? null : (
              <p className={styles['note']} role="status">
                {check.flow === null
                  ? 'This call goes on with the drawing as it was; the present one cannot be called yet.'
                  : 'The drawing has changed. Call again to hear it.'}
              </p>
            )}
            <Call
              key={called.count}
              flow={flow}
              inputs={called.inputs}
              pace={pace}
              isMuted={isMuted}
              onPace={setPace}
              onMuted={setMuted}
              onAgain={callAgain}
            />
          </>
        )}
      </div>
    </section>
  );
}
