import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ScenarioInput } from '../../../../contract/ivr-draft.ts';
import type { Flow } from '../../../../core/ivr/flow.ts';
import { problemSentence } from '../../../../text/flow-findings.ts';
import { SmallButton } from '../inspector/small-button.tsx';
import { goToProblem } from '../problems/go-to-problem.ts';
import { useDesigner } from '../use-designer.ts';
import { Call } from './call.tsx';
import { hearLeaving } from './one-phone.ts';
import type { Pace } from './play-clock.ts';
import styles from './play-phone.module.css';

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

/** How many are told here; the list of problems has all. */
const told = 5;

/** What is missing before the drawing can be called, with the way to each. */
function NotYet() {
  const { check, store } = useDesigner();
  const errors = check.problems.filter(({ severity }) => severity === 'error');
  return (
    <div className={styles['missing']}>
      <p>This call flow cannot be called yet. Fix these errors:</p>
      <ul>
        {errors.slice(0, told).map((problem, place) => (
          <li key={place}>
            <button type="button" className={styles['problem']} onClick={() => goToProblem(store, problem)}>
              {problemSentence(problem)}
            </button>
          </li>
        ))}
      </ul>
      {errors.length > told ? (
        <p className={styles['note']}>And {errors.length - told} more, in the list of problems.</p>
      ) : null}
    </div>
  );
}

/** Whether two flows are the same to a caller. Each edit makes a new one, also where a part was only moved. */
export function isSameFlow(one: Flow, other: Flow): boolean {
  return one === other || written(one) === written(other);
}

function written({ start, menus }: Flow): string {
  return JSON.stringify([start, [...menus.values()].map((menu) => ({ ...menu, keys: [...menu.keys] }))]);
}
