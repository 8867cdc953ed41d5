import { type ReactNode, useState } from 'react';
import { Row } from '../../kit/layout.tsx';
import rowStyles from '../../kit/row-link.module.css';
import { Text } from '../../kit/text.tsx';

import type { DraftSummary } from '../../../contract/menu/ivr-draft.ts';
import type { Tally } from '../../../core/ivr/tally.ts';
import { draftPath } from '../../kit/window-paths.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { liveText, tallyText } from '../../../text/menu/phone-menu.ts';
import { Link } from '../../kit/link.tsx';
import { Moment } from '../../kit/moment.tsx';
import { goTo } from '../../kit/navigation.ts';
import { ImportDialog } from '../designer/exchange/import-flow-dialog.tsx';
import { SeveritySign } from '../designer/severity-sign.tsx';
import styles from './drafts.module.css';
import { NewMenuDialog } from './new-menu-dialog.tsx';
import { draftsText } from '../../../text/menu/stored-menus.ts';
import { RichText } from '../../kit/rich-text.tsx';

/** The drafts of the designer, and the ways to a new one. */
export function DraftsCard({ drafts }: { drafts: readonly DraftSummary[] }) {
  return (
    <Card
      title={draftsText.title}
      aside={
        <Row gap={2} wraps>
          <NewDraftButtons drafts={drafts} />
        </Row>
      }
    >
      {drafts.length === 0 ? (
        <Text tone="soft">{draftsText.none}</Text>
      ) : (
        <ul>
          {drafts.map((draft) => (
            <li key={draft.id} className={styles['draft']}>
              <Link to={draftPath(draft.id)} className={rowStyles['link']}>
                <bdi>{draft.name}</bdi>
              </Link>
              <Fact>{draftsText.menus(draft.menus)}</Fact>
              <DraftTally draft={draft} />
              <Fact>{liveText(draft.publications, draft.fingerprint)}</Fact>
              <Fact>
                <RichText text={draftsText.changed} parts={{ when: <Moment at={draft.updated_at} /> }} />
              </Fact>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Opens a new draft, or imports one. */
export function NewDraftButtons({ drafts }: { drafts: readonly DraftSummary[] }) {
  const [dialog, setDialog] = useState<'new' | 'import' | null>(null);
  return (
    <>
      <Button onPress={() => setDialog('import')}>{draftsText.import}</Button>
      <Button rank="main" onPress={() => setDialog('new')}>
        {draftsText.new}
      </Button>
      {dialog === 'new' ? <NewMenuDialog drafts={drafts} onClose={() => setDialog(null)} /> : null}
      {dialog === 'import' ? (
        <ImportDialog onClose={() => setDialog(null)} onImported={(draftId) => goTo(draftPath(draftId))} />
      ) : null}
    </>
  );
}

function Fact({ children }: { children: ReactNode }) {
  return (
    <Text tone="soft" size="small" breaks isTabular>
      {children}
    </Text>
  );
}

function DraftTally({ draft }: { draft: DraftSummary }) {
  const { todos = 0, warnings } = draft;
  const tally: Tally = { errors: draft.errors - todos, todos, warnings };
  const severity = tally.errors > 0 ? 'error' : todos > 0 ? 'todo' : warnings > 0 ? 'warning' : null;
  return (
    <Fact>
      <Row as="span" gap={2} align="center">
        {severity === null ? null : <SeveritySign severity={severity} />}
        {tallyText(tally)}
      </Row>
    </Fact>
  );
}
