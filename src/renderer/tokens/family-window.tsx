import { useEffect } from 'react';
import type { TokenFamilyView } from '../../contract/token/token-list.ts';
import { windowTitle } from '../../text/window/window.ts';
import { familyText as text } from '../../text/token/token-page.ts';
import { credentialPath } from '../kit/window-paths.ts';
import { WayBack } from '../kit/link.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { goInstead } from '../kit/navigation.ts';
import { FoundOrUnknown } from '../kit/notice.tsx';
import { Below } from '../kit/page.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { CurrentCard } from './family/current-card.tsx';
import { FamilyHistoryCard, tokenFamily } from './family/family-history-card.tsx';
import { TokenHistory } from './family/token-history.tsx';
import { ReuseNotice } from './reuse-notice.tsx';
import { StatusShape } from './status-shape.tsx';

/** A token that no credential rotates: its current state, the previous tokens, and that each inherited what was issued. */
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
      <FoundOrUnknown isKnown={live.known !== undefined} found={family} text={text.unknown} name={id}>
        {(found) => <Page family={found} />}
      </FoundOrUnknown>
    </WindowFrame>
  );
}

function Page({ family }: { family: TokenFamilyView }) {
  const current = family.tokens.at(-1);
  const credential = family.kept_fresh_by;
  useEffect(() => {
    // A token that a credential rotates has one page, that of the credential.
    if (credential !== null) goInstead(`${credentialPath(credential)}${location.hash}`);
  }, [credential]);
  if (credential !== null) return null;
  return (
    <>
      <ReuseNotice familyId={family.id} uses={family.reuses} credential={null} />
      <TokenHistory family={family}>
        {current === undefined ? null : <CurrentCard token={current} />}
      </TokenHistory>
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
