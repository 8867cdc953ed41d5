import { useEffect, useRef, useState } from 'react';
import type { ScenarioInput } from '../../../../contract/menu/ivr-draft.ts';
import type { Flow } from '../../../../core/ivr/flow.ts';
import { blocksPublishing } from '../../../../core/ivr/unfinished.ts';
import { Row } from '../../../kit/layout.tsx';
import { SmallButton } from '../small-button.tsx';
import { goToProblem } from '../problems/go-to-problem.ts';
import { ProblemLinks } from '../problems/problem-list.tsx';
import { useDesigner } from '../use-designer.ts';
import { Call } from './call.tsx';
import type { Pace } from './play-clock.ts';
import panel from '../panel.module.css';
import styles from './play-phone.module.css';
import { phoneText as text } from '../../../../text/menu/test-call.ts';

/**
 * A phone for test calls. It runs the same engine as the checks.
 *
 * A call keeps the call flow with which it started; the phone says when it has changed since.
 */
export function PlayPhone({
  inputs = [],
}: {
  /** Of the scenario that is played. */
  inputs?: readonly ScenarioInput[];
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

  useEffect(() => {
    // A call focuses itself.
    if (flow === null) phoneRef.current?.focus();
  }, [flow]);
  useEffect(() => () => store.light(null), [store]);

  function callAgain(again: readonly ScenarioInput[]): void {
    setCalled(({ count }) => ({ flow: check.flow ?? flow, count: count + 1, inputs: again }));
  }

  return (
    <section
      ref={phoneRef}
      className={styles['phone']}
      aria-label={text.title}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) store.closePhone();
      }}
    >
      <Row as="header" gap={2} align="center" justify="between" className={styles['head']}>
        <h2 className={panel['title']}>{text.title}</h2>
        <SmallButton name={text.close} icon="remove" onPress={() => store.closePhone()} />
      </Row>
      <div className={panel['view']}>
        {flow === null ? (
          <NotYet />
        ) : (
          <>
            {check.flow !== null && isSameFlow(flow, check.flow) ? null : (
              <p className={panel['note']} role="status">
                {check.flow === null ? text.changedAndBlocked : text.changed}
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

/** How many are listed here; the list of problems has all. */
const mostErrors = 5;

/** The errors that prevent calls; each leads to its field. */
function NotYet() {
  const { check, store } = useDesigner();
  const errors = check.problems.filter(blocksPublishing);
  return (
    <div className={panel['group']}>
      <p>{text.blocked}</p>
      <ProblemLinks problems={errors.slice(0, mostErrors)} onGo={(problem) => goToProblem(store, problem)} />
      {errors.length > mostErrors ? (
        <p className={panel['note']}>{text.moreErrors(errors.length - mostErrors)}</p>
      ) : null}
    </div>
  );
}

/** Whether two flows are the same for a caller. Each edit makes a new one, even if a part was only moved. */
export function isSameFlow(one: Flow, other: Flow): boolean {
  return one === other || written(one) === written(other);
}

function written({ start, menus }: Flow): string {
  return JSON.stringify([start, [...menus.values()].map((menu) => ({ ...menu, keys: [...menu.keys] }))]);
}
