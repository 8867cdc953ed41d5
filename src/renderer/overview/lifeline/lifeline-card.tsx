import { useId, useMemo, useRef } from 'react';
import { Row, Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { defaultPolicy } from '../../../contract/credential/credential.ts';
import type { Lifeline, LifelineRow } from '../../../contract/window/lifeline.ts';
import { lifelineText } from '../../../text/window/lifeline-text.ts';
import { Button } from '../../kit/button.tsx';
import { Choice } from '../../kit/choice.tsx';
import { useShortcut } from '../../kit/keys/use-shortcut.ts';
import { setSearch, useSearch } from '../../kit/navigation.ts';
import { Box } from '../../kit/box.tsx';
import cardStyles from '../../kit/card.module.css';
import { useMinute } from '../../kit/use-minute.ts';
import styles from './lifeline-card.module.css';
import { lookOf, type RowLook } from './lifeline-name.tsx';
import { LifelinePicture, type PictureHandle } from './lifeline-picture.tsx';
import trackStyles from './lifeline-track.module.css';
import { diamond, hollowDiamond, hollowSquare, roundedBar, upright, xMark } from './row-drawing.ts';
import { defaultSpan, type Span, spans } from './time-scale.ts';

/** All tokens and credentials over time: what each token lasted, and which rotations are planned. */
export function LifelineCard({
  lifeline,
  empty,
}: {
  lifeline: Lifeline | undefined;
  empty: React.ReactNode;
}) {
  const titleId = useId();
  const picture = useRef<PictureHandle>(null);
  const nowMs = useMinute();
  const [span, setSpan] = useSpan();
  const hasRows = lifeline !== undefined && lifeline.rows.length > 0;

  const zoom = (step: 1 | -1): void => {
    const next = spans[spans.indexOf(span) + step];
    if (next !== undefined) setSpan(next);
  };
  useShortcut('+', lifelineText.shortcuts.zoomIn, () => zoom(-1));
  useShortcut('-', lifelineText.shortcuts.zoomOut, () => zoom(1));
  useShortcut('0', lifelineText.shortcuts.goToNow, () => picture.current?.goToNow());

  return (
    <section className={styles['card']} aria-labelledby={titleId}>
      <Row as="header" gap={3} wraps align="center" justify="between" className={styles['head']}>
        <h2 id={titleId} className={cardStyles['title']}>
          {lifelineText.title}
        </h2>
        {hasRows ? (
          <Row gap={2} wraps align="center">
            <SpanChoice span={span} onChange={setSpan} />
            <Button onPress={() => picture.current?.goToNow()}>{lifelineText.now}</Button>
          </Row>
        ) : null}
      </Row>
      {lifeline === undefined ? <div className={styles['waiting']} /> : null}
      {lifeline !== undefined && !hasRows ? <div className={styles['empty']}>{empty}</div> : null}
      {hasRows ? (
        <>
          <LifelinePicture ref={picture} rows={lifeline.rows} span={span} nowMs={nowMs} />
          <Text as="div" tone="soft" size="tiny" className={styles['foot']}>
            <Legend rows={lifeline.rows} />
            {lifeline.left_out > 0 ? (
              <p>{lifelineText.leftOut(lifeline.rows.length, lifeline.left_out)}</p>
            ) : null}
          </Text>
        </>
      ) : null}
    </section>
  );
}

/** How much is in sight, which the address remembers for the way back. */
function useSpan(): [Span, (span: Span) => void] {
  const wanted = Number(useSearch().get('days'));
  const span = spans.find((one) => one === wanted) ?? defaultSpan;
  return [span, (next) => setSearch({ days: next === defaultSpan ? undefined : String(next) })];
}

type Shape = keyof typeof lifelineText.legend;

const bar = roundedBar(2, { width: 20, top: 3, height: 14 });

const samples: readonly { readonly shape: Shape; readonly sample: React.ReactNode }[] = [
  ...(['fresh', 'unkept', 'resting', 'failing'] as const).map((look) => ({
    shape: look,
    sample: <PresentSample look={look} />,
  })),
  { shape: 'superseded', sample: <path className={trackStyles['superseded']} d={bar} /> },
  {
    shape: 'expired',
    sample: (
      <>
        <path className={trackStyles['expired']} d={roundedBar(2, { width: 18, top: 3, height: 14 })} />
        <path className={trackStyles['expiredCap']} d={upright(21, { top: 0, height: 20 })} />
      </>
    ),
  },
  {
    shape: 'blacklisted',
    sample: (
      <>
        <path className={trackStyles['blacklisted']} d={roundedBar(2, { width: 12, top: 3, height: 14 })} />
        <path className={trackStyles['blacklistedCap']} d={xMark(19, 10, 4)} />
      </>
    ),
  },
  {
    shape: 'replaced',
    sample: (
      <>
        <path className={trackStyles['replaced']} d={roundedBar(2, { width: 16, top: 3, height: 14 })} />
        <path className={trackStyles['replacedCap']} d={hollowSquare(19, 10, 6)} />
      </>
    ),
  },
  { shape: 'next', sample: <path className={trackStyles['next']} d={diamond(12, 10, 6)} /> },
  {
    shape: 'planned',
    sample: (
      <path className={trackStyles['planned']} d={hollowDiamond(6, 10, 4, 2) + hollowDiamond(18, 10, 4, 2)} />
    ),
  },
];

/** What the shapes in these rows mean. Hidden from screen readers: every row says the same in its label. */
function Legend({ rows }: { rows: readonly LifelineRow[] }) {
  const drawn = useMemo(() => new Set(rows.flatMap(shapesOf)), [rows]);
  return (
    <Row as="ul" gap={4} wraps aria-hidden="true">
      {samples.map(({ shape, sample }) =>
        drawn.has(shape) ? (
          <Row key={shape} as="li" gap={2} align="center">
            <svg className={styles['sample']} viewBox="0 0 24 20" focusable="false">
              {sample}
            </svg>
            {lifelineText.legend[shape]}
          </Row>
        ) : null,
      )}
    </Row>
  );
}

function shapesOf(row: LifelineRow): Shape[] {
  const lives = row.generations.map(([, , end]) => (end === 'present' ? lookOf(row) : end));
  const planned = row.kind === 'credential' ? row.planned.length : 0;
  return [
    ...lives,
    ...(planned > 0 ? (['next'] as const) : []),
    ...(planned > 1 ? (['planned'] as const) : []),
  ];
}

/** A current token in one of its colours: what is lived of it, and what is left. */
function PresentSample({ look }: { look: RowLook }) {
  return (
    <g data-look={look} className={trackStyles['present']}>
      <path className={trackStyles['lived']} d={roundedBar(2, { width: 9, top: 3, height: 14 })} />
      <path className={trackStyles['left']} d={roundedBar(11, { width: 10, top: 3, height: 14 })} />
      <path className={trackStyles['end']} d={upright(21, { top: 0, height: 20 })} />
    </g>
  );
}

/** How much of time is visible: one of three. */
function SpanChoice({ span, onChange }: { span: Span; onChange: (span: Span) => void }) {
  return (
    <div role="group" aria-label={lifelineText.range}>
      <Choice
        options={spans.map((days) => ({ value: days, label: lifelineText.days(days) }))}
        value={span}
        onChange={onChange}
      />
    </div>
  );
}

/** What will be here, and the first step to it. */
export function LifelineEmpty({ onGuide }: { onGuide: () => void }) {
  return (
    <Box isSunken>
      <Row gap={6} wraps align="center">
        <LifelineSketch />
        <Stack gap={1} align="start">
          <Text weight="bold">{lifelineText.empty.title}</Text>
          <Text tone="soft" size="medium">
            {lifelineText.empty.text}
          </Text>
          <Button onPress={onGuide}>{lifelineText.empty.showFirstSteps}</Button>
        </Stack>
      </Row>
    </Box>
  );
}

/** How wide the sketch has a token, and how far after another one it begins. */
const sketched = { width: 56, step: 38 } as const;

/** A lifeline in small: up to two tokens that were replaced, the current one and how much of it has passed, and what is planned. */
export function LifelineSketch({ previous = 2, elapsed = 1 / 3 }: { previous?: number; elapsed?: number }) {
  const { width, step } = sketched;
  const left = 2 + Math.min(previous, 2) * step;
  const nowX = left + width * elapsed;
  return (
    <svg className={styles['sketch']} viewBox="0 0 240 28" aria-hidden="true" focusable="false">
      {[1, 2].map((back) =>
        back > previous ? null : (
          <path
            key={back}
            className={trackStyles['superseded']}
            d={roundedBar(left - back * step, { width: step - 2, top: 7, height: 14 })}
          />
        ),
      )}
      <g className={trackStyles['present']}>
        <path
          className={trackStyles['lived']}
          d={roundedBar(left, { width: nowX - left, top: 7, height: 14 })}
        />
        <path
          className={trackStyles['left']}
          d={roundedBar(nowX, { width: left + width - nowX, top: 7, height: 14 })}
        />
        <path className={trackStyles['end']} d={upright(left + width, { top: 2, height: 24 })} />
      </g>
      <path className={trackStyles['next']} d={diamond(left + width * defaultPolicy.fraction, 14, 6)} />
      <path
        className={trackStyles['planned']}
        d={[1, 2, 3].map((ahead) => hollowDiamond(left + (1 + ahead) * step, 14, 4, 2)).join('')}
      />
    </svg>
  );
}
