import { useId, useState } from 'react';
import { problemText } from '../../../text/window/connection.ts';
import { Text } from '../../kit/text.tsx';
import type { Attention, AttentionList } from '../../../contract/window/attention.ts';
import type { MovedFrom } from '../../../contract/service/moved-from.ts';
import buttonStyles from '../../kit/button.module.css';
import { ActionButton, Button } from '../../kit/button.tsx';
import { Countdown } from '../../kit/moment.tsx';
import cardStyles from '../../kit/card.module.css';
import { Row, Stack } from '../../kit/layout.tsx';
import { drawings, Shape } from '../../kit/shape.tsx';
import { Link } from '../../kit/link.tsx';
import unseen from '../../kit/unseen.module.css';
import { useMinute } from '../../kit/use-minute.ts';
import { attentionListText, calmText } from '../../../text/window/overview.ts';
import styles from './attention-card.module.css';
import { attentionText } from '../../../text/window/attention-text.ts';
import { remedyLabel } from '../../../text/window/remedies.ts';
import { type DirectRemedy, isDirect, remedyPath, takeRemedy } from './take-step.ts';
import { movedDataText as text } from '../../../text/service/moved-data.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { Consequences, QuestionDialog } from '../../kit/dialog.tsx';

/** More than this many are shown only when they are asked for. */
const shownAtFirst = 4;

/** What needs attention now; one line when nothing does. */
export function AttentionCard({
  list,
  has,
}: {
  list: AttentionList;
  has: 'nothing' | 'tokens' | 'credentials';
}) {
  const titleId = useId();
  const nowMs = useMinute();
  const [isWhole, setWhole] = useState(false);
  const { items, left_out: leftOut, next_rotation: next } = list;
  const count = items.length + leftOut;
  const shown = isWhole ? items : items.slice(0, shownAtFirst + (items.length === shownAtFirst + 1 ? 1 : 0));

  return (
    <section className={cardStyles['box']} aria-labelledby={titleId}>
      <Row as="header" gap={4} wraps align="baseline" justify="between" className={styles['head']}>
        {/* Without items the card is one line; screen readers still find its heading. */}
        <h2 id={titleId} className={count === 0 ? unseen['unseen'] : cardStyles['title']}>
          {attentionListText.title}
        </h2>
        {/* Always there, so that a screen reader announces changes of the count. */}
        <div role="status">
          {count === 0 ? (
            <Row as="p" gap={3}>
              <Shape tone="good">{drawings.disc}</Shape>
              <span>
                <strong>{attentionListText.nothing}</strong> {calmText(next, has, nowMs)}
              </span>
            </Row>
          ) : (
            <Text tone="soft" size="small">
              {attentionListText.count(count).shown}
              <span className={unseen['unseen']}> {attentionListText.count(count).unseen}</span>
            </Text>
          )}
        </div>
      </Row>
      {count === 0 ? null : (
        <ul className={styles['items']}>
          {shown.map((item) => (
            <AttentionItem key={keyOf(item)} item={item} nowMs={nowMs} />
          ))}
        </ul>
      )}
      {items.length > shown.length || isWhole ? (
        <p className={styles['more']}>
          <Button onPress={() => setWhole(!isWhole)}>
            {isWhole ? attentionListText.showLess : attentionListText.showAll(items.length)}
          </Button>
        </p>
      ) : null}
      {isWhole && leftOut > 0 ? (
        <Text tone="soft" size="small" className={styles['more']}>
          {attentionListText.leftOut(leftOut)}
        </Text>
      ) : null}
    </section>
  );
}

