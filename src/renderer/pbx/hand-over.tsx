import { useState } from 'react';
import { handOverLines } from '../../core/calls/asterisk-lines.ts';
import { type CallStart, callStarts } from '../../core/calls/call-starts.ts';
import { heardFromStored } from '../../core/calls/flow-of-stored.ts';
import { isDialledNumber, numberLine } from '../../core/calls/setup-lines.ts';
import { entryName } from '../../core/ivr/export/dialplan-names.ts';
import { quotedName } from '../../text/names.ts';
import { spokenSoundText } from '../../text/menu/prompt-field.ts';
import { unreadableWarning } from '../../text/menu/speech-text.ts';
import { silentReasonText, silentTitle } from '../../text/calls/pbx-text.ts';
import { referenceTitle } from '../../text/menu/phone-menu.ts';
import { handOverText as text } from '../../text/calls/telephone-systems.ts';
import { Button } from '../kit/button.tsx';
import { CodeBlock, CommandLine, useCommandLine } from '../kit/command-line.tsx';
import { FieldPair } from '../kit/form.tsx';
import { Stack } from '../kit/layout.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { Link } from '../kit/link.tsx';
import { Notice } from '../kit/notice.tsx';
import { Text } from '../kit/text.tsx';
import { TextField } from '../kit/text-field.tsx';
import { goTo } from '../kit/navigation.ts';
import { unheardPrompts } from '../recordings/read-recordings.ts';
import type { Menus } from '../ivr/read-menus.ts';
import { MenuChoice } from './pbx-fields.tsx';

/** What calls can be handed over to. */
type StoredMenus = Pick<Menus, 'menus' | 'parts'>;

/**
 * The lines for the dialplan that hand calls of a number over to a published menu, with its export as the fallback.
 *
 * `pbx`: the telephone system whose places for destinations the export has; null before it is connected. Where several have other
 * places, nothing is exported without its name.
 */
export function HandOver({ stored, pbx }: { stored: StoredMenus; pbx: string | null }) {
  const [chosen, setChosen] = useState('');
  const [number, setNumber] = useState('700');
  const commandLine = useCommandLine();
  const starts = callStarts(stored.menus, stored.parts);
  const menu = starts.find(({ id }) => id === chosen) ?? starts[0];

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
        <MenuChoice label={text.menu} menus={starts} chosen={menu} onChoose={setChosen} />
        <TextField
          label={text.number.label}
          hint={text.number.hint}
          error={isNumber ? undefined : text.numberInvalid}
          face="code"
          value={number}
          onChange={setNumber}
        />
      </FieldPair>
      <SilentNotice stored={stored} start={menu} />
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
function SilentNotice({ stored, start }: { stored: StoredMenus; start: CallStart }) {
  const heard = heardFromStored(new Map(stored.menus.map((one) => [one.id, one])), start.id, {
    flowParts: new Map(stored.parts.map((one) => [one.id, one])),
  });
  const { silent = [], texts = [] } = useLive(unheardPrompts(heard)).known?.value ?? {};
  const unread = texts.filter(({ problem, unreadable }) => problem === null && unreadable.length > 0);
  if (silent.length === 0 && unread.length === 0) return null;
  const isSpeech = unread.length > 0 || silent.some(({ reason }) => reason === 'not_speech');
  return (
    <Notice
      tone="warn"
      title={silent.length === 0 ? text.unread(unread.length) : silentTitle(silent, text.ofThisMenu)}
    >
      <ul>
        {silent.map((one) => (
          <li key={JSON.stringify(one)}>{`${referenceTitle(one.prompt)}: ${silentReasonText(one)}`}</li>
        ))}
        {unread.map(({ text: words, unreadable }) => (
          <li
            key={`${words} ${unreadable.join('')}`}
          >{`${quotedName(words)}: ${unreadableWarning(unreadable)}`}</li>
        ))}
      </ul>
      <p>
        {isSpeech ? (
          <>
            <Link to="/settings#voices">{spokenSoundText.voices}</Link>{' '}
          </>
        ) : null}
        <Link to="/recordings">{text.record}</Link>
      </p>
    </Notice>
  );
}
