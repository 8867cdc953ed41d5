import { type KeyboardEvent, type ReactNode, useState } from 'react';
import type { IvrProblem } from '../../../../contract/menu/ivr-problem.ts';
import { addExtensionText as text } from '../../../../text/menu/designer-inspector.ts';
import { entryErrors } from '../../../directory/entry-form.tsx';
import { extensions } from '../../../directory/use-directory.ts';
import input from '../../../kit/input.module.css';
import { Row, Stack } from '../../../kit/layout.tsx';
import { Text } from '../../../kit/text.tsx';
import { isBusyWith, useAct } from '../../../kit/use-act.ts';
import styles from './inspector.module.css';
import { SmallButton } from '../small-button.tsx';

/** Adds an extension to the directory where it is missing, and asks for its name there. Enter adds it, Escape does not. */
export function AddExtension({
  id,
  onAdded,
  onLeave = onAdded,
  children,
}: {
  id: string;
  /** Takes the focus: what is here goes with the warning. */
  onAdded: () => void;
  onLeave?: () => void;
  /** In place of the button. */
  children?: (ask: () => void) => ReactNode;
}) {
  const [name, setName] = useState<string | null>(null);
  const [isTried, setTried] = useState(false);
  const act = useAct();
  if (name === null) {
    const ask = (): void => setName('');
    return children?.(ask) ?? <SmallButton onPress={ask}>{text.open}</SmallButton>;
  }
  const entry = { id, name: name.trim(), text: null };
  const errors = entryErrors(entry);
  const nameError = entry.name === '' ? text.noName : (errors.name ?? errors.id);
  const refusal = act.state.kind === 'refused' ? act.state.reason : undefined;
  const error = refusal ?? (isTried ? nameError : undefined);

  async function add(): Promise<void> {
    setTried(true);
    if (Object.keys(errors).length > 0) return;
    const added = await act.run('save', () => extensions.change({ set: [entry] }), 'entry_saved');
    if (added !== null) onAdded();
  }
  function press(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter') void add();
    else {
      setName(null);
      onLeave();
    }
  }

  return (
    <Stack
      gap={1}
      className={[styles['adding'], 'nodrag nopan'].join(' ')}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      <Row gap={1} align="center">
        <input
          type="text"
          ref={focusOnce}
          className={input['input']}
          aria-label={text.name(id)}
          placeholder={text.hint}
          aria-invalid={error !== undefined || undefined}
          title={error}
          value={name}
          maxLength={100}
          autoComplete="off"
          onChange={({ target }) => setName(target.value)}
          onKeyDown={press}
        />
        <SmallButton isDisabled={isBusyWith(act, 'save')} onPress={() => void add()}>
          {text.add}
        </SmallButton>
      </Row>
      <Text role="alert" tone="bad" size="tiny" breaks>
        {error}
      </Text>
    </Stack>
  );
}

function focusOnce(field: HTMLInputElement | null): void {
  field?.focus({ preventScroll: true });
}

/** The remedy of a finding that can be had on the spot. */
export function ProblemRemedy({ problem, onDone }: { problem: IvrProblem; onDone: () => void }) {
  return problem.code === 'extension_unknown' ? (
    <AddExtension id={problem.params.extension} onAdded={onDone} />
  ) : null;
}
