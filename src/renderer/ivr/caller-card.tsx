import type { ReactNode } from 'react';

import type { Ivr } from '../../contract/ivr.ts';
import { Card } from '../kit/card.tsx';
import { Icon, type IconName } from '../kit/icon.tsx';
import styles from './caller-card.module.css';
import { callerWays, type WayStep } from './caller-ways.ts';
import { Leads } from './leads.tsx';

const icons: Record<WayStep['kind'], IconName> = { play: 'play', wait: 'clock', again: 'rotate', go: 'key' };

/** What a caller meets who presses no key of the menu, step by step. */
export function CallerCard({ menu, menus }: { menu: Ivr; menus: readonly Ivr[] }) {
  const { first, wrongKey, silence } = callerWays(menu);
  return (
    <Card title="What the caller hears">
      <Way title="At first" steps={first} menus={menus} />
      <Way title="After a key that is not used" steps={wrongKey} menus={menus} />
      <Way title="After silence" steps={silence} menus={menus} />
    </Card>
  );
}

/** Without steps (null) it cannot come to that. */
function Way({
  title,
  steps,
  menus,
}: {
  title: string;
  steps: readonly WayStep[] | null;
  menus: readonly Ivr[];
}) {
  return (
    <div className={styles['way']}>
      <h3 className={styles['title']}>{title}</h3>
      {steps === null ? (
        <p className={styles['none']}>There is none: every key that a telephone has is used.</p>
      ) : (
        <ol className={styles['steps']}>
          {steps.map((step, place) => (
            <li key={place} className={styles['step']} data-kind={step.kind}>
              <Icon name={icons[step.kind]} />
              <span>{wordsFor(step, menus)}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function wordsFor(step: WayStep, menus: readonly Ivr[]): ReactNode {
  switch (step.kind) {
    case 'play':
      return <Leads to={step.recording} menus={menus} />;
    case 'wait':
      return `${step.seconds} s for a key`;
    case 'again':
      return `The menu again, ${step.times === 1 ? 'once' : `up to ${step.times} times`}`;
    case 'go':
      return <Leads to={step.destination} menus={menus} />;
  }
}
