import { useState } from 'react';

import type { TokenFamilyView } from '../../contract/token-family.ts';
import { Column, Columns } from '../kit/columns.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { Notice } from '../kit/notice.tsx';
import { WayBack } from '../kit/way-back.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import styles from './family/family.module.css';
import { FamilyHistoryCard } from './family/family-history-card.tsx';
import { familyRotations, tokenFamily } from './family/family-resources.ts';
import { GenerationsCard } from './family/generations-card.tsx';
import { InheritanceCard } from './family/inheritance-card.tsx';
import { PresentCard } from './family/present-card.tsx';
import { ReuseNotice } from './family/reuse-notice.tsx';
import { useHash } from './family/use-hash.ts';
import { StatusShape } from './status-shape.tsx';

/** A token and everything rotated from it: how it is now, how it came to be, and that nothing was lost on the way. */
export function FamilyWindow({ id }: { id: string }) {
  const live = useLive(tokenFamily(id));
  const family = live.known?.value ?? null;
  return (
    <WindowFrame
      title={`${family?.configuration.name ?? 'Token'} — Rotavox`}
      heading={family?.configuration.name ?? 'Token'}
      above={<WayBack to="/tokens">All tokens</WayBack>}
      below={family === null ? undefined : <Below family={family} />}
      live={live}
      nav={<WindowNav current="tokens" />}
    >
      {live.known === undefined ? null : family === null ? <Unknown id={id} /> : <Page family={family} />}
    </WindowFrame>
  );
}

function Page({ family }: { family: TokenFamilyView }) {
  const present = family.tokens.at(-1);
  const selected = useHash();
  const rotations = useLive(familyRotations(family.id)).known?.value ?? [];
  const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(new Map());
  const compared = new Set(
    family.tokens
      .filter(({ id, generation }) => chosen.get(generation) ?? (id === present?.id || id === selected))
      .map(({ generation }) => generation),
  );
  function compare(generation: number): void {
    setChosen(new Map(chosen).set(generation, !compared.has(generation)));
  }
  return (
    <>
      <ReuseNotice family={family} />
      <Columns>
        <Column>
          {present === undefined ? null : <PresentCard family={family} token={present} />}
          <InheritanceCard family={family} rotations={rotations} compared={compared} />
        </Column>
        <GenerationsCard
          key={selected}
          family={family}
          rotations={rotations}
          selected={selected}
          compared={compared}
          onCompare={compare}
        />
      </Columns>
      <FamilyHistoryCard id={family.id} />
    </>
  );
}

/** How it is and what it is called by programs; told to a screen reader when it changes. */
function Below({ family }: { family: TokenFamilyView }) {
  const status = family.tokens.at(-1)?.status;
  return (
    <p className={styles['below']}>
      {status === undefined ? null : (
        <span role="status" className={styles['sign']}>
          <StatusShape status={status} />
          {status}
        </span>
      )}
      <span>{family.configuration.category}</span>
      <code>{family.id}</code>
    </p>
  );
}

function Unknown({ id }: { id: string }) {
  return (
    <Notice tone="warn" title="There is no token family with this id.">
      <p>
        <code>{id}</code> was never issued here. The link that led here is mistyped, or of another machine.
      </p>
    </Notice>
  );
}
