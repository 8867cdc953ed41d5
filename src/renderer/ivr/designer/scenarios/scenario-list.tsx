import { useState } from 'react';
import { flushSync } from 'react-dom';
import { Row } from '../../../kit/layout.tsx';
import { Text } from '../../../kit/text.tsx';
import {
  draftBounds,
  type NodeId,
  type Scenario,
  type ScenarioEnd,
  ScenarioInput,
} from '../../../../contract/menu/ivr-draft.ts';
import type { ScheduleView } from '../../../../contract/menu/schedule.ts';
import type { ScenarioRun } from '../../../../core/ivr/call/run-scenario.ts';
import { freeScenarioId, putScenario, removeScenario } from '../../../../core/ivr/edit/edit-nodes.ts';
import { isSameReference, writeReference } from '../../../../contract/menu/ivr-reference.ts';
import { scenarioEndTitle } from '../../../../text/menu/phone-menu.ts';
import { problemSentence, scenarioTally } from '../../../../text/menu/flow-findings.ts';
import { zonedText } from '../../../../text/menu/schedule-text.ts';
import { Button } from '../../../kit/button.tsx';
import input from '../../../kit/input.module.css';
import { useMinute } from '../../../kit/use-minute.ts';
import { drawings, Shape } from '../../../kit/shape.tsx';
import { SmallButton } from '../small-button.tsx';
import { focusField, useRequestedFocus } from '../inspector/spec-field.tsx';
import { PlayPhone } from '../play/play-phone.tsx';
import { type CallTiming, CallTimeFields, useAskedSchedules } from '../play/call-time.tsx';
import { callNow, scenarioOfCall } from '../play/use-call.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import panel from '../panel.module.css';
import styles from './scenario-list.module.css';
import { editText } from '../../../../text/menu/designer.ts';
import {
  inputsRefusalText,
  scenarioText as text,
  type InputsRefusal,
} from '../../../../text/menu/test-call.ts';
import { done, refused, type Result } from '../../../../core/result.ts';

/** The scenarios, run on every edit. A failing one blocks publishing. */
export function ScenarioList() {
  const { store, check } = useDesigner();
  const scenarios = useDesignerState(({ document }) => document.scenarios);
  const phone = useDesignerState((state) => (state.phone?.place === 'scenarios' ? state.phone : null));
  const all = Object.values(scenarios);
  const schedules = useAskedSchedules();
  useRequestedFocus('scenarios');
  const failing = check.runs.filter(({ passed }) => !passed).length;

  function add(): void {
    const { document } = store.state();
    const id = freeScenarioId(document);
    const name = text.numbered(all.length + 1);
    const scenario =
      check.flow === null
        ? null
        : scenarioOfCall(document, check.flow, { name, planned: callNow(check.flow) });
    const open = { id, name, inputs: [], expected: { kind: 'destination', destination: 'hangup' } } as const;
    flushSync(() =>
      store.edit(editText.addScenario, (drawn) => putScenario(drawn, scenario ?? { ...open, inputs: [] })),
    );
    focusField(`scenarios.${id}.name`);
  }

  return (
    <section className={panel['view']} aria-label={text.title}>
      <Row gap={3} wraps align="center" justify="between">
        <p className={panel['note']} role="status">
          {scenarioTally({ count: all.length, failing, canRun: check.flow !== null })}
        </p>
        {all.length < draftBounds.scenarios ? <Button onPress={add}>{text.add}</Button> : null}
      </Row>
      {all.length === 0 ? (
        <p className={panel['note']}>{text.what}</p>
      ) : (
        <ul>
          {all.map((scenario) => (
            <ScenarioRow
              key={scenario.id}
              scenario={scenario}
              schedules={schedules}
              run={check.runs.find((run) => run.scenario === scenario.id) ?? null}
              onPlay={() => store.openPhone('scenarios', scenario)}
            />
          ))}
        </ul>
      )}
      {phone === null ? null : (
        <div className={styles['phone']}>
          <PlayPhone key={phone.count} planned={phone.planned} />
        </div>
      )}
    </section>
  );
}

