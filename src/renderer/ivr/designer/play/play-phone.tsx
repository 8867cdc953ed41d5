import { writeFlow } from '../../../../core/calls/flow-of-stored.ts';
import { useEffect, useRef, useState } from 'react';
import type { PlannedCall } from '../../../../core/ivr/call/run-scenario.ts';
import type { Flow } from '../../../../core/ivr/flow.ts';
import { blocksPublishing } from '../../../../core/ivr/finding-severity.ts';
import { Row } from '../../../kit/layout.tsx';
import { SmallButton } from '../small-button.tsx';
import { goToProblem } from '../problems/go-to-problem.ts';
import { ProblemLinks } from '../problems/problem-list.tsx';
import { useDesigner } from '../use-designer.ts';
import { Call } from './call.tsx';
import { CallTimeFields, useAskedSchedules } from './call-time.tsx';
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
  planned = { inputs: [] },
}: {
  /** The scenario that is played. */
  planned?: PlannedCall;
}) {
  const { check, store } = useDesigner();
  const phoneRef = useRef<HTMLElement>(null);
  const [called, setCalled] = useState<{
    flow: Flow | null;
    count: number;
    planned: PlannedCall;
    /** Whether the call takes the digits of the keyboard at once. */
    takesFocus: boolean;
  }>({ flow: check.flow, count: 0, planned, takesFocus: true });
  const [pace, setPace] = useState<Pace>(planned.inputs.length > 0 ? 'fast' : 'real');
  const [isMuted, setMuted] = useState(false);
  const flow = called.flow ?? check.flow;
  const [first, ...others] = useAskedSchedules();

  useEffect(() => {
    // A call focuses itself.
    if (flow === null) phoneRef.current?.focus();
  }, [flow]);
  useEffect(() => () => store.light(null), [store]);

  function callAgain(change: Partial<PlannedCall>, takesFocus = true): void {
    setCalled((before) => ({
      flow: check.flow ?? flow,
      count: before.count + 1,
      planned: { ...before.planned, ...change },
      takesFocus,
    }));
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
            {first === undefined ? null : (
              <CallTimeFields schedules={[first, ...others]} timing={called.planned} onChange={callAgain} />
            )}
            <Call
              key={called.count}
              flow={flow}
              planned={called.planned}
              takesFocus={called.takesFocus}
              pace={pace}
              isMuted={isMuted}
              onPace={setPace}
              onMuted={setMuted}
              onAgain={(inputs) => callAgain({ inputs })}
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
  return one === other || writeFlow(one) === writeFlow(other);
}
