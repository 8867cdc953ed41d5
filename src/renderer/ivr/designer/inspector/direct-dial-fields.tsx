import { useRef, useState } from 'react';
import type { MenuNode } from '../../../../contract/menu/ivr-draft.ts';
import { type DirectDial, ivrBounds } from '../../../../contract/menu/ivr.ts';
import { changeMenu } from '../../../../core/ivr/edit/edit-nodes.ts';
import { editText } from '../../../../text/menu/designer.ts';
import { directDialText as text } from '../../../../text/menu/designer-inspector.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../../kit/dialog.tsx';
import { Text } from '../../../kit/text.tsx';
import input from '../../../kit/input.module.css';
import panel from '../panel.module.css';
import { useDesigner } from '../use-designer.ts';
import styles from './inspector.module.css';
import { FieldProblems, SpecField, type TiedToPath } from './spec-field.tsx';

type Choice = keyof typeof text.choices;

/** Which numbers a caller may dial apart from the keys. A list of numbers is asked about first: it can lead past the directory. */
export function DirectDialFields({ menu }: { menu: MenuNode }) {
  const { store, check } = useDesigner();
  const [isAsking, setAsking] = useState(false);
  const path = `nodes.${menu.id}.direct_dial`;
  const dial = menu.direct_dial ?? null;
  const choice = choiceOf(dial);
  const { min, max, usual } = ivrBounds.digitTimeoutSeconds;

  function change(direct_dial: DirectDial | null): void {
    store.edit(editText.changeDirectDial, (document) => changeMenu(document, menu.id, { direct_dial }), {
      merge: path,
    });
  }
  const digit_timeout = dial?.digit_timeout ?? usual;
  function choose(to: Choice): void {
    if (to === 'off') change(null);
    if (to === 'directory') change({ numbers: 'directory', digit_timeout });
    if (to === 'patterns' && choice !== 'patterns') setAsking(true);
  }

  return (
    <div className={styles['pair']}>
      <SpecField
        label={text.label}
        path={path}
        hint={choice === 'directory' ? text.directoryHint : undefined}
      >
        {(tied) => (
          <select
            {...tied}
            className={panel['select']}
            value={choice}
            onChange={({ target }) => choose(target.value as Choice)}
            onBlur={() => store.settle()}
          >
            {(['off', 'directory', 'patterns'] as const).map((one) => (
              <option key={one} value={one}>
                {text.choices[one]}
              </option>
            ))}
          </select>
        )}
      </SpecField>
      {dial === null ? null : (
        <SpecField label={text.digitTimeout} path={`${path}.digit_timeout`}>
          {(tied) => (
            <select
              {...tied}
              className={panel['select']}
              value={dial.digit_timeout}
              onChange={({ target }) => change({ ...dial, digit_timeout: Number(target.value) })}
              onBlur={() => store.settle()}
            >
              {Array.from({ length: max - min + 1 }, (_none, place) => min + place).map((seconds) => (
                <option key={seconds} value={seconds}>
                  {text.seconds(seconds)}
                </option>
              ))}
            </select>
          )}
        </SpecField>
      )}
      {dial === null || dial.numbers === 'directory' ? null : (
        <>
          <SpecField label={text.patterns} path={`${path}.numbers`} hint={text.patternsHint}>
            {(tied) => (
              <PatternsInput
                tied={tied}
                patterns={dial.numbers === 'directory' ? [] : dial.numbers}
                onChange={(numbers) => change({ ...dial, numbers })}
                onLeave={() => store.settle()}
              />
            )}
          </SpecField>
          <FieldProblems
            problems={check.problems.filter((problem) => problem.path.startsWith(`${path}.numbers.`))}
          />
        </>
      )}
      {isAsking ? (
        <PatternsDialog
          onAllow={() => change({ numbers: [], digit_timeout })}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  );
}

function choiceOf(dial: DirectDial | null): Choice {
  if (dial === null) return 'off';
  return dial.numbers === 'directory' ? 'directory' : 'patterns';
}

/** Numbers with commas between them; what is typed stays as it is typed. */
function PatternsInput({
  tied,
  patterns,
  onChange,
  onLeave,
}: {
  tied: TiedToPath;
  patterns: readonly string[];
  onChange: (patterns: string[]) => void;
  onLeave: () => void;
}) {
  const [typed, setTyped] = useState(patterns.join(', '));
  // After an undo the list of the document is shown.
  const shown = patternsIn(typed).join() === patterns.join() ? typed : patterns.join(', ');
  return (
    <input
      {...tied}
      type="text"
      className={input['input']}
      value={shown}
      autoComplete="off"
      spellCheck={false}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(patternsIn(target.value));
      }}
      onBlur={onLeave}
    />
  );
}

function patternsIn(typed: string): string[] {
  const written = typed.toUpperCase().split(/[\s,;]+/);
  return written
    .filter((pattern) => pattern !== '')
    .map((pattern) => pattern.slice(0, ivrBounds.idLength))
    .slice(0, ivrBounds.patterns);
}

function PatternsDialog({ onAllow, onClose }: { onAllow: () => void; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  return (
    <Dialog ref={ref} title={text.confirm.title} mayClose={() => true} onClose={onClose}>
      <Text>{text.confirm.text}</Text>
      <DialogButtons cancel={text.confirm.cancel}>
        <Button
          rank="main"
          onPress={() => {
            onAllow();
            ref.current?.close();
          }}
        >
          {text.confirm.verb}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
