import type { Ivr } from '../../contract/menu/ivr.ts';
import { distinctTitles } from '../../text/menu/phone-menu.ts';
import { Field } from '../kit/field.tsx';
import inputStyles from '../kit/input.module.css';

/** A choice among published menus. `label`: what the menu is for. */
export function MenuChoice({
  label,
  menus,
  chosen,
  onChoose,
}: {
  label: string;
  menus: readonly Ivr[];
  chosen: Ivr;
  onChoose: (id: string) => void;
}) {
  const titles = distinctTitles(menus);
  return (
    <Field label={label}>
      {(tied) => (
        <select
          {...tied}
          className={inputStyles['input']}
          value={chosen.id}
          onChange={({ target }) => onChoose(target.value)}
        >
          {menus.map((one) => (
            <option key={one.id} value={one.id}>
              {titles.get(one.id)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
