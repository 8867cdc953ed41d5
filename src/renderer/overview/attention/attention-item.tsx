import { useEffect, useState } from 'react';

import type { Attention } from '../../../contract/attention.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import buttonStyles from '../../kit/button.module.css';
import { Countdown } from '../../kit/countdown.tsx';
import { Link } from '../../kit/link.tsx';
import { problemWords } from '../../kit/problem-words.ts';
import { ServiceWords } from '../../kit/service-words.tsx';
import styles from './attention-item.module.css';
import { attentionWords } from './attention-words.ts';
import { deedWords, type Deed, prepareSteps, takeStep } from './take-step.ts';

/** One thing that needs the owner: what happened, what it means, when it is too late, and what to do. */
export function AttentionItem({ item, nowMs }: { item: Attention; nowMs: number }) {
  const { tone, title, text, endsAt, steps } = attentionWords(item, nowMs);
  const [busy, setBusy] = useState<Deed['kind'] | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);

  useEffect(prepareSteps, []);

  async function take(deed: Deed): Promise<void> {
    setBusy(deed.kind);
    setRefusal(null);
    const reply = await takeStep(deed);
    setBusy(null);
    if (reply.kind !== 'ok') setRefusal(problemWords(reply));
  }

  return (
    <li className={styles['item']} data-tone={tone}>
      <svg className={styles['sign']} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
        {tone === 'bad' ? (
          <path d="M6.7 2h6.6L18 6.7v6.6L13.3 18H6.7L2 13.3V6.7z" />
        ) : (
          <path d="M8.7 2.75a1.5 1.5 0 0 1 2.6 0l7 12.5a1.5 1.5 0 0 1-1.3 2.25H3a1.5 1.5 0 0 1-1.3-2.25z" />
        )}
        <path
          className={styles['cut']}
          d={tone === 'bad' ? 'M10 5.5v5m0 3.25v.25' : 'M10 7.25v4.25m0 2.75v.25'}
        />
      </svg>
      <div className={styles['words']}>
        <h3 className={styles['title']}>{title}</h3>
        <p className={styles['text']}>
          <ServiceWords said={text} />
        </p>
        <p className={styles['refusal']} role="status">
          {refusal}
        </p>
      </div>
      {endsAt === null ? null : (
        <p className={styles['ends']}>
          <span className={styles['left']}>
            <Countdown to={endsAt} past="over" />
          </span>
          <span className={styles['unit']}>until it ends</span>
        </p>
      )}
      <p className={styles['steps']}>
        {steps.map((step) => {
          if (step.kind === 'go')
            return (
              <Link key={step.to} to={step.to} className={`${buttonStyles['button']} ${styles['link']}`}>
                {step.words}
                <span className={styles['unseen']}> {subjectOf(item)}</span>
              </Link>
            );
          const words = deedWords(step);
          return (
            <ActionButton
              key={step.kind}
              about={subjectOf(item)}
              isBusy={busy !== null}
              onPress={() => void take(step)}
            >
              {busy === step.kind ? words.busy : words.idle}
            </ActionButton>
          );
        })}
      </p>
    </li>
  );
}

/** Whom a button is about, for who hears it without the words around it. */
function subjectOf(item: Attention): string {
  if ('name' in item) return item.name;
  return item.kind === 'failing' ? item.origin : '';
}
