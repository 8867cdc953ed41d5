import { useState } from 'react';
import type { Ivr } from '../../contract/ivr.ts';
import type { PbxView } from '../../contract/pbx.ts';
import { menuTitle } from '../../text/phone-menu.ts';
import { ringText as text } from '../../text/telephone-systems.ts';
import { Field } from '../kit/field.tsx';
import inputStyles from '../kit/input.module.css';
import { Stack } from '../kit/layout.tsx';
import { RingForm } from './ring.tsx';

/** Rings a phone and runs a published menu on it. */
export function RingMenu({ pbx, menus }: { pbx: PbxView; menus: readonly Ivr[] }) {
  const [chosen, setChosen] = useState('');
  const menu = menus.find(({ id }) => id === chosen) ?? menus[0];
  if (menu === undefined) return null;
  return (
    <Stack gap={4}>
      <p>{text.lead}</p>
      <RingForm
        pbxs={[pbx]}
        menuName={(id) => menus.find((one) => one.id === id)?.name ?? id}
        prepare={() => Promise.resolve({ ivr: menu.id })}
      >
        <Field label={text.menu}>
          {(tied) => (
            <select
              {...tied}
              className={inputStyles['input']}
              value={menu.id}
              onChange={({ target }) => setChosen(target.value)}
            >
              {menus.map((one) => (
                <option key={one.id} value={one.id}>
                  {menuTitle(one)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </RingForm>
    </Stack>
  );
}
