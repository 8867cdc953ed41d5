import { memo, type MouseEvent } from 'react';
import type { LifelineRow } from '../../../contract/window/lifeline.ts';
import { StateDrawing, stateSign } from '../../credentials/state-sign.tsx';
import { credentialPath, familyPath } from '../../kit/window-paths.ts';
import { goTo } from '../../kit/navigation.ts';
import { StatusShape, TokenName } from '../../tokens/status-shape.tsx';
import { rowNameText, rowText, standingText } from '../../../text/window/lifeline-text.ts';
import { Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import styles from './lifeline-name.module.css';

/** The name of a row and how it stands: a link to its own page, whose text for screen readers says all that its drawing shows. */
export const LifelineName = memo(function LifelineName({
  row,
  nowMs,
  isReachable,
  helpId,
  onReach,
}: {
  row: LifelineRow;
  nowMs: number;
  /** Whether Tab leads to it: to one of all rows. */
  isReachable: boolean;
  helpId: string;
  onReach: (id: string) => void;
}) {
  /** As `kit/link.tsx` does; that one is no stop in a row of rows. */
  function open(event: MouseEvent): void {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    goTo(pathOf(row));
  }

  return (
    <a
      href={pathOf(row)}
      className={styles['name']}
      aria-label={rowText(row, nowMs)}
      aria-describedby={helpId}
      tabIndex={isReachable ? 0 : -1}
      onFocus={() => onReach(row.id)}
      onClick={open}
    >
      <RowSign row={row} />
      <Stack as="span" gap={0}>
        <Text as="span" size="medium" weight="bold" isCut title={rowNameText(row)}>
          <RowName row={row} />
        </Text>{' '}
        <Text as="span" tone={toneOf(row)} size="tiny" isTabular isCut>
          {standingText(row, nowMs)}
        </Text>
      </Stack>
    </a>
  );
});

function RowName({ row }: { row: LifelineRow }) {
  if (row.kind === 'family') return <bdi>{row.name}</bdi>;
  return <TokenName token={{ name: row.token_name ?? row.name, kept_fresh_by: row.name }} />;
}

/** Where the details of a row are. */
export function pathOf(row: LifelineRow): string {
  return row.kind === 'credential' ? credentialPath(row.name) : familyPath(row.id);
}

/** How a row stands, as a shape; its text stands beside it. */
function RowSign({ row }: { row: LifelineRow }) {
  // A shape that says “all is well” beside words that do not would mislead.
  if (row.needs_attention && isCalm(row)) return <StateDrawing shape="triangle" tone="warn" />;
  if (row.kind === 'family') return <StatusShape status={row.status} />;
  const { shape, tone } = stateSign({
    state: row.state,
    trouble: row.trouble === null ? null : { kind: row.trouble },
  });
  return <StateDrawing shape={shape} tone={tone} />;
}

/** Whether its own state says nothing of why it needs somebody: a token that ends, or one that is still used. */
function isCalm(row: LifelineRow): boolean {
  return row.kind === 'family' ? row.status === 'Active' : row.state === 'fine' || row.state === 'reminder';
}

/** What the current token of a row looks like. */
export type RowLook = 'fresh' | 'failing' | 'resting' | 'unkept';

export function lookOf(row: LifelineRow): RowLook {
  if (row.kind === 'family') return row.status === 'Suspended' ? 'resting' : 'unkept';
  if (row.state === 'paused') return 'resting';
  if (row.state === 'reminder') return 'unkept';
  return row.needs_attention && row.state !== 'delivery_failing' && row.state !== 'fine'
    ? 'failing'
    : 'fresh';
}

/** How its words are coloured: beside them its sign says the same by its shape. */
function toneOf(row: LifelineRow): 'bad' | 'warn' | 'soft' {
  if (!row.needs_attention) return 'soft';
  return lookOf(row) === 'failing' ? 'bad' : 'warn';
}
