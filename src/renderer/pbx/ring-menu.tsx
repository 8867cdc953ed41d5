import { useState } from 'react';
import type { Ivr } from '../../contract/menu/ivr.ts';
import type { PbxView } from '../../contract/calls/pbx.ts';
import { startsFirst } from '../../core/calls/flow-of-stored.ts';
import { ringText as text } from '../../text/calls/telephone-systems.ts';
import { Stack } from '../kit/layout.tsx';
import { MenuChoice } from './menu-choice.tsx';
import { RingForm } from './ring.tsx';

/** Rings a phone and runs a published menu on it. */
export function RingMenu({ pbx, menus }: { pbx: PbxView; menus: readonly Ivr[] }) {
  const [chosen, setChosen] = useState('');
  const menu = menus.find(({ id }) => id === chosen) ?? startsFirst(menus)[0];
  if (menu === undefined) return null;
  return (
    <Stack gap={4}>
      <p>{text.lead}</p>
      <RingForm
        pbxs={[pbx]}
        menuName={(id) => menus.find((one) => one.id === id)?.name ?? id}
        prepare={() => Promise.resolve({ ivr: menu.id })}
      >
        <MenuChoice label={text.menu} menus={menus} chosen={menu} onChoose={setChosen} />
      </RingForm>
    </Stack>
  );
}
