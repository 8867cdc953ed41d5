import { useState } from 'react';

import type { Scenario } from '../../../../contract/ivr-draft.ts';
import { putScenario, removeScenario } from '../../../../core/ivr/edit/edit-scenarios.ts';
import type { ScenarioRun } from '../../../../core/ivr/call/run-scenario.ts';
import input from '../../../kit/input.module.css';
import { drawings, Shape } from '../../../kit/shape.tsx';
import { SmallButton } from '../inspector/small-button.tsx';
import { useDesigner } from '../use-designer.ts';
import { ExpectedEnd } from './expected-end.tsx';
import { inputsWords, readInputs, writeInputs } from './inputs-text.ts';
import styles from './scenario-list.module.css';

/** A scenario: its name, what the caller does, where that has to come out, and where it does. */
export function ScenarioRow({
  scenario,
  run,
  onPlay,
}: {
  scenario: Scenario;
  /** Null while the drawing cannot run. */
  run: ScenarioRun | null;
  onPlay: () => void;
}) {
  const { store } = useDesigner();
  const { id, name } = scenario;
  const path = `scenarios.${id}`;
  const state = run === null ? 'unknown' : run.passed ? 'passed' : 'failed';
  const [typed, setTyped] = useState('');
  const read = readInputs(typed);
  // What undo brings back wins over what was typed; what cannot be read stays to be mended.
  const isTyped = typed !== '' && (!read.ok || writeInputs(read.value) === writeInputs(scenario.inputs));

  function change(words: string, changed: Partial<Scenario>, merge: string | null = null): void {
    store.edit(words, (document) => putScenario(document, { ...scenario, ...changed }), { merge });
  }

  return (
    <li className={styles['scenario']} data-path={path} tabIndex={-1} aria-label={name}>
      <span className={styles['sign']}>
        <Shape tone={state === 'passed' ? 'good' : state === 'failed' ? 'bad' : 'calm'}>
          {state === 'passed' ? drawings.disc : state === 'failed' ? drawings.cross : drawings.bars}
        </Shape>
      </span>
      <label>
        <span className={styles['label']}>Name</span>
        <input
          type="text"
          className={input['input']}
          data-path={`${path}.name`}
          value={name}
          maxLength={100}
          autoComplete="off"
          onChange={({ target }) => {
            if (target.value !== '') change('rename a scenario', { name: target.value }, `${path}.name`);
          }}
          onBlur={() => store.settle()}
        />
      </label>
      <div>
        <label>
          <span className={styles['label']}>Keys, and - for silence</span>
          <input
            type="text"
            className={input['input']}
            data-face="code"
            data-path={`${path}.inputs`}
            value={isTyped ? typed : writeInputs(scenario.inputs)}
            aria-invalid={(isTyped && !read.ok) || undefined}
            aria-describedby={`${path}-inputs`}
            placeholder="9, -, 1"
            autoComplete="off"
            onChange={({ target }) => {
              setTyped(target.value);
              const now = readInputs(target.value);
              if (now.ok) change('change a scenario', { inputs: [...now.value] }, `${path}.inputs`);
            }}
            onBlur={() => store.settle()}
          />
        </label>
        <p id={`${path}-inputs`} className={styles['error']}>
          {isTyped && !read.ok ? read.refusal : ''}
        </p>
      </div>
      <label>
        <span className={styles['label']}>Has to come to</span>
        <ExpectedEnd
          path={`${path}.expected`}
          expected={scenario.expected}
          onChange={(expected) => change('change what a scenario expects', { expected }, `${path}.expected`)}
        />
      </label>
      <div className={styles['buttons']}>
        <SmallButton name={`Play “${name}”`} icon="play" onPress={onPlay} />
        <SmallButton
          name={`Delete “${name}”`}
          icon="remove"
          onPress={() => store.edit('delete a scenario', (document) => removeScenario(document, id))}
        />
      </div>
      <div className={styles['result']} data-state={state}>
        {run === null ? (
          <span>Not run: the drawing cannot be called yet.</span>
        ) : run.passed ? (
          <span>
            Comes out there: the caller {inputsWords(scenario.inputs)}
            {run.ignored > 0 ? `; the last ${run.ignored} after the call had left` : ''}.
          </span>
        ) : (
          <>
            <span>{run.message}</span>
            <SmallButton onPress={() => change('expect what comes', { expected: run.came })}>
              Expect what comes now
            </SmallButton>
          </>
        )}
      </div>
    </li>
  );
}
