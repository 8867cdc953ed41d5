import { useState } from 'react';
import type { Ivr } from '../../contract/menu/ivr.ts';
import { handOverLines } from '../../core/calls/asterisk-lines.ts';
import { promptsOfStored, startsFirst } from '../../core/calls/flow-of-stored.ts';
import { isDialledNumber, numberLine } from '../../core/calls/setup-lines.ts';
import { entryName } from '../../core/ivr/export/dialplan-names.ts';
import { silentReasonText, silentTitle } from '../../text/calls/pbx-text.ts';
import { referenceTitle } from '../../text/menu/phone-menu.ts';
import { handOverText as text } from '../../text/calls/telephone-systems.ts';
import { Button } from '../kit/button.tsx';
import { CodeBlock, CommandLine, useCommandLine } from '../kit/command-line.tsx';
import { FieldPair } from '../kit/form.tsx';
import { Stack } from '../kit/layout.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { Notice } from '../kit/notice.tsx';
import { Text } from '../kit/text.tsx';
import { TextField } from '../kit/text-field.tsx';
import { goTo } from '../kit/navigation.ts';
import { silentPrompts } from '../recordings/read-recordings.ts';
import { MenuChoice } from './pbx-fields.tsx';

/**
 * The lines for the dialplan that hand calls of a number over to a published menu, with its export as the fallback.
 *
 * `pbx`: the telephone system whose places for destinations the export has; null before it is connected. Where several have other
 * places, nothing is exported without its name.
 */
export function HandOver({ menus, pbx }: { menus: readonly Ivr[]; pbx: string | null }) {
  const [chosen, setChosen] = useState('');
  const [number, setNumber] = useState('700');
  const commandLine = useCommandLine();
  const menu = menus.find(({ id }) => id === chosen) ?? startsFirst(menus)[0];

  if (menu === undefined)
    return (
      <Stack gap={3} align="start">
        <p>{text.noMenus}</p>
        <Button onPress={() => goTo('/ivr')}>{text.designer}</Button>
      </Stack>
    );
  const file = `${entryName(menu)}.conf`;
  const isNumber = isDialledNumber(number);
  return (
    <Stack gap={4}>
      <p>{text.lead}</p>
      <FieldPair>
        <MenuChoice label={text.menu} menus={menus} chosen={menu} onChoose={setChosen} />
        <TextField
          label={text.number.label}
          hint={text.number.hint}
          error={isNumber ? undefined : text.numberInvalid}
          face="code"
          value={number}
          onChange={setNumber}
        />
      </FieldPair>
      <SilentNotice menus={menus} menu={menu} />
      {commandLine === null ? null : (
        <Stack gap={2}>
          <p>{text.export}</p>
          <CommandLine
            line={`${commandLine} ivr export ${menu.id} --to asterisk${pbx === null ? '' : ` --pbx ${pbx}`} > ${file}`}
            what={text.copy.export}
          />
          <Text tone="soft" size="small">
            {text.exportSounds}
          </Text>
        </Stack>
      )}
      <Stack gap={2}>
        <p>{text.dialplan}</p>
        <CodeBlock
          text={[`#include ${file}`, '', ...handOverLines(menu).lines].join('\n')}
          what={text.copy.dialplan}
        />
      </Stack>
      {isNumber ? (
        <Stack gap={2}>
          <p>{text.context}</p>
          <CodeBlock text={numberLine(number, menu)} what={text.copy.context} />
        </Stack>
      ) : null}
      <Stack gap={2}>
        <p>{text.reload}</p>
        <CommandLine line="dialplan reload" what={text.copy.reload} />
      </Stack>
    </Stack>
  );
}

/** What callers do not hear of a menu and of those that it leads to. */
function SilentNotice({ menus, menu }: { menus: readonly Ivr[]; menu: Ivr }) {
  const prompts = promptsOfStored(new Map(menus.map((one) => [one.id, one])), menu.id);
  const silent = useLive(silentPrompts(prompts)).known?.value.silent ?? [];
  if (silent.length === 0) return null;
  return (
    <Notice tone="warn" title={silentTitle(silent, text.ofThisMenu)}>
      <ul>
        {silent.map((one) => (
          <li key={`${one.prompt} ${one.pbx ?? ''}`}>
            {`${referenceTitle(one.prompt)}: ${silentReasonText(one)}`}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
