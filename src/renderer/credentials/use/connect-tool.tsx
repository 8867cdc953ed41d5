import { useEffect, useRef, useState } from 'react';
import {
  type ConnectedTool,
  connectedTools,
  hasUser,
  indexAddress,
  sendsUser,
  sharedPrograms,
} from '../../../contract/credential/connected-tools.ts';
import type { CredentialView } from '../../../contract/credential/credential-view.ts';
import type { ConnectedToolAnswer } from '../../../contract/credential/tool-command.ts';
import { shellWord } from '../../../contract/shell-word.ts';
import { placeTrouble, readPlace } from '../../../core/connection/match-connection.ts';
import { usualPlace } from '../../../core/connection/usual-place.ts';
import {
  toolChangeText,
  toolDialogText as text,
  toolObstacleText,
  toolRowText,
} from '../../../text/credential/connection-text.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { Button, SubmitButton } from '../../kit/button.tsx';
import { Tick } from '../../kit/choice.tsx';
import { CodeBlock, useCommandLine } from '../../kit/command-line.tsx';
import { Dialog, DialogButtons, useEntries } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import inputStyles from '../../kit/input.module.css';
import { Stack } from '../../kit/layout.tsx';
import { portalStatus } from '../../kit/live/resource.ts';
import { useLive } from '../../kit/live/use-live.ts';
import { Disclosure } from '../../kit/page.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { Text } from '../../kit/text.tsx';
import { useAct } from '../../kit/use-act.ts';
import { type Preview, usePreview } from '../preview.tsx';
import { CheckResult, HandLines, type ShownChange, ToolChangePreview } from './tool-change.tsx';

/** Why this service connects no tools for a window; null: it does. Undefined until that is known. */
export function useToolObstacle() {
  return useLive(portalStatus).known?.value.tool_obstacle;
}

