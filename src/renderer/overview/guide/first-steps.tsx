import { useId } from 'react';

import { Text } from '../../kit/text.tsx';
import { firstStepsText } from '../../../text/window/overview.ts';
import { Button } from '../../kit/button.tsx';
import { CommandLine } from '../../kit/command-line.tsx';
import { credentialPath } from '../../kit/window-paths.ts';
import cardStyles from '../../kit/card.module.css';
import { Row, Stack } from '../../kit/layout.tsx';
import pageStyles from '../../kit/page.module.css';
import { Icon } from '../../kit/icon.tsx';
import { Link } from '../../kit/link.tsx';
import { goTo } from '../../kit/navigation.ts';
import unseen from '../../kit/unseen.module.css';
import styles from './first-steps.module.css';
import { RotationPicture } from './rotation-picture.tsx';

/** The three steps to a token that is rotated automatically; each is ticked when it is done. */
export function FirstSteps({
  ref,
  hasToken,
  credentialName,
  commandLine,
  issueRef,
  onIssue,
  onDismiss,
  onDone,
}: {
  ref: React.Ref<HTMLElement>;
  hasToken: boolean;
  /** A credential that there is; null for none. */
  credentialName: string | null;
  /** How the command line is called here; null where there is none. */
  commandLine: string | null;
  issueRef: React.Ref<HTMLButtonElement>;
  onIssue: () => void;
  onDismiss: () => void;
  onDone: () => void;
}) {
  const titleId = useId();
  const { issue, rotate, use } = firstStepsText;
  const steps = [hasToken || credentialName !== null, credentialName !== null, false];
  const current = steps.indexOf(false);
  return (
    <section ref={ref} className={cardStyles['card']} aria-labelledby={titleId} tabIndex={-1}>
      <Stack gap={5}>
        <Row as="header" gap={4} align="start" justify="between">
          <div>
            <h2 id={titleId} className={cardStyles['title']}>
              {firstStepsText.title}
            </h2>
            <Text tone="soft" size="small">
              {firstStepsText.lead}
            </Text>
          </div>
          <Button onPress={onDismiss}>{firstStepsText.dismiss}</Button>
        </Row>
        <Row gap={6} wraps align="center">
          <Text weight="strong" className={styles['what']}>
            {firstStepsText.what}
          </Text>
          <RotationPicture />
        </Row>
        <ol className={styles['steps']}>
          <Step place={1} title={issue.title} isDone={steps[0] === true} isCurrent={current === 0}>
            {steps[0] === true ? (
              <p>{issue.done}</p>
            ) : (
              <>
                <p>{issue.text}</p>
                <p>
                  <Button rank="main" ref={issueRef} onPress={onIssue}>
                    {issue.button}
                  </Button>
                </p>
                {commandLine === null ? null : (
                  <>
                    <p>{issue.orCommand}</p>
                    <CommandLine
                      line={`${commandLine} token issue --name my-app --validity 7 --keep-as my-app`}
                      what={issue.command}
                    />
                  </>
                )}
              </>
            )}
          </Step>
          <Step place={2} title={rotate.title} isDone={steps[1] === true} isCurrent={current === 1}>
            {credentialName === null ? (
              <p>{rotate.text}</p>
            ) : (
              <Text breaks>{rotate.done(credentialName)}</Text>
            )}
            {credentialName !== null ? null : (
              <p>
                <Button rank={current === 1 ? 'main' : 'plain'} onPress={() => goTo('/add-credential')}>
                  {rotate.button}
                </Button>
              </p>
            )}
          </Step>
          <Step place={3} title={use.title} isDone={false} isCurrent={current === 2}>
            {commandLine === null ? (
              <p>{use.text}</p>
            ) : (
              <>
                <p>{use.commandText}</p>
                <CommandLine line={`${commandLine} get ${credentialName ?? 'my-app'}`} what={use.command} />
              </>
            )}
            {credentialName === null ? null : (
              <Row as="p" gap={3} wraps align="center">
                <Button rank="main" onPress={onDone}>
                  {use.button}
                </Button>
                <Link to={credentialPath(credentialName)} className={pageStyles['link']}>
                  {use.others}
                </Link>
              </Row>
            )}
          </Step>
        </ol>
      </Stack>
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
      <Row as="h3" gap={2} align="center" className={cardStyles['title']}>
        <span className={styles['mark']} aria-hidden="true">
          {isDone ? <Icon name="tick" /> : place}
        </span>
        {title}
        <span className={unseen['unseen']} role="status">
          {isDone ? ` ${firstStepsText.done}` : ''}
        </span>
      </Row>
      <Text as="div" tone="soft" size="medium">
        <Stack gap={2}>{children}</Stack>
      </Text>
    </li>
  );
}
