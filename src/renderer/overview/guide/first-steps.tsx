import { useId } from 'react';

import { Button } from '../../kit/button.tsx';
import { CommandLine } from '../../kit/command-line.tsx';
import { credentialPath } from '../../kit/address.ts';
import { Icon } from '../../kit/icon.tsx';
import { Link } from '../../kit/link.tsx';
import { goTo } from '../../kit/navigation.ts';
import styles from './first-steps.module.css';

/** The three steps to a token that never lapses; each is ticked when it is seen to be done. */
export function FirstSteps({
  ref,
  hasToken,
  keptName,
  commandLine,
  issueRef,
  onIssue,
  onPutAway,
  onDone,
}: {
  ref: React.Ref<HTMLElement>;
  hasToken: boolean;
  /** A credential that there is; null for none. */
  keptName: string | null;
  /** How the command line is called here; null where there is none. */
  commandLine: string | null;
  issueRef: React.Ref<HTMLButtonElement>;
  onIssue: () => void;
  onPutAway: () => void;
  onDone: () => void;
}) {
  const titleId = useId();
  const steps = [hasToken || keptName !== null, keptName !== null, false];
  const current = steps.indexOf(false);
  return (
    <section ref={ref} className={styles['card']} aria-labelledby={titleId} tabIndex={-1}>
      <header className={styles['head']}>
        <div>
          <h2 id={titleId} className={styles['title']}>
            First steps
          </h2>
          <p className={styles['lead']}>Three steps to a token that never lapses.</p>
        </div>
        <Button onPress={onPutAway}>Put away</Button>
      </header>
      <ol className={styles['steps']}>
        <Step place={1} title="Issue a token" isDone={steps[0] === true} isCurrent={current === 0}>
          {steps[0] === true ? (
            <p>There is a token.</p>
          ) : (
            <>
              <p>
                Its value is shown once. Tick “Keep this fresh” there, and the second step is done as well.
              </p>
              <p>
                <Button rank="main" ref={issueRef} onPress={onIssue}>
                  Issue a token…
                </Button>
              </p>
              {commandLine === null ? null : (
                <>
                  <p>Or on the command line, kept fresh at once:</p>
                  <CommandLine
                    line={`${commandLine} token issue --name my-app --validity 7 --keep-as my-app`}
                    what="the command that issues a token"
                  />
                </>
              )}
            </>
          )}
        </Step>
        <Step place={2} title="Keep it fresh" isDone={steps[1] === true} isCurrent={current === 1}>
          {keptName === null ? (
            <p>Rotavox rotates it before it ends, and puts every new value into the keychain.</p>
          ) : (
            <p className={styles['kept']}>
              {keptName} is rotated before it ends, and every new value is put into the keychain.
            </p>
          )}
          {keptName !== null ? null : (
            <p>
              <Button rank={current === 1 ? 'main' : 'plain'} onPress={() => goTo('/add-credential')}>
                Keep a token fresh…
              </Button>
            </p>
          )}
        </Step>
        <Step place={3} title="Read it where it is used" isDone={false} isCurrent={current === 2}>
          {commandLine === null ? (
            <p>
              Have it delivered to the app that uses it: into a file, a dotenv file, the keychain, or by a
              command.
            </p>
          ) : (
            <>
              <p>This prints the present value, whatever was rotated meanwhile:</p>
              <CommandLine
                line={`${commandLine} get ${keptName ?? 'my-app'}`}
                what="the command that reads the value"
              />
            </>
          )}
          {keptName === null ? null : (
            <p className={styles['last']}>
              <Button rank="main" onPress={onDone}>
                I have read it
              </Button>
              <Link to={credentialPath(keptName)} className={styles['link']}>
                Other ways to use it
              </Link>
            </p>
          )}
        </Step>
      </ol>
    </section>
  );
}

function Step({
  place,
  title,
  isDone,
  isCurrent,
  children,
}: {
  place: number;
  title: string;
  isDone: boolean;
  isCurrent: boolean;
  children: React.ReactNode;
}) {
  return (
    <li
      className={styles['step']}
      data-done={isDone || undefined}
      aria-current={isCurrent ? 'step' : undefined}
    >
      <h3 className={styles['name']}>
        <span className={styles['mark']} aria-hidden="true">
          {isDone ? <Icon name="tick" /> : place}
        </span>
        {title}
        <span className={styles['unseen']} role="status">
          {isDone ? ' (done)' : ''}
        </span>
      </h3>
      <div className={styles['text']}>{children}</div>
    </li>
  );
}