/** Connects a tool: what that changes in its files is shown before it is done, and then what a check of it has found. */
export function ToolDialog({ one, onClose }: { one: CredentialView; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const obstacle = useToolObstacle();
  const [made, setMade] = useState<ConnectedToolAnswer | null>(null);
  const [isBusy, setBusy] = useState(false);
  const entries = useEntries(isBusy);
  const mayClose = () => made !== null || entries.mayClose();

  return (
    <Dialog
      ref={ref}
      title={made === null ? text.title : text.doneTitle}
      mayClose={mayClose}
      onClose={onClose}
    >
      {made !== null ? <Connected made={made} /> : null}
      {made === null && obstacle === null ? (
        <ConnectForm
          one={one}
          warning={entries.warning}
          onEnter={entries.onChange}
          onBusy={setBusy}
          onMade={setMade}
        />
      ) : null}
      {obstacle === null ? null : (
        <>
          {obstacle === undefined ? null : <Text breaks>{toolObstacleText[obstacle]}</Text>}
          <DialogButtons>
            <Button onPress={() => ref.current?.close()}>{text.close}</Button>
          </DialogButtons>
        </>
      )}
    </Dialog>
  );
}

const parseUrl = (address: string) => URL.parse(address);

interface Wanted {
  readonly credential: string;
  readonly tool: ConnectedTool;
  readonly url: string;
  readonly username?: string;
  readonly replace: boolean;
}

function ConnectForm({
  one,
  warning,
  onEnter,
  onBusy,
  onMade,
}: {
  one: CredentialView;
  warning: string | undefined;
  onEnter: () => void;
  onBusy: (isBusy: boolean) => void;
  onMade: (made: ConnectedToolAnswer) => void;
}) {
  const act = useAct();
  const [tool, setTool] = useState<ConnectedTool>('git');
  const usual = usualPlace(tool, one, parseUrl);
  const [typed, setTyped] = useState<{ readonly url?: string; readonly username?: string }>({});
  const [replace, setReplace] = useState(false);
  const url = (typed.url ?? usual.url ?? '').trim();
  const username = (typed.username ?? usual.username ?? '').trim();
  const urlError = addressError(tool, url);
  const isComplete = url !== '' && urlError === undefined && (username !== '' || !sendsUser(tool));
  const wanted: Wanted = {
    credential: one.name,
    tool,
    url,
    ...(username === '' || !hasUser(tool) ? {} : { username }),
    replace,
  };
  const previewing = usePreview(isComplete ? wanted : null, (body, signal) =>
    askPortal('connectTool', { body: { ...body, dry_run: true }, signal }),
  );
  const isBusy = act.state.kind === 'busy';
  const isReady = previewing.kind === 'told' && !isBusy;

  function enter(): void {
    onEnter();
    if (act.refusal !== undefined) act.clear();
  }
  async function connect(): Promise<void> {
    if (!isReady) return; // it is shown before it is done
    onBusy(true);
    const made = await act.run('connect', () => askPortal('connectTool', { body: wanted }), 'tool_connected');
    onBusy(false);
    if (made !== null) onMade(made.value);
  }

  return (
    <form
      noValidate
      onChange={enter}
      onSubmit={(event) => {
        event.preventDefault(); // the policy allows no page to be sent anywhere
        void connect();
      }}
    >
      <Stack gap={4}>
        <Text breaks>{text.lead}</Text>
        <Field label={text.tool}>
          {(tied) => (
            <select
              {...tied}
              className={inputStyles['input']}
              value={tool}
              onChange={({ target }) => {
                setTool(connectedTools.find((each) => each === target.value) ?? 'git');
                setTyped({});
                setReplace(false);
              }}
            >
              {connectedTools.map((each) => (
                <option key={each} value={each}>
                  {text.tools[each]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <TextField
          {...text.url}
          face="code"
          inputMode="url"
          value={typed.url ?? usual.url ?? ''}
          error={urlError}
          onChange={(value) => setTyped({ ...typed, url: value })}
        />
        {hasUser(tool) ? (
          <TextField
            {...(sendsUser(tool) ? text.username : text.kubectlUser)}
            face="code"
            value={typed.username ?? usual.username ?? ''}
            onChange={(value) => setTyped({ ...typed, username: value })}
          />
        ) : null}
        <ToolChangePreview preview={shownChange(tool, previewing)} none={text.incomplete} />
        {replace || previewing.kind === 'refused' ? (
          <Tick {...text.replace} isOn={replace} onChange={setReplace} />
        ) : null}
        {isComplete ? <InTerminal wanted={wanted} usual={usual} /> : null}
        <DialogButtons cancel={text.cancel} refusal={act.refusal ?? warning}>
          <SubmitButton isBusy={!isReady}>{isBusy ? text.connecting : text.connect}</SubmitButton>
        </DialogButtons>
      </Stack>
    </form>
  );
}

/** What is wrong with an address, said here: a command would say it of its option. */
function addressError(tool: ConnectedTool, url: string): string | undefined {
  if (url === '') return undefined;
  const place = readPlace(indexAddress(url), parseUrl);
  if (place === null) return text.urlError;
  const trouble = placeTrouble(tool, place);
  return trouble === null ? undefined : text.urlTrouble[trouble];
}

function shownChange(tool: ConnectedTool, preview: Preview<ConnectedToolAnswer>): Preview<ShownChange> {
  if (preview.kind !== 'told') return preview;
  const { changes, by_hand: byHand, other_helpers: others } = preview.value;
  const says = toolChangeText.others(others);
  const link = Object.hasOwn(sharedPrograms, tool) ? [toolChangeText.link] : [];
  return { kind: 'told', value: { changes, byHand, says: [...says, ...link] } };
}

/** The same as a command, for whoever is in a terminal, and for the options that this dialog does not have. */
function InTerminal({
  wanted: { credential, tool, url, username, replace },
  usual,
}: {
  wanted: Wanted;
  usual: { readonly url?: string; readonly username?: string };
}) {
  const commandLine = useCommandLine();
  if (commandLine === null) return null;
  const command = [
    ...[commandLine, 'connect', tool, credential],
    ...(url === usual.url ? [] : ['--url', shellWord(url)]),
    ...(username === undefined || username === usual.username ? [] : ['--username', shellWord(username)]),
    ...(replace ? ['--replace'] : []),
  ].join(' ');
  return (
    <Disclosure title={text.inTerminal}>
      <CodeBlock text={command} what={text.copied} />
    </Disclosure>
  );
}

/** That it is done, what a check has found, and the lines that are left to a person. */
function Connected({ made: { connection, checks, by_hand: byHand } }: { made: ConnectedToolAnswer }) {
  const ref = useRef<HTMLButtonElement>(null);
  // The button that had the focus is gone.
  useEffect(() => ref.current?.focus(), []);
  return (
    <Stack gap={4}>
      {connection === null ? null : (
        <Text breaks>{text.done(toolRowText.who(connection), byHand !== null)}</Text>
      )}
      {byHand === null ? null : <HandLines lines={byHand} />}
      <CheckResult checks={checks} />
      <DialogButtons>
        <Button ref={ref} rank="main" onPress={() => ref.current?.closest('dialog')?.close()}>
          {text.close}
        </Button>
      </DialogButtons>
    </Stack>
  );
}
