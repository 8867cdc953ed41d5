import { Box } from '../../kit/box.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import type { CredentialView } from '../../../contract/credential/credential-view.ts';
import { rotationStepsText as text, rotationStepText } from '../../../text/credential/credential-page.ts';
import { placeText, serviceText } from '../../../text/credential/credentials.ts';
import { preciseClockText } from '../../../text/time.ts';
import { useStoreName } from '../read-credentials.ts';
import { type DeliveryLine, ownSteps, type RotationRun, type StepState } from '../rotation-run.ts';
import styles from './credential-page.module.css';

/**
 * A rotation step by step, each with its time; the one that failed with its reason.
 *
 * The summary's place is always there, or its first words could not be heard.
 */
export function LiveSteps({ run, one }: { run: RotationRun | null; one: CredentialView }) {
  return (
    <Box isSunken className={run === null ? styles['nothing'] : ''}>
      <Stack gap={3}>
        <Text role="status" tone={run?.state === 'failed' ? 'bad' : 'plain'} weight="strong">
          {run === null ? null : summaryOf(run, one)}
        </Text>
        {run === null ? null : <StepLines run={run} one={one} />}
      </Stack>
    </Box>
  );
}

function StepLines({ run, one }: { run: RotationRun; one: CredentialView }) {
  const vault = useStoreName();
  const names = { service: serviceText(one), vault };
  const told = new Map(run.steps.map((line) => [line.step, line]));
  // Of one that is over, what it left out need not be listed.
  const steps = ownSteps.filter((step) => told.has(step) || run.state === 'running');
  return (
    <Stack as="ol" gap={2} aria-label={text.list}>
      {steps.map((step) => {
        const line = told.get(step);
        const state = line?.state ?? 'coming';
        return (
          <StepLine
            key={step}
            state={state}
            at={line?.endedAt ?? line?.beganAt ?? null}
            message={line?.message ?? null}
          >
            {rotationStepText(step, state, names)}
          </StepLine>
        );
      })}
      {run.deliveries.map((line) => (
        <StepLine
          key={line.targetId}
          state={line.state}
          at={line.endedAt ?? line.beganAt}
          message={line.message}
        >
          {text.delivery[line.state]} {placeOf(line, one)}
        </StepLine>
      ))}
    </Stack>
  );
}

function StepLine({
  state,
  at,
  message,
  children,
}: {
  state: StepState | 'coming';
  at: string | null;
  message: string | null;
  children: React.ReactNode;
}) {
  return (
    <Text as="li" tone={state === 'coming' ? 'soft' : 'plain'} size="medium" className={styles['step']}>
      <StepMark state={state} />
      <Text as="div" breaks>
        <p>{children}</p>
        {message === null ? null : <Text tone="bad">{message}</Text>}
      </Text>
      {at === null ? null : (
        <Text as="span" tone="soft" size="small" isTabular>
          <time dateTime={at}>{preciseClockText(at)}</time>
        </Text>
      )}
    </Text>
  );
}

function placeOf({ targetId }: DeliveryLine, { targets }: CredentialView): string {
  const target = targets.find(({ id }) => id === targetId);
  return target === undefined ? text.removedTarget : placeText(target.target);
}

/** The whole in a sentence, which a screen reader is told when it changes. */
function summaryOf({ state, deliveries }: RotationRun, { targets }: CredentialView): string {
  if (state !== 'done') return text[state];
  if (targets.length === 0) return text.rotated;
  const delivered = deliveries.filter((line) => line.state === 'done').length;
  if (deliveries.some((line) => line.state === 'running') || deliveries.length < targets.length)
    return text.delivering;
  return text.delivered(delivered, targets.length);
}

const tones = { coming: 'calm', running: 'accent', done: 'good', failed: 'bad' } as const;

/** How a step stands, by shape: an empty ring, an open one that turns, a tick, a triangle. */
function StepMark({ state }: { state: StepState | 'coming' }) {
  return (
    <svg
      className={styles['mark']}
      data-state={state}
      data-tone={tones[state]}
      viewBox="0 0 16 16"
      role="img"
      aria-label={text.states[state]}
    >
      {state === 'coming' ? <circle cx="8" cy="8" r="4.5" /> : null}
      {state === 'running' ? <path d="M8 2.5A5.5 5.5 0 1 1 2.5 8" /> : null}
      {state === 'done' ? <path d="m3 8.5 3.25 3.25L13 5" /> : null}
      {state === 'failed' ? <path d="M8 2 1.5 13.5h13zM8 6.5v3.25m0 1.75v.5" /> : null}
    </svg>
  );
}