/** The same for the same item, whatever its state. */
function keyOf(item: Attention): string {
  switch (item.kind) {
    case 'store_refusing':
    case 'vault':
    case 'moved':
      return item.kind;
    case 'journal_repaired':
      return `${item.kind} ${item.message}`;
    case 'credential':
    case 'paused_ends':
    case 'wide_rules':
    case 'reminder':
    case 'pbx_unreachable':
      return `${item.kind} ${item.name}`;
    case 'failing':
      return `${item.kind} ${item.trouble} ${item.origin}`;
    case 'host_missing':
      return `${item.kind} ${item.id}`;
    case 'delivery':
      return `${item.kind} ${item.target_id}`;
    case 'retirement':
      return `${item.kind} ${item.name} ${item.generation}`;
    case 'reuse':
    case 'ends_unkept':
    case 'suspended_ends':
      return `${item.kind} ${item.family_id}`;
  }
}

/** One item: what happened, what it means, when it is too late, and what to do. */
function AttentionItem({ item, nowMs }: { item: Attention; nowMs: number }) {
  const { tone, title, text, details, expiresAt, remedies } = attentionText(item, nowMs);
  const [busy, setBusy] = useState<DirectRemedy['kind'] | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [asked, setAsked] = useState<MovedFrom | null>(null);

  async function take(remedy: DirectRemedy): Promise<void> {
    setBusy(remedy.kind);
    setRefusal(null);
    const reply = await takeRemedy(remedy);
    setBusy(null);
    if (reply.kind !== 'ok') setRefusal(problemText(reply));
  }

  return (
    <li className={styles['item']}>
      <Shape tone={tone}>{tone === 'bad' ? drawings.cross : drawings.triangle}</Shape>
      <div>
        <Text as="h3" size="normal" weight="bold" breaks>
          {title}
        </Text>
        <Text tone="soft" size="small" breaks>
          {text}
        </Text>
        {details === undefined ? null : (
          <Text as="div" tone="soft" size="small">
            <Consequences of={details} />
          </Text>
        )}
        <Text tone="bad" size="small" role="status">
          {refusal}
        </Text>
      </div>
      {expiresAt === null ? null : (
        <Stack as="p" gap={1} className={styles['ends']}>
          <Text as="span" tone={tone} weight="bold" isTabular isOneLine>
            <Countdown to={expiresAt} past={attentionListText.expired} />
          </Text>
          <Text as="span" tone="soft" size="tiny" isOneLine>
            {attentionListText.untilExpiry}
          </Text>
        </Stack>
      )}
      <Row as="p" gap={2} wraps className={styles['steps']}>
        {remedies.map((remedy) => {
          const label = remedyLabel(remedy);
          if (remedy.kind === 'confirm_move')
            return (
              <Button key={remedy.kind} onPress={() => setAsked(remedy.from)}>
                {label}
              </Button>
            );
          if (!isDirect(remedy))
            return (
              <Link key={remedy.kind} to={remedyPath(remedy)} className={buttonStyles['link']}>
                {label}
                <span className={unseen['unseen']}> {subjectOf(item)}</span>
              </Link>
            );
          return (
            <ActionButton
              key={remedy.kind}
              about={subjectOf(item)}
              isBusy={busy !== null}
              onPress={() => void take(remedy)}
            >
              {busy === remedy.kind ? attentionListText.busy[remedy.kind] : label}
            </ActionButton>
          );
        })}
      </Row>
      {asked === null ? null : <ConfirmMoveDialog from={asked} onClose={() => setAsked(null)} />}
    </li>
  );
}

/** What a button is about, for screen readers. */
function subjectOf(item: Attention): string {
  if ('name' in item) return item.name;
  return item.kind === 'failing' ? item.origin : '';
}

/** Asks whether Rotavox no longer runs with these data elsewhere. The list is requested again when that was confirmed. */
function ConfirmMoveDialog({ from, onClose }: { from: MovedFrom; onClose: () => void }) {
  return (
    <QuestionDialog
      title={text.question}
      cancel={text.cancel}
      verb={text.confirm}
      pending={text.confirming}
      ask={() => askPortal('confirmMove', {})}
      onClose={onClose}
    >
      <p>{text.consequence(from)}</p>
    </QuestionDialog>
  );
}
