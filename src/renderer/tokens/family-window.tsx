import { useState, useSyncExternalStore } from 'react';
import type { TokenFamilyView } from '../../contract/token-list.ts';
import { credentialPath, historyPath } from '../kit/address.ts';
import { Column, Columns } from '../kit/card.tsx';
import { Link, WayBack } from '../kit/link.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { Moment } from '../kit/moment.tsx';
import { Notice } from '../kit/notice.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { generationOf } from '../../text/events.ts';
import { FamilyHistoryCard } from './family/family-history-card.tsx';
import { familyRotations, tokenFamily } from './family/family-resources.ts';
import styles from './family/family.module.css';
import { GenerationsCard } from './family/generations-card.tsx';
import { InheritanceCard } from './family/inheritance-card.tsx';
import { PresentCard } from './family/present-card.tsx';
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

/** The alarm that a replaced token is still used: by whom, what it means and what to do. Nothing while nobody does. */
function ReuseNotice({ family: { id, last_reuse: reuse, kept_fresh_by } }: { family: TokenFamilyView }) {
  if (reuse === null) return null;
  const { address, user_agent, token_id, successor_id, at } = reuse;
  const who = user_agent === null ? address : `${address} (${user_agent})`;
  return (
    <Notice tone="warn" title={`Still used after supersession by ${who}.`}>
      <p>
        Generation {generationOf(token_id)} was refused with 401, last <Moment at={at} />
        {successor_id === null ? null : <>: generation {generationOf(successor_id)} has replaced it</>}. The
        program there has not got the new value, or somebody has a copy of the old one. The old one opens
        nothing.
      </p>
      <p>
        {kept_fresh_by === null ? (
          'Give that program the value of the present generation, which whoever rotated it has.'
        ) : (
          <>
            Bring that program the present value: add it as a delivery target of{' '}
            <Link to={credentialPath(kept_fresh_by)} className={styles['link']}>
              {kept_fresh_by}
            </Link>
            .
          </>
        )}{' '}
        If you do not know who that is, blacklist the token and issue another one.
      </p>
      <p>
        <Link to={`${historyPath(id)}&kind=token.reused`} className={styles['link']}>
          Every use after supersession
        </Link>
      </p>
    </Notice>
  );
}

/** What the address names after its `#`: a part of the page. */
function useHash(): string {
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
