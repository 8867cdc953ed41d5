import { type ReactNode, type Ref, useEffect, useId, useState } from 'react';
import { exampleText as text, firstStepsText } from '../../../text/window/overview.ts';
import { defaultPolicy } from '../../../contract/credential/credential.ts';
import { Button } from '../../kit/button.tsx';
import cardStyles from '../../kit/card.module.css';
import { CommandLine } from '../../kit/command-line.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { goTo } from '../../kit/navigation.ts';
import { Text } from '../../kit/text.tsx';
import { credentialPath } from '../../kit/window-paths.ts';
import { Box } from '../../kit/box.tsx';
import { LifelineSketch } from '../lifeline/lifeline-card.tsx';

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
            <Row gap={3}>
              <Button rank="main" onPress={() => goTo('/add-credential')}>
                {rotate.button}
              </Button>
            </Row>
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

/** How long a token of the example is valid, in seconds. */
const exampleLifetimeS = 30;

/** After how many seconds it is rotated: the share of a lifetime that holds for every credential unless somebody changes it. */
const rotatedAfterS = exampleLifetimeS * defaultPolicy.fraction;

/** Kept by the tab only, and for as long as the tab is open. */
const removedKey = 'rotavox:example-removed';

/**
 * A token that is rotated while one looks: it counts down, is replaced before it expires, and begins again.
 *
 * It is of this page alone: the service knows nothing of it, so it is no credential, needs no attention, and is gone with one press.
 */
function ExampleToken() {
  const titleId = useId();
  const [isRemoved, setRemoved] = useState(() => sessionStorage.getItem(removedKey) !== null);
  const elapsedMs = useElapsed(!isRemoved);
  if (isRemoved) return null;
  const { place, ageS, rotatesInS, expiresInS } = exampleAt(elapsedMs);

  function remove(): void {
    sessionStorage.setItem(removedKey, 'yes');
    setRemoved(true);
  }

  return (
    <Box as="section" isSunken aria-labelledby={titleId}>
      <Row gap={4} wraps align="center" justify="between">
        <Row gap={6} wraps align="center">
          <LifelineSketch previous={place - 1} elapsed={ageS / exampleLifetimeS} />
          <Stack gap={1}>
            <h3 id={titleId} className={cardStyles['title']}>
              {text.title}
            </h3>
            <Text size="medium" isTabular>
              {text.state(place, rotatesInS, expiresInS)}
            </Text>
            <Text tone="soft" size="small">
              {text.about(exampleLifetimeS)}
            </Text>
          </Stack>
        </Row>
        <Button onPress={remove}>{text.remove}</Button>
      </Row>
    </Box>
  );
}

/** How long it has been shown, in milliseconds, anew each second. */
function useElapsed(isRunning: boolean): number {
  const [elapsedMs, setElapsed] = useState(0);
  useEffect(() => {
    if (!isRunning) return undefined;
    const startedMs = performance.now();
    const timer = setInterval(() => setElapsed(performance.now() - startedMs), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return elapsedMs;
}

/** Which token of the example is the current one, how old it is, and what is left, in whole seconds. */
export function exampleAt(elapsedMs: number): {
  readonly place: number;
  readonly ageS: number;
  readonly rotatesInS: number;
  readonly expiresInS: number;
} {
  // A timer fires a little late at most: its second has begun.
  const elapsedS = Math.floor(elapsedMs / 1000);
  const ageS = elapsedS % rotatedAfterS;
  return {
    place: Math.floor(elapsedS / rotatedAfterS) + 1,
    ageS,
    rotatesInS: rotatedAfterS - ageS,
    expiresInS: exampleLifetimeS - ageS,
  };
}
