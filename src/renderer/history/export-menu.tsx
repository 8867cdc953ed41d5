import { type FocusEvent, type KeyboardEvent, type MouseEvent, useId, useRef, useState } from 'react';

import { Text } from '../kit/text.tsx';
import type { HistoryFilters } from '../../contract/history/history.ts';
import { historyExport } from '../../contract/downloads.ts';
import { historyText } from '../../text/window/history-text.ts';
import { ActionButton } from '../kit/button.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { downloadFile } from '../kit/save-file.ts';
import { useAct } from '../kit/use-act.ts';
import styles from './history.module.css';
import { exportPath } from './history-filters.ts';

const { export: text } = historyText;

/** The events that are shown, as a file, which the browser or the system asks a place for. */
export function ExportMenu({ filters, count }: { filters: HistoryFilters; count: number }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const buttonRef = useRef<HTMLButtonElement>(null);
  const { state, run } = useAct();
  const isBusy = state.kind === 'busy';

  async function download(event: MouseEvent<HTMLAnchorElement>, format: string): Promise<void> {
    event.preventDefault();
    const path = event.currentTarget.href;
    if ((await run(format, () => downloadFile(path))) !== null) setOpen(false);
  }
  function press(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !isOpen) return;
    setOpen(false);
    buttonRef.current?.focus();
  }
  function leave({ currentTarget, relatedTarget }: FocusEvent): void {
    if (!currentTarget.contains(relatedTarget)) setOpen(false);
  }

  return (
    <div className={styles['menu']} onKeyDown={press} onBlur={leave}>
      <ActionButton ref={buttonRef} shows={{ id, isShown: isOpen }} onPress={() => setOpen(!isOpen)}>
        {text.open}
      </ActionButton>
      <ul id={id} className={styles['formats']} hidden={!isOpen}>
        {text.formats.map(({ format, name, what }) => (
          <li key={format}>
            <a
              className={styles['format']}
              href={exportPath(historyExport.path, format, filters)}
              download
              onClick={(event) => void download(event, format)}
            >
              <Text as="span" size="medium" weight="strong">
                {name}
              </Text>
              <Text as="span" tone="soft" size="small">
                {what}
              </Text>
            </a>
          </li>
        ))}
        <li className={styles['count']}>
          <Text tone="soft" size="small">
            {isBusy ? text.reading : text.count(count)}
          </Text>
          <FormRefusal reason={state.kind === 'refused' ? state.reason : undefined} />
        </li>
      </ul>
    </div>
  );
}
