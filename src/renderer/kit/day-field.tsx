import { Row } from './layout.tsx';
import selectStyles from './select.module.css';
import { Text } from './text.tsx';

/** A day of the local calendar, such as 2026-01-31, with its label beside it; empty: none. */
export function DayField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <Row as="label" gap={2} align="center">
      <Text as="span" size="small" tone="soft">
        {label}
      </Text>
      <input
        type="date"
        className={selectStyles['select']}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </Row>
  );
}
