import { useRef, useState } from 'react';
import {
  type ConnectedTool,
  connectedTools,
  indexAddress,
  sendsUser,
} from '../../../contract/credential/connected-tools.ts';
import type { CredentialView } from '../../../contract/credential/credential-view.ts';
import type { ToolConnection } from '../../../contract/credential/tool-connection.ts';
import { shellWord } from '../../../contract/shell-word.ts';
import { readPlace } from '../../../core/connection/match-connection.ts';
import { usualPlace } from '../../../core/connection/usual-place.ts';
import { toolDialogText as text, toolRowText } from '../../../text/credential/connection-text.ts';
import { type UseLine, whichToken } from '../../../text/credential/use-text.ts';
import { ActionButton, Button } from '../../kit/button.tsx';
import { CodeBlock, CodeText, CommandLine, useCommandLine } from '../../kit/command-line.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { Icon } from '../../kit/icon.tsx';
import inputStyles from '../../kit/input.module.css';
import { Stack } from '../../kit/layout.tsx';
import { ExactMoment } from '../../kit/moment.tsx';
import { RichText } from '../../kit/rich-text.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { Text } from '../../kit/text.tsx';
import { Counts, WhoRow } from './users.tsx';

/** A connected tool: where it asks for the token, and when it did last. */
export function ToolRow({
  connection,
  line,
  current,
}: {
  connection: ToolConnection;
  line: UseLine | undefined;
  current: number;
}) {
  const [isOpen, setOpen] = useState(false);
  const who = toolRowText.who(connection);
  return (
    <WhoRow
      sign={<Icon name="key" />}
      kind={toolRowText.kind}
      who={who}
      actions={
        <ActionButton about={who} onPress={() => setOpen(true)}>
          {toolRowText.open}
        </ActionButton>
      }
    >
      <Text tone="soft" size="medium" isTabular>
        {line === undefined ? (
          toolRowText.notYet
        ) : (
          <RichText
            text={toolRowText.asked(whichToken(line.generation, current))}
            parts={{ at: <ExactMoment at={line.at} /> }}
          />
        )}
      </Text>
      <Counts line={line} />
      {isOpen ? <ConnectedDialog connection={connection} onClose={() => setOpen(false)} /> : null}
    </WhoRow>
  );
}

/** The lines that check a connection and that end it. */
function ConnectedDialog({ connection, onClose }: { connection: ToolConnection; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const commandLine = useCommandLine();
  return (
    <Dialog
      ref={ref}
      title={text.placeTitle(toolRowText.who(connection))}
      mayClose={() => true}
      onClose={onClose}
    >
      {commandLine === null ? (
        <Text breaks>{text.noCommandLine}</Text>
      ) : (
        <Stack gap={4}>
          <Text breaks>{text.check}</Text>
          <CommandLine line={`${commandLine} connect check ${connection.id}`} what={text.copied} />
          <Text breaks>{text.disconnect(connection.setting)}</Text>
          <CommandLine line={`${commandLine} disconnect ${connection.id}`} what={text.copied} />
        </Stack>
      )}
      <DialogButtons>
        <Button onPress={() => ref.current?.close()}>{text.close}</Button>
      </DialogButtons>
    </Dialog>
  );
}

/** Shows the command that connects a tool: what it writes are files of a person, which a terminal shows before. */
export function ToolDialog({ one, onClose }: { one: CredentialView; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const commandLine = useCommandLine();
  return (
    <Dialog ref={ref} title={text.title} mayClose={() => true} onClose={onClose}>
      <Stack gap={5}>
        <Text breaks>{text.lead}</Text>
        {commandLine === null ? (
          <Text breaks>{text.noCommandLine}</Text>
        ) : (
          <ConnectFields one={one} commandLine={commandLine} />
        )}
      </Stack>
      <DialogButtons>
        <Button onPress={() => ref.current?.close()}>{text.close}</Button>
      </DialogButtons>
    </Dialog>
  );
}

const parseUrl = (address: string) => URL.parse(address);

function ConnectFields({ one, commandLine }: { one: CredentialView; commandLine: string }) {
  const [tool, setTool] = useState<ConnectedTool>('git');
  const usual = usualPlace(tool, one, parseUrl);
  const [typed, setTyped] = useState<{ readonly url?: string; readonly username?: string }>({});
  const { url = usual.url ?? '', username = usual.username ?? '' } = typed;
  const isAddress = readPlace(indexAddress(url.trim()), parseUrl) !== null;
  const isComplete = isAddress && (username.trim() !== '' || !sendsUser(tool));
  const options = [
    ...(url === usual.url ? [] : ['--url', shellWord(url.trim())]),
    ...(username === usual.username || username.trim() === ''
      ? []
      : ['--username', shellWord(username.trim())]),
  ];
  const command = [commandLine, 'connect', tool, one.name, ...options].join(' ');

  return (
    <>
      <Field label={text.tool}>
        {(tied) => (
          <select
            {...tied}
            className={inputStyles['input']}
            value={tool}
            onChange={({ target }) => {
              setTool(connectedTools.find((each) => each === target.value) ?? 'git');
              setTyped({});
            }}
          >
            {connectedTools.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        )}
      </Field>
      <TextField
        {...text.url}
        face="code"
        inputMode="url"
        value={url}
        error={url === '' || isAddress ? undefined : text.urlError}
        onChange={(value) => setTyped({ url: value, username })}
      />
      {sendsUser(tool) ? (
        <TextField
          {...text.username}
          face="code"
          value={username}
          onChange={(value) => setTyped({ url, username: value })}
        />
      ) : null}
      {isComplete ? (
        <>
          <CodeBlock text={command} what={text.copied} />
          <Text tone="soft" size="medium" breaks>
            <CodeText text={text.run} />
          </Text>
        </>
      ) : (
        <Text tone="soft">{text.incomplete}</Text>
      )}
    </>
  );
}
