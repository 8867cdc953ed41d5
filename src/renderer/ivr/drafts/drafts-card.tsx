import { useState } from 'react';

import type { DraftSummary } from '../../../contract/ivr-draft.ts';
import { draftPath } from '../../kit/address.ts';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { publishedWords, tallyWords } from '../../../text/phone-menu.ts';
import { Link } from '../../kit/link.tsx';
import { Moment } from '../../kit/moment.tsx';
import { goTo } from '../../kit/navigation.ts';
import { ImportDialog } from '../designer/exchange/import-dialog.tsx';
import { SeveritySign } from '../designer/severity-sign.tsx';
import styles from './drafts-card.module.css';
import { NewMenuDialog } from './new-menu-dialog.tsx';
import { draftsText } from '../../../text/stored-menus.ts';
import { RichText } from '../../kit/rich-text.tsx';

/** The drafts of the designer, and the way to a new one. */
export function DraftsCard({ drafts }: { drafts: readonly DraftSummary[] }) {
  const [dialog, setDialog] = useState<'new' | 'import' | null>(null);
  return (
    <Card
      title={draftsText.title}
      aside={
        <Button rank="main" onPress={() => setDialog('new')}>
          {draftsText.new}
        </Button>
      }
    >
      {drafts.length === 0 ? (
        <p className={styles['none']}>{draftsText.none}</p>
      ) : (
        <ul>
          {drafts.map((draft) => (
            <li key={draft.id} className={styles['draft']}>
              <Link to={draftPath(draft.id)} className={styles['name']}>
                {draft.name}
              </Link>
              <p className={styles['menus']}>{draftsText.menus(draft.menus)}</p>
              <DraftTally draft={draft} />
              <p className={styles['published']}>{publishedWords(draft.publications)}</p>
              <p className={styles['changed']}>
                <RichText text={draftsText.changed} parts={{ when: <Moment at={draft.updated_at} /> }} />
              </p>
            </li>
          ))}
        </ul>
      )}
      {dialog === 'new' ? (
        <NewMenuDialog onImport={() => setDialog('import')} onClose={() => setDialog(null)} />
      ) : null}
      {dialog === 'import' ? (
        <ImportDialog onClose={() => setDialog(null)} onImported={(draftId) => goTo(draftPath(draftId))} />
      ) : null}
    </Card>
  );
}

function DraftTally({ draft }: { draft: DraftSummary }) {
  const severity = draft.errors > 0 ? 'error' : draft.warnings > 0 ? 'warning' : null;
  return (
    <p className={styles['tally']}>
      {severity === null ? null : <SeveritySign severity={severity} />}
      {tallyWords(draft)}
    </p>
  );
}
