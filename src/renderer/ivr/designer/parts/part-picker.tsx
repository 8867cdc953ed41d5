import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import input from '../../../kit/input.module.css';
import { Drawing } from '../drawing.tsx';
import type { NodePart, Part, PartGroup } from './part-groups.ts';
import styles from './part-picker.module.css';

/** As many as a list shows of a group; the search finds the others. */
const shownAtMost = 30;

/** A short list to choose from by mouse or by typing and the arrows: what a line shall lead to. */
export function PartPicker({
  groupsFor,
  onChoose,
  onClose,
}: {
  /** What is offered while this is typed. */
  groupsFor: (text: string) => readonly PartGroup[];
  onChoose: (part: NodePart) => void;
  onClose: () => void;
}) {
  const id = useId();
  const boxRef = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [place, setPlace] = useState(0);
  const groups = groupsFor(text).map((group) => ({ ...group, parts: group.parts.slice(0, shownAtMost) }));
  const offered = groups.flatMap(({ parts }) => parts);
  const at = Math.min(place, offered.length - 1);

  useEffect(() => {
    boxRef.current?.querySelector('input')?.focus();
  }, []);
  useEffect(() => {
    boxRef.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at, text]);

  function choose(part: Part | undefined): void {
    if (part?.kind === 'menu' || part?.kind === 'end') onChoose(part);
  }
  function press(event: KeyboardEvent): void {
    const { key } = event;
    if (key === 'Escape') onClose();
    else if (key === 'Enter') choose(offered[at]?.part);
    else if (key === 'ArrowDown') setPlace(Math.min(at + 1, offered.length - 1));
    else if (key === 'ArrowUp') setPlace(Math.max(at - 1, 0));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  function leave({ currentTarget, relatedTarget }: FocusEvent): void {
    if (!currentTarget.contains(relatedTarget)) onClose();
  }

  return (
    <div ref={boxRef} className={styles['picker']} onKeyDown={press} onBlur={leave}>
      <input
        className={input['input']}
        role="combobox"
        aria-label="What the line leads to"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={offered.length === 0 ? undefined : `${id}-${at}`}
        placeholder="What does it lead to?"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setPlace(0);
        }}
      />
      <div id={id} role="listbox" aria-label="Parts" className={styles['list']}>
        {groups.map(({ title, parts }) =>
          parts.length === 0 ? null : (
            <div key={title} role="group" aria-label={title}>
              <p className={styles['title']} aria-hidden="true">
                {title}
              </p>
              {parts.map(({ part, name, detail, drawing }) => {
                const index = offered.findIndex((one) => one.part === part);
                return (
                  <div
                    key={`${name} ${detail}`}
                    id={`${id}-${index}`}
                    role="option"
                    aria-selected={index === at}
                    className={styles['option']}
                    onMouseDown={(event) => event.preventDefault()}
                    onClick={() => choose(part)}
                  >
                    <Drawing name={drawing} />
                    <span className={styles['name']}>{name}</span>
                    <span className={styles['detail']}>{detail}</span>
                  </div>
                );
              })}
            </div>
          ),
        )}
        {offered.length === 0 ? <p className={styles['none']}>Nothing is called so.</p> : null}
      </div>
    </div>
  );
}
