import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { TokenFamilyView } from '../../../contract/token/token-list.ts';
import type { HistoryEvent } from '../../../contract/history/audit-event.ts';
import type { TokenView } from '../../../contract/token/token.ts';
import { generationsText as text } from '../../../text/token/token-page.ts';
import { Card, Column, Columns } from '../../kit/card.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { Text } from '../../kit/text.tsx';
import { ActionButton, Button } from '../../kit/button.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Moment } from '../../kit/moment.tsx';
import { RichText } from '../../kit/rich-text.tsx';
import { Stack } from '../../kit/layout.tsx';
import { isLive, StatusShape } from '../status-shape.tsx';
import { actorPlace, familyRotations } from './family-history-card.tsx';
import { InheritanceCard } from './inheritance-card.tsx';
import styles from './family.module.css';

/** The current and the previous tokens, and that each inherited what was issued. The address may name one after its `#`. */
export function TokenHistory({
  family,
  isPart = false,
  children,
}: {
  family: TokenFamilyView;
  /** Of another card, where there is no room for two columns. */
  isPart?: boolean;
  children?: ReactNode;
}) {
  const current = family.tokens.at(-1);
  const selected = useHash();
  const rotations = useLive(familyRotations(family.id)).known?.value ?? [];
  const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(new Map());
  const compared = new Set(
    family.tokens
      .filter(({ id, generation }) => chosen.get(generation) ?? (id === current?.id || id === selected))
      .map(({ generation }) => generation),
  );
  function compare(generation: number): void {
    setChosen(new Map(chosen).set(generation, !compared.has(generation)));
  }
  const inheritance = (
    <InheritanceCard isPart={isPart} family={family} rotations={rotations} compared={compared} />
  );
  const generations = (
    <GenerationsCard
      key={selected}
      isPart={isPart}
      family={family}
      rotations={rotations}
      selected={selected}
      compared={compared}
      onCompare={compare}
    />
  );
  if (isPart)
    return (
      <Column>
        {inheritance}
        {generations}
      </Column>
    );
  return (
    <Columns>
      <Column>
        {children}
        {inheritance}
      </Column>
      {generations}
    </Columns>
  );
}

/** What the address names after its `#`: a part of the page. */
export function useHash(): string {
  return useSyncExternalStore(follow, () => decodedHash(location.hash));
}

function follow(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  addEventListener('popstate', onChange);
  return () => {
    removeEventListener('hashchange', onChange);
    removeEventListener('popstate', onChange);
  };
}

function decodedHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1); // shown as it is written, as an id that nothing has
  }
}

/** As many generations as are shown at first. */
const shownAtFirst = 6;

/** The generations of a family, newest on top: the lifetime of each, who made it and how it ended. */
function GenerationsCard({
  isPart,
  family,
  rotations,
  selected,
  compared,
  onCompare,
}: {
  isPart: boolean;
  family: TokenFamilyView;
  rotations: readonly HistoryEvent[];
  /** The id of the generation that the address names. */
  selected: string;
  /** The generations that are compared with the issue. */
  compared: ReadonlySet<number>;
  onCompare: (generation: number) => void;
}) {
  const { tokens, generations, last_reuse } = family;
  const newestFirst = tokens.toReversed();
  const place = newestFirst.findIndex(({ id }) => id === selected);
  const [isAll, setAll] = useState(place >= shownAtFirst);
  const shown = isAll ? newestFirst : newestFirst.slice(0, shownAtFirst);
  const rest = tokens.length - shown.length;
  const older = generations - tokens.length;

  return (
    <Card
      isPart={isPart}
      title={text.title}
      aside={generations === 1 ? text.neverRotated : text.count(generations)}
    >
      <Stack gap={4}>
        <ol reversed>
          {shown.map((token) => (
            <GenerationItem
              key={token.id}
              token={token}
              rotation={rotations.find(({ data }) => data.source_id === token.id)}
              reuse={last_reuse?.token_id === token.id ? last_reuse : undefined}
              isSelected={token.id === selected}
              isCompared={compared.has(token.generation)}
              onCompare={() => onCompare(token.generation)}
            />
          ))}
        </ol>
        <OlderGenerations rest={rest} older={older} onShow={() => setAll(true)} />
      </Stack>
    </Card>
  );
}

/** Those that are not shown: `rest` could be, and `older` are in the history only. */
function OlderGenerations({ rest, older, onShow }: { rest: number; older: number; onShow: () => void }) {
  if (rest > 0) {
    return (
      <p className={styles['generationRest']}>
        <Button onPress={onShow}>{text.showOlder(rest)}</Button>
      </p>
    );
  }
  if (older <= 0) return null;
  return (
    <Text tone="soft" size="medium" className={styles['generationRest']}>
      {text.olderInHistory(older)}
    </Text>
  );
}

/** One generation: its lifetime in a line, who made it, how it ended. */
function GenerationItem({
  token,
  rotation,
  reuse,
  isSelected,
  isCompared,
  onCompare,
}: {
  token: TokenView;
  /** The rotation at its end. */
  rotation: HistoryEvent | undefined;
  reuse: TokenFamilyView['last_reuse'] | undefined;
  isSelected: boolean;
  isCompared: boolean;
  onCompare: () => void;
}) {
  const ref = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSelected) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  const { id, generation, status, created_at, ended_at, expires_at, first_used_at, checked_at, reason } =
    token;

  return (
    <li ref={ref} id={id} className={styles['generation']} aria-current={isSelected || undefined}>
      <span className={styles['node']}>
        <StatusShape status={status} />
      </span>
      <Text as="div" size="medium" breaks isTabular>
        <Text size="normal" weight="bold" tone={isSelected ? 'accent' : 'plain'}>
          {text.generation(generation)}{' '}
          <Text as="span" tone="soft" weight="regular">
            {status}
          </Text>
        </Text>
        <p>
          <RichText
            text={isLive(status) ? text.spanAtMost : text.span}
            parts={{ from: <Moment at={created_at} />, to: <Moment at={ended_at ?? expires_at} /> }}
          />
        </p>
        <Text tone="soft">
          {[
            ...(generation === 1 ? [text.issued] : []),
            ...(rotation === undefined ? [] : [text.rotated(actorPlace(rotation.actor))]),
            ...(first_used_at === null ? [checked_at === null ? text.neverUsed : text.onlyChecked] : []),
          ].join('. ')}
        </Text>
        {reason === null ? null : <p>“{reason}”</p>}
        {reuse === undefined || reuse === null ? null : (
          <Text tone="warn" weight="strong">
            <RichText text={text.stillUsed(reuse.address)} parts={{ at: <Moment at={reuse.at} /> }} />
          </Text>
        )}
      </Text>
      <div className={styles['compare']}>
        <ActionButton about={text.compareLabel(generation)} isPressed={isCompared} onPress={onCompare}>
          {isCompared ? <Icon name="tick" /> : null} {text.compare}
        </ActionButton>
      </div>
    </li>
  );
}
