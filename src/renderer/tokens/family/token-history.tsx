import { type ReactNode, useState, useSyncExternalStore } from 'react';
import type { TokenFamilyView } from '../../../contract/token/token-list.ts';
import { Column, Columns } from '../../kit/card.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { familyRotations } from './family-resources.ts';
import { GenerationsCard } from './generations-card.tsx';
import { InheritanceCard } from './inheritance-card.tsx';

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
