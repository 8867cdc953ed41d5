import { useEffect, useEffectEvent, useState } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { tallyOf } from '../../../../core/ivr/finding-severity.ts';
import { tallyText } from '../../../../text/menu/phone-menu.ts';
import { BodyView } from '../body/body-view.tsx';
import { isScenarioPath } from '../inspector/spec-field.tsx';
import { ProblemList } from '../problems/problem-list.tsx';
import { ScenarioList } from '../scenarios/scenario-list.tsx';
import { SeveritySign } from '../severity-sign.tsx';
import { SmallButton } from '../small-button.tsx';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import unseen from '../../../kit/unseen.module.css';
import styles from './bottom-panel.module.css';
import { type Panel, Splitter } from './splitter.tsx';
import { useViewCommand } from '../../../kit/keys/use-shortcut.ts';
import { bottomPanelText as text, shortcutText } from '../../../../text/menu/designer.ts';

const tabs = ['problems', 'body', 'scenarios'] as const;
type TabId = (typeof tabs)[number];

/** How high the bar of tabs is with the lines around it, in pixels. */
export function barHeight(): number {
  return 2.25 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize) + 1;
}

/** The problems, the JSON body and the scenarios of the call flow. Closed it is a bar of tabs, and each opens it. */
export function BottomPanel({ panel }: { panel: Panel }) {
  const { store } = useDesigner();
  const [tab, setTab] = useState<TabId>('problems');

  useViewCommand('b', shortcutText.below, () => panel.setOpen(!panel.isOpen));

  function choose(next: TabId): void {
    if (next !== 'scenarios' && store.state().phone?.place === 'scenarios') store.closePhone();
    setTab(next);
    panel.setOpen(true);
  }
  const showRequested = useEffectEvent(() => {
    const path = store.state().requestedFocus;
    if (path !== null && isScenarioPath(path)) choose('scenarios');
  });
  useEffect(() => store.subscribe(() => showRequested()), [store]);

  return (
    <section className={styles['panel']} aria-label={text.title}>
      <FindingsStatus />
      {panel.isOpen ? <Splitter name={text.height} panel={panel} axis="y" grows="back" /> : null}
      <Tabs selectedKey={tab} onSelectionChange={(key) => choose(key as TabId)}>
        <div className={styles['head']}>
          <TabList aria-label={text.title} className={styles['tabs'] ?? ''}>
            {tabs.map((name) => (
              <Tab
                key={name}
                id={name}
                className={styles['tab'] ?? ''}
                // Also the one that is selected already, which changes nothing.
                onPress={() => choose(name)}
              >
                <TabName tab={name} />
              </Tab>
            ))}
          </TabList>
          <SmallButton
            icon={panel.isOpen ? 'down' : 'up'}
            name={panel.isOpen ? text.collapse : text.expand}
            keys="b"
            onPress={() => panel.setOpen(!panel.isOpen)}
          />
        </div>
        <TabPanel
          key={tab}
          id={tab}
          className={styles['content'] ?? ''}
          style={{ height: panel.size, display: panel.isOpen ? 'block' : 'none' }}
        >
          {panel.isOpen ? <TabContent tab={tab} /> : null}
        </TabPanel>
      </Tabs>
    </section>
  );
}

/** How long what the checks find stays the same before it is announced, in milliseconds: not at each letter. */
const quietMs = 1_000;

/** Announces what the checks find, also while the list of problems is closed. */
function FindingsStatus() {
  const { problems } = useDesigner().check;
  const words = text.problems(problems.length === 0 ? null : tallyText(tallyOf(problems)));
  const [announced, setAnnounced] = useState(words);
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(words), quietMs);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <p role="status" className={unseen['unseen']}>
      {announced}
    </p>
  );
}

function TabContent({ tab }: { tab: TabId }) {
  switch (tab) {
    case 'problems':
      return <ProblemList />;
    case 'body':
      return <BodyView />;
    case 'scenarios':
      return <ScenarioList />;
  }
}

function TabName({ tab }: { tab: TabId }) {
  const { problems, runs } = useDesigner().check;
  const scenarios = useDesignerState(({ document }) => Object.keys(document.scenarios).length);
  if (tab === 'body') return text.body;
  if (tab === 'problems') {
    const [worst] = problems; // the worst come first
    return (
      <>
        {worst === undefined ? null : <SeveritySign severity={worst.severity} />}
        {text.problems(problems.length === 0 ? null : tallyText(tallyOf(problems)))}
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
