import { type ReactNode, type Ref, useId } from 'react';
import { firstStepsText } from '../../../text/window/overview.ts';
import { Button } from '../../kit/button.tsx';
import cardStyles from '../../kit/card.module.css';
import { CommandLine } from '../../kit/command-line.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { goTo } from '../../kit/navigation.ts';
import { Text } from '../../kit/text.tsx';
import { credentialPath } from '../../kit/window-paths.ts';
import { ExampleToken } from './example-token.tsx';

/** The next of three steps to a token that is rotated automatically: one thing to press, or one command to copy. */
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
  ref: Ref<HTMLElement>;
  hasToken: boolean;
  /** A credential that there is; null for none. */
  credentialName: string | null;
  /** How the command line is called here; null where there is none. */
  commandLine: string | null;
  issueRef: Ref<HTMLButtonElement>;
  onIssue: () => void;
  onDismiss: () => void;
  onDone: () => void;
}) {
  const titleId = useId();
  const { issue, rotate, use } = firstStepsText;
  return (
    <section
      ref={ref}
      className={cardStyles['card']}
      // What is shown instead of a step that is done stays where it is looked at.
      style={{ overflowAnchor: 'none' }}
      aria-labelledby={titleId}
      tabIndex={-1}
    >
      <Stack gap={5}>
        <Row as="header" gap={4} align="start" justify="between">
          <h2 id={titleId} className={cardStyles['title']}>
            {firstStepsText.title}
          </h2>
          <Button onPress={onDismiss}>{firstStepsText.dismiss}</Button>
        </Row>
        {credentialName !== null ? (
          <Step place="use" title={use.title} text={use.text(credentialName)}>
            {commandLine === null ? null : (
              <CommandLine line={`${commandLine} get ${credentialName}`} what={use.command} />
            )}
            <Row gap={3} wraps align="center">
              <Button rank="main" onPress={onDone}>
                {use.button}
              </Button>
              <Link to={credentialPath(credentialName)}>{use.others}</Link>
            </Row>
          </Step>
        ) : null}
        {credentialName === null && hasToken ? (
          <Step place="rotate" title={rotate.title} text={rotate.text}>
            <Button rank="main" onPress={() => goTo('/add-credential')}>
              {rotate.button}
            </Button>
          </Step>
        ) : null}
        {credentialName === null && !hasToken ? (
          <>
            <Step place="issue" title={issue.title} text={issue.text}>
              <Row gap={3} wraps align="center">
                <Button rank="main" ref={issueRef} onPress={onIssue}>
                  {issue.button}
                </Button>
                <Link to="/add-credential">{issue.other}</Link>
              </Row>
              {commandLine === null ? null : (
                <>
                  <Text tone="soft" size="medium">
                    {issue.orCommand}
                  </Text>
                  <CommandLine line={`${commandLine} token issue --keep-as my-app`} what={issue.command} />
                </>
              )}
            </Step>
            <ExampleToken />
          </>
        ) : null}
      </Stack>
    </section>
  );
}

/** What to do now. The heading is announced when another step takes its place. */
function Step({
  place,
  title,
  text,
  children,
}: {
  place: keyof typeof firstStepsText.places;
  title: string;
  text: string;
  children: ReactNode;
}) {
  return (
    <Stack gap={3}>
      <div role="status">
        <Text tone="soft" size="small">
          {firstStepsText.places[place]}
        </Text>
        <Text as="h3" size="large" weight="bold">
          {title}
        </Text>
      </div>
      <Text breaks style={{ maxWidth: '44rem' }}>
        {text}
      </Text>
      {children}
    </Stack>
  );
}
