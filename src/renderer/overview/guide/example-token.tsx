import { useEffect, useId, useState } from 'react';
import { defaultPolicy } from '../../../contract/credential/credential.ts';
import { exampleText as text } from '../../../text/window/overview.ts';
import { Box } from '../../kit/box.tsx';
import { Button } from '../../kit/button.tsx';
import cardStyles from '../../kit/card.module.css';
import { Row, Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { LifelineSketch } from '../lifeline/lifeline-card.tsx';

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
export function ExampleToken() {
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
