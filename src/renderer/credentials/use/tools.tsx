import { useEffect, useRef, useState } from 'react';
import type { CheckedToolAnswer, DisconnectedToolAnswer } from '../../../contract/credential/tool-command.ts';
import type { ToolConnection } from '../../../contract/credential/tool-connection.ts';
import { disconnectDialogText as text, toolRowText } from '../../../text/credential/connection-text.ts';
import { type UseLine, whichToken } from '../../../text/credential/use-text.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { ActionButton, Button } from '../../kit/button.tsx';
import { CommandLine, useCommandLine } from '../../kit/command-line.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Stack } from '../../kit/layout.tsx';
import { ExactMoment } from '../../kit/moment.tsx';
import { Disclosure } from '../../kit/page.tsx';
import { RichText } from '../../kit/rich-text.tsx';
import { PathText, Text } from '../../kit/text.tsx';
import { isBusyWith, useAct } from '../../kit/use-act.ts';
import { type Preview, usePreview } from '../preview.tsx';
import { useToolObstacle } from './connect-tool.tsx';
import { CheckResult, HandLines, type ShownChange, ToolChangePreview } from './tool-change.tsx';
import { Counts, WhoRow } from './users.tsx';

/** A connected tool: where it asks for the token, when it did last, and what a check of it has found. */
export function ToolRow({
  connection,
  line,
  current,
  onDisconnect,
}: {
  connection: ToolConnection;
  line: UseLine | undefined;
  current: number;
  onDisconnect: () => void;
}) {
  const act = useAct();
  const obstacle = useToolObstacle();
  const [found, setFound] = useState<CheckedToolAnswer | null>(null);
  const who = toolRowText.who(connection);
  const isBusy = isBusyWith(act, 'check');

  async function check(): Promise<void> {
    setFound(null);
    const asked = await act.run('check', () => askPortal('checkTool', { params: { id: connection.id } }));
    if (asked !== null) setFound(asked.value);
  }
  return (
    <WhoRow
      sign={<Icon name="key" />}
      kind={toolRowText.kind}
      who={<PathText path={who} />}
      actions={
        obstacle === null ? (
          <>
            <ActionButton about={who} isBusy={isBusy} onPress={() => void check()}>
              {isBusy ? toolRowText.checking : toolRowText.check}
            </ActionButton>
            <ActionButton about={who} onPress={onDisconnect}>
              {toolRowText.disconnect}
            </ActionButton>
          </>
        ) : undefined
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
      <CheckResult checks={found?.checks ?? null} />
      {found === null || found.by_hand === null ? null : <HandLines lines={found.by_hand} />}
      <FormRefusal reason={act.refusal} />
      {obstacle === null || obstacle === undefined ? null : <InTerminal connection={connection} />}
    </WhoRow>
  );
}

/** Asks whether to disconnect a tool, with what that changes in its files, and says what is left to do. */
export function DisconnectDialog({
  connection,
  onClose,
}: {
  connection: ToolConnection;
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const act = useAct();
  const params = { id: connection.id };
  const [undone, setUndone] = useState<DisconnectedToolAnswer | null>(null);
  const previewing = usePreview(connection.id, (id, signal) =>
    askPortal('disconnectTool', { params: { id }, body: { dry_run: true }, signal }),
  );
  const isBusy = isBusyWith(act, 'disconnect');
  const close = () => ref.current?.close();

  async function disconnect(): Promise<void> {
    if (previewing.kind !== 'told') return; // it is shown before it is done
    const asked = await act.run(
      'disconnect',
      () => askPortal('disconnectTool', { params, body: {} }),
      'tool_disconnected',
    );
    if (asked === null) return;
    // What was taken back is seen in the list; what is left has to be read.
    if (asked.value.changes.length > 0) close();
    else setUndone(asked.value);
  }
  return (
    <Dialog
      ref={ref}
      title={text.title(toolRowText.who(connection))}
      mayClose={() => !isBusy}
      onClose={onClose}
    >
      {undone !== null ? (
        <Undone undone={undone} onClose={close} />
      ) : (
        <Stack gap={4}>
          <p>{text.lead}</p>
          <ToolChangePreview preview={shownChange(previewing)} none="" />
          <InTerminal connection={connection} />
          <DialogButtons cancel={text.cancel} refusal={act.refusal}>
            <ActionButton
              rank="main"
              isBusy={isBusy || previewing.kind !== 'told'}
              onPress={() => void disconnect()}
            >
              {isBusy ? text.disconnecting : text.disconnect}
            </ActionButton>
          </DialogButtons>
        </Stack>
      )}
    </Dialog>
  );
}

function shownChange(preview: Preview<DisconnectedToolAnswer>): Preview<ShownChange> {
  return preview.kind === 'told' ? { kind: 'told', value: { ...preview.value, byHand: null } } : preview;
}

/** What disconnecting has left, which a person reads or does. */
function Undone({ undone: { says }, onClose }: { undone: DisconnectedToolAnswer; onClose: () => void }) {
  const ref = useRef<HTMLButtonElement>(null);
  // The button that had the focus is gone.
  useEffect(() => ref.current?.focus(), []);
  return (
    <Stack gap={4}>
      <div role="status">
        <p>{text.done}</p>
        {says.map((sentence) => (
          <Text key={sentence} breaks>
            {sentence}
          </Text>
        ))}
      </div>
      <DialogButtons>
        <Button ref={ref} rank="main" onPress={onClose}>
          {text.close}
        </Button>
      </DialogButtons>
    </Stack>
  );
}

function InTerminal({ connection: { id } }: { connection: ToolConnection }) {
  const commandLine = useCommandLine();
  if (commandLine === null) return null;
  return (
    <Disclosure title={text.inTerminal}>
      <Stack gap={2}>
        <CommandLine line={`${commandLine} connect check ${id}`} what={text.copied} />
        <CommandLine line={`${commandLine} disconnect ${id}`} what={text.copied} />
      </Stack>
    </Disclosure>
  );
}