/** The expected result of a scenario: a destination, or waiting in a menu. */
function ExpectedEnd({
  path,
  expected,
  onChange,
}: {
  path: string;
  expected: ScenarioEnd;
  onChange: (expected: ScenarioEnd) => void;
}) {
  const { store, referenceData } = useDesigner();
  const document = useDesignerState((state) => state.document);
  const destinations = new Set<string>();
  const menus: NodeId[] = [];
  for (const node of Object.values(document.nodes)) {
    if (node.kind === 'menu') menus.push(node.id);
    if (node.kind === 'end') destinations.add(writeReference({ type: node.type, id: node.ref }));
  }
  // A destination that was removed stays selected.
  const isListed =
    expected.kind === 'menu'
      ? menus.includes(expected.menu)
      : [...destinations].some((other) => isSameReference(other, expected.destination));
  const words = (end: ScenarioEnd) => scenarioEndTitle(document, end, referenceData);
  return (
    <select
      className={panel['select']}
      data-path={path}
      value={writeEnd(expected)}
      onChange={({ target }) => onChange(readEnd(target.value))}
      onBlur={() => store.settle()}
    >
      {isListed ? null : <option value={writeEnd(expected)}>{words(expected)}</option>}
      <optgroup label={text.destinations}>
        {[...destinations].map((destination) => (
          <option key={destination} value={`destination ${destination}`}>
            {words({ kind: 'destination', destination })}
          </option>
        ))}
      </optgroup>
      <optgroup label={text.waitsInMenu}>
        {menus.map((menu) => (
          <option key={menu} value={`menu ${menu}`}>
            {words({ kind: 'menu', menu })}
          </option>
        ))}
      </optgroup>
    </select>
  );
}

function writeEnd(end: ScenarioEnd): string {
  return end.kind === 'menu' ? `menu ${end.menu}` : `destination ${end.destination}`;
}

function readEnd(value: string): ScenarioEnd {
  const [kind = ''] = value.split(' ');
  const rest = value.slice(kind.length + 1);
  return kind === 'menu'
    ? { kind: 'menu', menu: rest as NodeId }
    : { kind: 'destination', destination: rest };
}

const stateSigns = {
  passed: { tone: 'good', drawing: drawings.disc },
  failed: { tone: 'bad', drawing: drawings.cross },
  unknown: { tone: 'calm', drawing: drawings.bars },
} as const;

function stateOf(run: ScenarioRun | null): keyof typeof stateSigns {
  if (run === null) return 'unknown';
  return run.passed ? 'passed' : 'failed';
}

/** A scenario: its name, the inputs, the expected result, and whether it passes. */
function ScenarioRow({
  scenario,
  schedules,
  run,
  onPlay,
}: {
  scenario: Scenario;
  schedules: readonly ScheduleView[];
  /** Null while the call flow has errors. */
  run: ScenarioRun | null;
  onPlay: () => void;
}) {
  const { store } = useDesigner();
  const { id, name } = scenario;
  const path = `scenarios.${id}`;
  const state = stateOf(run);
  const [typed, setTyped] = useState('');
  const read = readInputs(typed);
  // After an undo the value of the document is shown; invalid input stays in the field.
  const isTyped = typed !== '' && (!read.ok || writeInputs(read.value) === writeInputs(scenario.inputs));

  function change(edit: string, changed: Partial<Scenario>, merge: string | null = null): void {
    store.edit(edit, (document) => putScenario(document, { ...scenario, ...changed }), { merge });
  }

  return (
    <li className={styles['scenario']} data-path={path} tabIndex={-1} aria-label={name}>
      <span className={styles['sign']}>
        <Shape tone={stateSigns[state].tone}>{stateSigns[state].drawing}</Shape>
      </span>
      <label>
        <Text as="span" tone="soft" size="tiny">
          {text.name}
        </Text>
        <input
          type="text"
          className={input['input']}
          data-path={`${path}.name`}
          value={name}
          maxLength={100}
          autoComplete="off"
          onChange={({ target }) => {
            if (target.value !== '') change(editText.renameScenario, { name: target.value }, `${path}.name`);
          }}
          onBlur={() => store.settle()}
        />
      </label>
      <div>
        <label>
          <Text as="span" tone="soft" size="tiny">
            {text.inputs}
          </Text>
          <input
            type="text"
            className={input['input']}
            data-face="code"
            data-path={`${path}.inputs`}
            value={isTyped ? typed : writeInputs(scenario.inputs)}
            aria-invalid={(isTyped && !read.ok) || undefined}
            aria-describedby={`${path}-inputs`}
            placeholder={text.inputsExample}
            autoComplete="off"
            onChange={({ target }) => {
              setTyped(target.value);
              const now = readInputs(target.value);
              if (now.ok) change(editText.changeScenario, { inputs: [...now.value] }, `${path}.inputs`);
            }}
            onBlur={() => store.settle()}
          />
        </label>
        <Text id={`${path}-inputs`} tone="bad" size="small" breaks>
          {isTyped && !read.ok ? inputsRefusalText(read.refusal) : ''}
        </Text>
      </div>
      <label>
        <Text as="span" tone="soft" size="tiny">
          {text.expected}
        </Text>
        <ExpectedEnd
          path={`${path}.expected`}
          expected={scenario.expected}
          onChange={(expected) => change(editText.changeExpected, { expected }, `${path}.expected`)}
        />
      </label>
      <Row gap={1}>
        <SmallButton name={text.play(name)} icon="play" onPress={onPlay} />
        <SmallButton
          name={text.delete(name)}
          icon="remove"
          onPress={() => store.edit(editText.deleteScenario, (document) => removeScenario(document, id))}
        />
      </Row>
      <ScenarioTime
        scenario={scenario}
        schedules={schedules}
        onChange={(timing) => {
          store.edit(editText.changeScenario, (document) =>
            putScenario(document, withTiming(scenario, timing)),
          );
        }}
      />
      <Text
        as="div"
        tone={state === 'failed' ? 'bad' : 'soft'}
        size="small"
        breaks
        className={styles['result']}
      >
        <Row gap={3} wraps align="center">
          <ScenarioResult
            scenario={scenario}
            run={run}
            onExpect={(expected) => change(editText.expectThis, { expected })}
          />
        </Row>
      </Text>
    </li>
  );
}

