import input from '../../../kit/input.module.css';
import { useDesigner } from '../use-designer.ts';
import { SpecField } from './spec-field.tsx';

/** A text of the document. What is typed until the field is left is one step to undo. */
export function TextLine({
  label,
  spec,
  path,
  value,
  hint,
  isLong = false,
  onType,
}: {
  label: string;
  spec: string | null;
  path: string;
  value: string;
  hint?: string;
  isLong?: boolean;
  onType: (text: string) => void;
}) {
  const { store } = useDesigner();
  return (
    <SpecField label={label} spec={spec} path={path} hint={hint}>
      {(tied) =>
        isLong ? (
          <textarea
            {...tied}
            className={input['input']}
            rows={2}
            value={value}
            onChange={({ target }) => onType(target.value)}
            onBlur={() => store.settle()}
          />
        ) : (
          <input
            {...tied}
            type="text"
            className={input['input']}
            value={value}
            autoComplete="off"
            onChange={({ target }) => onType(target.value)}
            onBlur={() => store.settle()}
          />
        )
      }
    </SpecField>
  );
}
