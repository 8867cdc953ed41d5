import { useState } from 'react';
import { flushSync } from 'react-dom';

import { draftBounds, type Scenario, type ScenarioInput } from '../../../../contract/ivr-draft.ts';
import { freeScenarioId, putScenario } from '../../../../core/ivr/edit/edit-scenarios.ts';
import { Button } from '../../../kit/button.tsx';
import { focusField } from '../inspector/focus-field.ts';
import { leavePhones } from '../play/one-phone.ts';
import { PlayPhone } from '../play/play-phone.tsx';
import { comesOutAt } from '../play/scenario-of-call.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import styles from './scenario-list.module.css';
import { ScenarioRow } from './scenario-row.tsx';

/** What callers do and where they have to come out, run on every edit. One that fails keeps the drawing from being published. */
export function ScenarioList() {
  const { store, check } = useDesigner();
  const scenarios = useDesignerState(({ document }) => document.scenarios);
  const [played, setPlayed] = useState<{ inputs: readonly ScenarioInput[]; count: number } | null>(null);
  const all = Object.values(scenarios);
  const failing = check.runs.filter(({ passed }) => !passed).length;

  function add(): void {
    const { document } = store.state();
    const id = freeScenarioId(document);
    const scenario: Scenario = {
      id,
      name: `Scenario ${all.length + 1}`,
      inputs: [],
      expected:
        check.flow === null ? { kind: 'destination', destination: 'hangup' } : comesOutAt(check.flow, []),
    };
    flushSync(() => store.edit('add a scenario', (drawn) => putScenario(drawn, scenario)));
    focusField(`scenarios.${id}.name`);
  }

  function play({ inputs }: Scenario): void {
    leavePhones();
    setPlayed({ inputs, count: (played?.count ?? 0) + 1 });
  }

  return (
    <section className={styles['scenarios']} aria-label="Scenarios">
      <div className={styles['head']}>
        <p className={styles['note']} role="status">
          {statusWords(all.length, failing, check.flow !== null)}
        </p>
        {all.length < draftBounds.scenarios ? <Button onPress={add}>Add a scenario</Button> : null}
      </div>
      {all.length === 0 ? (
        <p className={styles['note']}>
          A scenario is a call that has to come out where you say, such as “presses 9, then 1: Extension 101”.
          It runs on every edit, and keeps a drawing that breaks it from being published. The phone saves one
          of what you just did.
        </p>
      ) : (
        <ul>
          {all.map((scenario) => (
            <ScenarioRow
              key={scenario.id}
              scenario={scenario}
              run={check.runs.find((run) => run.scenario === scenario.id) ?? null}
              onPlay={() => play(scenario)}
            />
          ))}
        </ul>
      )}
      {played === null ? null : (
        <div className={styles['held']}>
          <PlayPhone key={played.count} inputs={played.inputs} onClose={() => setPlayed(null)} />
        </div>
      )}
    </section>
  );
}

function statusWords(count: number, failing: number, canRun: boolean): string {
  if (count === 0) return 'No scenario yet.';
  if (!canRun) return 'Scenarios run when the drawing can: see the problems.';
  if (failing === 0)
    return count === 1 ? 'It comes out where it should.' : `All ${count} come out where they should.`;
  return `${failing} of ${count} ${failing === 1 ? 'comes' : 'come'} out elsewhere.`;
}
