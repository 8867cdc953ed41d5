import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { tallyOf } from '../../../../core/ivr/tally.ts';
import { tallyWords } from '../../../../text/phone-menu.ts';
import { BodyView } from '../body/body-view.tsx';
import { isScenarioPath } from '../inspector/spec-field.tsx';
import { ProblemList } from '../problems/problem-list.tsx';
import { ScenarioList } from '../scenarios/scenario-list.tsx';
import { SeveritySign } from '../severity-sign.tsx';
import { SmallButton } from '../small-button.tsx';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import styles from './bottom-panel.module.css';
import { Splitter, usePanel } from './splitter.tsx';
import { bottomPanelText as text } from '../../../../text/designer.ts';

const tabs = ['problems', 'body', 'scenarios'] as const;
type Tab = (typeof tabs)[number];

/** The problems, the JSON body and the scenarios of the call flow. */
export function BottomPanel() {
  const id = useId();
  const { store } = useDesigner();
  const panel = usePanel('below', { size: 168, min: 96, max: 560, isOpen: true });
  const [tab, setTab] = useState<Tab>('problems');
  const tabsRef = useRef<HTMLDivElement>(null);

  function choose(next: Tab): void {
    if (next !== 'scenarios' && store.state().phone?.place === 'scenarios') store.closePhone();
    setTab(next);
    panel.setOpen(true);
  }
  const showRequested = useEffectEvent(() => {
    const path = store.state().requestedFocus;
    if (path !== null && isScenarioPath(path)) choose('scenarios');
  });
  useEffect(() => store.subscribe(() => showRequested()), [store]);

  function press(event: KeyboardEvent): void {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const place = (tabs.indexOf(tab) + by + tabs.length) % tabs.length;
    choose(tabs[place] ?? tab);
    tabsRef.current?.querySelectorAll<HTMLElement>('[role="tab"]')[place]?.focus();
  }

  return (
    <section className={styles['panel']} aria-label={text.title}>
      {panel.isOpen ? <Splitter name={text.height} panel={panel} axis="y" grows="back" /> : null}
      <div className={styles['head']}>
        <div
          ref={tabsRef}
          role="tablist"
          aria-label={text.title}
          className={styles['tabs']}
          onKeyDown={press}
        >
          {tabs.map((name) => (
            <button
              key={name}
              id={`${id}-${name}`}
              type="button"
              role="tab"
              className={styles['tab']}
              aria-selected={tab === name}
              aria-controls={`${id}-content`}
              tabIndex={tab === name ? 0 : -1}
              onClick={() => choose(name)}
            >
              <TabName tab={name} />
            </button>
          ))}
        </div>
        <SmallButton
          icon={panel.isOpen ? 'down' : 'up'}
          name={panel.isOpen ? text.collapse : text.expand}
          onPress={() => panel.setOpen(!panel.isOpen)}
        />
      </div>
      <div
        id={`${id}-content`}
        role="tabpanel"
        aria-labelledby={`${id}-${tab}`}
        tabIndex={0}
        hidden={!panel.isOpen}
        className={styles['content']}
        style={{ height: panel.size }}
      >
        {!panel.isOpen ? null : tab === 'problems' ? (
          <ProblemList />
        ) : tab === 'body' ? (
          <BodyView />
        ) : (
          <ScenarioList />
        )}
      </div>
    </section>
  );
}

function TabName({ tab }: { tab: Tab }) {
  const { problems, runs } = useDesigner().check;
  const scenarios = useDesignerState(({ document }) => Object.keys(document.scenarios).length);
  if (tab === 'body') return text.body;
  if (tab === 'problems') {
    const [worst] = problems; // errors come first
    return (
      <>
        {worst === undefined ? null : <SeveritySign severity={worst.severity} />}
        {text.problems(problems.length === 0 ? null : tallyWords(tallyOf(problems)))}
      </>
    );
  }
  const failed = runs.filter(({ passed }) => !passed).length;
  return (
    <>
      {failed === 0 ? null : <SeveritySign severity="error" />}
      {text.scenarios(scenarios, failed)}
    </>
  );
}
