import type { WantedColumns } from '../../contract/directory.ts';
import type { ColumnsPreview } from '../../core/directory-file/preview-columns.ts';
import { directoryImportText as text } from '../../text/directory.ts';
import { Field } from '../kit/field.tsx';
import inputStyles from '../kit/input.module.css';
import styles from './directory.module.css';

/** Which column of a file is which field, with its first values below: as the headings tell, until a person says otherwise. */
export function ColumnChoice({
  preview: { headings, fields },
  isDisabled,
  onChoose,
}: {
  preview: ColumnsPreview;
  isDisabled: boolean;
  onChoose: (field: keyof WantedColumns, columns: number[]) => void;
}) {
  return (
    <div className={styles['columns']} role="group" aria-label={text.columns}>
      {fields.map(({ field, places, samples }) => (
        <Field
          key={field}
          label={text.column(field)}
          hint={samples.length === 0 ? text.noSamples : text.samples(samples)}
        >
          {(tied) => (
            <select
              {...tied}
              className={inputStyles['input']}
              value={places.join()}
              disabled={isDisabled}
              onChange={({ target }) =>
                onChoose(
                  field as keyof WantedColumns,
                  target.value.split(',').map((at) => Number(at) + 1),
                )
              }
            >
              {places.length === 0 ? <option value="">{text.chooseColumn}</option> : null}
              {places.length > 1 ? (
                <option value={places.join()}>
                  {places.map((at) => text.columnName(headings[at] ?? '', at + 1)).join(' + ')}
                </option>
              ) : null}
              {headings.map((heading, at) => (
                <option key={at} value={at}>
                  {text.columnName(heading, at + 1)}
                </option>
              ))}
            </select>
          )}
        </Field>
      ))}
    </div>
  );
}
