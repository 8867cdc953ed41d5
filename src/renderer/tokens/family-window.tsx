import { useState, useSyncExternalStore } from 'react';
import type { TokenFamilyView } from '../../contract/token-list.ts';
import { windowTitle } from '../../text/window.ts';
import { callerText, generationOf } from '../../text/events.ts';
import { familyText as text } from '../../text/token-page.ts';
import { credentialPath, historyPath } from '../kit/address.ts';
import { Column, Columns } from '../kit/card.tsx';
import { Link, WayBack } from '../kit/link.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { Moment } from '../kit/moment.tsx';
import { Notice } from '../kit/notice.tsx';
import pageStyles from '../kit/page.module.css';
import { Below } from '../kit/page.tsx';
import { RichText } from '../kit/rich-text.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { CurrentCard } from './family/current-card.tsx';
import { FamilyHistoryCard } from './family/family-history-card.tsx';
import { familyRotations, tokenFamily } from './family/family-resources.ts';
import { GenerationsCard } from './family/generations-card.tsx';
import { InheritanceCard } from './family/inheritance-card.tsx';
import { StatusShape } from './status-shape.tsx';

/** A token and everything rotated from it: its current state, its generations, and that each inherited what was issued. */
export function FamilyWindow({ id }: { id: string }) {
  const live = useLive(tokenFamily(id));
  const family = live.known?.value ?? null;
  const name = family?.configuration.name ?? text.token;
  return (
    <WindowFrame
      title={windowTitle(name)}
      heading={name}
      above={<WayBack to="/tokens">{text.all}</WayBack>}
      below={family === null ? undefined : <FamilyLine family={family} />}
      live={live}
      nav={<WindowNav current="tokens" />}
    >
      {live.known === undefined ? null : family === null ? (
        <Notice tone="warn" title={text.unknown.title}>
          <p>
            <RichText text={text.unknown.text} parts={{ id: <code>{id}</code> }} />
          </p>
        </Notice>
      ) : (
        <Page family={family} />
      )}
    </WindowFrame>
  );
}

function Page({ family }: { family: TokenFamilyView }) {
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
  return (
    <>
      <ReuseNotice family={family} />
      <Columns>
        <Column>
          {current === undefined ? null : <CurrentCard family={family} token={current} />}
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

/** Its status, category and id. */
function FamilyLine({ family }: { family: TokenFamilyView }) {
  const status = family.tokens.at(-1)?.status;
  const sign =
    status === undefined ? null : (
      <>
        <StatusShape status={status} />
        {status}
      </>
    );
  return (
    <Below sign={sign}>
      <span>{family.configuration.category}</span>
      <code>{family.id}</code>
    </Below>
  );
}

/** The alarm that a superseded token is still used: by whom, what it means and what to do. Nothing while nobody does. */
function ReuseNotice({
  family: { id, last_reuse: last, kept_fresh_by: credential },
}: {
  family: TokenFamilyView;
}) {
  const { reuse } = text;
  if (last === null) return null;
  const { token_id, successor_id, at } = last;
  const generation = generationOf(token_id);
  return (
    <Notice tone="warn" title={reuse.title(callerText(last))}>
      <p>
        <RichText
          text={
            successor_id === null
              ? reuse.text(generation)
              : reuse.textReplaced(generation, generationOf(successor_id))
          }
          parts={{ at: <Moment at={at} /> }}
        />
      </p>
      <p>
        {credential === null ? (
          reuse.give
        ) : (
          <RichText
            text={reuse.deliver}
            parts={{
              credential: (
                <Link to={credentialPath(credential)} className={pageStyles['link']}>
                  {credential}
                </Link>
              ),
            }}
          />
        )}{' '}
        {reuse.unknown}
      </p>
      <p>
        <Link to={`${historyPath(id)}&kind=token.reused`} className={pageStyles['link']}>
          {reuse.all}
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
