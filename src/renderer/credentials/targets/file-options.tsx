import { fileOptionsText as text } from '../../../text/credential/targets.ts';
import { Choice, Tick } from '../../kit/choice.tsx';
import { FieldGroup } from '../../kit/field.tsx';
import { FieldPair, FormText } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import styles from './targets.module.css';

const ways = (['needed', 'in_place'] as const).map((value) => ({ value, label: text.ways[value] }));

/** How a file is written. Hidden at first: most files need none of it, and the preview says what is done. */
export function FileOptions({
  kind,
  draft,
  onChange,
}: {
  kind: 'file' | 'dotenv';
  draft: FileDraft;
  onChange: (changes: Partial<FileDraft>) => void;
}) {
  return (
    <details>
      <summary className={styles['more']}>{text.more}</summary>
      <Stack gap={4}>
        <FieldGroup legend={text.way} hint={text.hints[draft.way]}>
          <Choice options={ways} value={draft.way} onChange={(way) => onChange({ way })} />
        </FieldGroup>
        {kind === 'file' ? (
          <Tick
            {...text.noNewline}
            isOn={draft.noNewline}
            onChange={(noNewline) => onChange({ noNewline })}
          />
        ) : null}
        <FormText name="mode" text={text.mode} face="code" />
        <FieldPair>
          <FormText name="owner" text={text.owner} face="code" />
          <FormText name="group" text={text.group} face="code" />
        </FieldPair>
      </Stack>
    </details>
  );
}

/** The part of a draft that is about this. */
export interface FileDraft {
  readonly way: 'needed' | 'in_place';
  readonly noNewline: boolean;
  /** Empty: as it is usual, here and in the next two. */
  readonly mode: string;
  readonly owner: string;
  readonly group: string;
}

export const emptyFile: FileDraft = { way: 'needed', noNewline: false, mode: '', owner: '', group: '' };

/** As a target has it: what is as usual is left out. */
export function fileOptionsOf({ way, mode, owner, group }: FileDraft): Record<string, unknown> {
  const typed = Object.entries({ mode, owner, group }).flatMap(([name, text]) =>
    text.trim() === '' ? [] : [[name, text.trim()] as const],
  );
  return { ...(way === 'in_place' ? { in_place: true } : {}), ...Object.fromEntries(typed) };
}