function ScenarioResult({
  scenario,
  run,
  onExpect,
}: {
  scenario: Scenario;
  run: ScenarioRun | null;
  onExpect: (expected: ScenarioRun['came']) => void;
}) {
  if (run === null) return <span>{text.notRun}</span>;
  if (run.passed) return <span>{text.passes(scenario.inputs, run.ignored)}</span>;
  return (
    <>
      <span>
        {run.failure === null ? '' : problemSentence({ code: 'scenario_failed', params: run.failure })}
      </span>
      <SmallButton onPress={() => onExpect(run.came)}>{text.expectThis}</SmallButton>
    </>
  );
}

/** When the call of a scenario comes and what is set by hand then, in a sentence that opens to change it. Nothing where no hours are asked. */
function ScenarioTime({
  scenario: { name, at = null, switches = {} },
  schedules,
  onChange,
}: {
  scenario: Scenario;
  schedules: readonly ScheduleView[];
  onChange: (timing: CallTiming) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const nowMs = useMinute();
  const [first, ...others] = schedules;
  if (first === undefined) return null;
  const set = schedules.flatMap(({ id, name: schedule }) => {
    const to = switches[id]?.to ?? 'schedule';
    return to === 'schedule' ? [] : [{ schedule, to }];
  });
  const time = at === null ? null : zonedText(at, { timeZone: first.time_zone, nowMs });
  return (
    <details
      className={styles['time']}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary aria-label={text.changeTime(name, text.comes(time, set))}>{text.comes(time, set)}</summary>
      {isOpen ? (
        <CallTimeFields schedules={[first, ...others]} timing={{ at, switches }} onChange={onChange} />
      ) : null}
    </details>
  );
}

/** Without what is not set: it counts as not said. */
function withTiming({ at: _at, switches: _switches, ...scenario }: Scenario, timing: CallTiming): Scenario {
  const { at = null, switches = {} } = timing;
  return {
    ...scenario,
    ...(at === null ? {} : { at }),
    ...(Object.keys(switches).length === 0 ? {} : { switches }),
  };
}

/** Inputs of a scenario as they are typed: `9, -, 1`. */
export function writeInputs(inputs: readonly ScenarioInput[]): string {
  return inputs.join(', ');
}

/** Reads what a caller does: keys, and `-` for a timeout, with or without commas and spaces between them. */
export function readInputs(typed: string): Result<readonly ScenarioInput[], InputsRefusal> {
  const signs = Array.from(typed)
    .filter((sign) => !/[\s,;]/.test(sign))
    .map((sign) => (/[–—−]/.test(sign) ? '-' : sign));
  const wrong = signs.find((sign) => !ScenarioInput.safeParse(sign).success);
  if (wrong !== undefined) return refused({ code: 'not_an_input', sign: wrong });
  if (signs.length > draftBounds.inputs)
    return refused({ code: 'too_many', count: signs.length, most: draftBounds.inputs });
  return done(signs);
}
