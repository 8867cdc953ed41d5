import type { HistoryEvent } from '../../contract/audit-event.ts';
import type { CredentialView } from '../../contract/credential-view.ts';
import { actorText, eventDetail, eventTitle } from '../../text/events.ts';
import { eventSign } from '../history/event-signs.ts';
import { familyPath, historyPath } from '../kit/address.ts';
import { Button } from '../kit/button.tsx';
import { Card, Column, Columns } from '../kit/card.tsx';
import { Icon } from '../kit/icon.tsx';
import { Link, WayBack } from '../kit/link.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { ExactMoment } from '../kit/moment.tsx';
import { setSearch, useSearch } from '../kit/navigation.ts';
import { Notice } from '../kit/notice.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import styles from './credential-window.module.css';
import { PolicyCard } from './page/policy-card.tsx';
import { RecipesCard } from './page/recipes-card.tsx';
import { RemoveCard } from './page/remove-card.tsx';
import { RotationCard } from './page/rotation-card.tsx';
import { TokenCard } from './page/token-card.tsx';
import { TroubleNotice } from './page/trouble-notice.tsx';
import { historyOf, oneCredential, turningInstants, useTurning } from './read-credentials.ts';
import { StateSign } from './state-shape.tsx';
import { TargetsCard } from './targets/targets-card.tsx';
import { hostOf } from '../../contract/address.ts';

/** One credential by its name: how it is, what comes next, where its value goes, and everything that can be done with it. */
export function CredentialWindow({ name }: { name: string }) {
  const resource = oneCredential(name);
  const live = useLive(resource);
  const one = live.known?.value ?? null;
  useTurning(resource, one === null ? [] : turningInstants(one));

  return (
    <WindowFrame
      title={`${name} — Rotavox`}
      heading={name}
      above={<WayBack to="/credentials">All credentials</WayBack>}
      below={one === null ? undefined : <Below one={one} />}
      live={live}
      nav={<WindowNav current="credentials" />}
    >
      {live.known === undefined ? null : one === null ? (
        <Unknown name={name} />
      ) : (
        <Page key={one.id} one={one} />
      )}
    </WindowFrame>
  );
}

function Page({ one }: { one: CredentialView }) {
  const isNew = useSearch().has('new');
  return (
    <>
      {isNew ? <AddedNote one={one} /> : null}
      <TroubleNotice one={one} />
      <StillUsedNotice one={one} />
      <Columns>
        <Column>
          <RotationCard one={one} />
          <TargetsCard one={one} />
        </Column>
        <Column>
          <TokenCard one={one} />
          <RecipesCard one={one} />
          {one.can_rotate === false ? null : <PolicyCard one={one} />}
        </Column>
      </Columns>
      <HistoryPart one={one} />
      <RemoveCard one={one} />
    </>
  );
}

/** How it is and where it is from; told to a screen reader when it changes. */
function Below({ one }: { one: CredentialView }) {
  return (
    <p className={styles['below']}>
      <span role="status">
        <StateSign one={one} />
      </span>
      <span className={styles['where']}>
        {one.service === 'embedded' ? 'a token of this service' : `a token of ${hostOf(one.base_url)}`}
      </span>
    </p>
  );
}

function Unknown({ name }: { name: string }) {
  return (
    <Notice tone="warn" title="No token is kept fresh under this name.">
      <p>
        <code>{name}</code> was removed, or the link that led here is mistyped or of another machine. What
        happened to it is in the history.
      </p>
    </Notice>
  );
}

/** What to do next with a token that was just added: said once, on the page that it leads to. */
function AddedNote({ one: { name, can_rotate: canRotate } }: { one: CredentialView }) {
  return (
    <div className={styles['note']} role="status">
      <Icon name="tick" />
      <p className={styles['words']}>
        <strong>{name}</strong>{' '}
        {canRotate === false
          ? 'is not rotated; you are reminded before it expires.'
          : canRotate === null
            ? 'is rotated from now on. Whether its service can do that could not be found out: its first rotation shows it.'
            : 'is kept fresh from now on.'}{' '}
        Next: add the places where programs read it, under “Delivered to”, or take a recipe from “Use it”.
      </p>
      <Button onPress={() => setSearch({ new: undefined })}>Understood</Button>
    </div>
  );
}

/** The alarm: somebody uses a value that was replaced. Nothing while nobody does. */
function StillUsedNotice({ one: { still_used: used, family_id: familyId } }: { one: CredentialView }) {
  if (used === null) return null;
  return (
    <Notice tone="warn" title="A value that was replaced is still used.">
      <p>
        <code>{used.token_id}</code> was refused <ExactMoment at={used.at} />, asked from{' '}
        <code>{used.address}</code>
        {used.user_agent === null ? null : (
          <>
            {' '}
            by <code>{used.user_agent}</code>
          </>
        )}
        . Bring the new value to that program: add a delivery target for it, or have it read the value each
        time.
      </p>
      {familyId === null ? null : (
        <p>
          <Link to={familyPath(familyId)} className={styles['link']}>
            See the token family
          </Link>
        </p>
      )}
    </Notice>
  );
}

/** What happened to a credential lately, newest first, with the way to all of it. */
function HistoryPart({ one }: { one: CredentialView }) {
  const page = useLive(historyOf(one.name)).known?.value;
  return (
    <Card
      title="What happened"
      aside={
        <Link to={historyPath(one.id)} className={styles['historyLink']}>
          All of its history
        </Link>
      }
    >
      {page === undefined ? null : (
        <ol className={styles['events']} aria-label="Latest events">
          {page.events.map((event) => (
            <HistoryLine key={event.seq} event={event} />
          ))}
        </ol>
      )}
    </Card>
  );
}

function HistoryLine({ event }: { event: HistoryEvent }) {
  const { icon, tone } = eventSign(event.kind);
  const detail = eventDetail(event);
  const { short, full } = actorText(event.actor);
  return (
    <li className={styles['event']}>
      <span className={styles['sign']} data-tone={tone}>
        <Icon name={icon} />
      </span>
      <div className={styles['historyWords']}>
        <p>{eventTitle(event.kind)}</p>
        {detail === undefined ? null : <p className={styles['soft']}>{detail}</p>}
      </div>
      <p className={styles['when']}>
        <ExactMoment at={event.at} />
        <span className={styles['who']} title={full}>
          {short}
        </span>
      </p>
    </li>
  );
}
