import { useMemo, useRef, useState } from 'react';
import {
  type CredentialView,
  isDead,
  type TargetView,
} from '../../../contract/credential/credential-view.ts';
import type { ToolConnection } from '../../../contract/credential/tool-connection.ts';
import type { ProxyUse } from '../../../contract/credential/proxy.ts';
import { isRenewed, providerFacts } from '../../../providers/catalogue.ts';
import { whoCardText as text } from '../../../text/credential/credential-page.ts';
import { callerText } from '../../../text/window/events.ts';
import { currentTokenEnds } from '../../../text/credential/providers.ts';
import { lineKey, linesOfUse, usersText, recipeText } from '../../../text/credential/use-text.ts';
import { defaultVariable } from '../../../contract/credential/credential.ts';
import { shellWord } from '../../../contract/shell-word.ts';
import { unreachable } from '../../../core/unreachable.ts';
import { placeText } from '../../../text/credential/credentials.ts';
import { MenuButton } from '../../kit/action-menu.tsx';
import { Card } from '../../kit/card.tsx';
import { CodeBlock, CodeText, useCommandLine } from '../../kit/command-line.tsx';
import { Icon } from '../../kit/icon.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { ExactMoment } from '../../kit/moment.tsx';
import { RichText } from '../../kit/rich-text.tsx';
import { Text } from '../../kit/text.tsx';
import { AppDialog } from '../proxy/app-dialog.tsx';
import { AppRow, ProxyPart } from '../proxy/proxy-part.tsx';
import { proxyOf, toolsOf, whoUses } from '../read-credentials.ts';
import { RuleDialog } from '../proxy/rule-dialog.tsx';
import { TargetEditor } from '../targets/target-editor.tsx';
import { TargetRow } from '../targets/target-row.tsx';
import { ToolDialog } from './connect-tool.tsx';
import { DisconnectDialog, ToolRow } from './tools.tsx';
import { ProgramRow, type TokenUser, usersOfCurrent, WhoRow } from './users.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog, DialogButtons, useReturnOfFocus } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import inputStyles from '../../kit/input.module.css';

/** What is being added: a rule also for a request that was refused. */
type Adding =
  | { readonly kind: 'target' | 'tool' | 'app' | 'lines' }
  | { readonly kind: 'rule'; readonly refused: ProxyUse | null };

/** Who has the token and who uses it: targets, connected tools, apps of the proxy, programs and addresses in one list, and the way to add one. */
export function WhoCard({ one }: { one: CredentialView }) {
  const use = useLive(whoUses(one.name)).known?.value;
  const proxy = useLive(proxyOf(one.name)).known?.value;
  const tools = useLive(toolsOf(one.name)).known?.value ?? [];
  const addresses = useLive(usersOfCurrent(one)).known?.value ?? [];
  const [adding, setAdding] = useState<Adding | null>(null);
  const close = () => setAdding(null);
  // Here, because the row is gone before the person has read what is left.
  const [disconnecting, setDisconnecting] = useState<ToolConnection | null>(null);
  const addRef = useRef<HTMLButtonElement>(null);
  useReturnOfFocus(disconnecting !== null, addRef);
  const addRule = (refused: ProxyUse | null) => setAdding({ kind: 'rule', refused });

  const tokens = proxy?.tokens ?? [];
  const lines = new Map((use === undefined ? [] : linesOfUse(use)).map((line) => [line.key, line]));
  /** Apps that have a token, connected tools and targets have a row of their own. */
  const rows = new Set([
    ...tokens.map(({ app }) => lineKey('proxy', app)),
    ...tools.map(({ tool }) => lineKey('helper', tool)),
  ]);
  const programs = [...lines.values()].filter(({ way, key }) => way !== 'delivered' && !rows.has(key));
  const isEmpty =
    one.targets.length + tools.length + tokens.length + programs.length + addresses.length === 0;

  return (
    <Card
      title={text.title}
      aside={
        <MenuButton
          ref={addRef}
          label={text.add}
          actions={[
            { label: text.added.target, act: () => setAdding({ kind: 'target' }) },
            { label: text.added.tool, act: () => setAdding({ kind: 'tool' }) },
            { label: text.added.app, act: () => setAdding({ kind: 'app' }) },
            ...(proxy === undefined ? [] : [{ label: text.added.rule, act: () => addRule(null) }]),
            { label: text.added.lines, act: () => setAdding({ kind: 'lines' }) },
          ]}
        />
      }
    >
      <Stack gap={4}>
        {isDead(one) || one.can_rotate === false ? null : <Lead one={one} />}
        {isEmpty ? (
          <Text tone="soft">
            <CodeText text={text.empty} />
          </Text>
        ) : (
          <ul aria-label={text.list}>
            {one.targets.map((target) => (
              <TargetRow key={target.id} one={one} target={target} />
            ))}
            {tools.map((tool) => (
              <ToolRow
                key={tool.id}
                connection={tool}
                line={lines.get(lineKey('helper', tool.tool))}
                current={use?.generation ?? one.generation}
                onDisconnect={() => setDisconnecting(tool)}
              />
            ))}
            {proxy === undefined
              ? null
              : tokens.map((token) => (
                  <AppRow
                    key={token.id}
                    one={one}
                    token={token}
                    view={proxy}
                    line={lines.get(lineKey('proxy', token.app))}
                    onRule={addRule}
                  />
                ))}
            {programs.map((line) => (
              <ProgramRow key={line.key} line={line} current={use?.generation ?? one.generation} />
            ))}
            {addresses.map((user) => (
              <AddressRow key={callerText(user)} user={user} />
            ))}
          </ul>
        )}
        {one.targets.length + tools.length === 0 ? <Text tone="soft">{text.noTargets}</Text> : null}
        {programs.length + one.targets.length === 0 ? null : (
          <Text tone="soft" size="small">
            {usersText.limit}
          </Text>
        )}
        {proxy === undefined ? null : <ProxyPart one={one} view={proxy} onRule={addRule} />}
      </Stack>
      {adding?.kind === 'target' ? <TargetEditor one={one} onClose={close} /> : null}
      {adding?.kind === 'tool' ? <ToolDialog one={one} onClose={close} /> : null}
      {disconnecting === null ? null : (
        <DisconnectDialog connection={disconnecting} onClose={() => setDisconnecting(null)} />
      )}
      {adding?.kind === 'app' ? <AppDialog one={one} onClose={close} /> : null}
      {adding?.kind === 'lines' ? <RecipeDialog one={one} onClose={close} /> : null}
      {adding?.kind === 'rule' && proxy !== undefined ? (
        <RuleDialog one={one} view={proxy} refused={adding.refused} onClose={close} />
      ) : null}
    </Card>
  );
}

/** What a rotation does to those who have the token, and how they get the next one. */
function Lead({ one }: { one: CredentialView }) {
  const commandLine = useCommandLine();
  if (isRenewed(one.provider)) return <p>{text.renewed}</p>;
  const ends = currentTokenEnds(one.provider, one.standby !== null);
  if (commandLine === null) return <p>{text.leadNoCommand(ends)}</p>;
  const command = <code>{`${commandLine} get ${one.name}`}</code>;
  return (
    <Text breaks>
      <RichText text={text.lead(ends)} parts={{ command }} />
    </Text>
  );
}

/** An address from which the token was used, as its service knows it. */
function AddressRow({ user }: { user: TokenUser }) {
  return (
    <WhoRow sign={<Icon name="outside" />} kind={text.kinds.address} who={callerText(user)}>
      <Text tone="soft" size="medium" isTabular>
        <RichText text={text.address} parts={{ at: <ExactMoment at={user.at} /> }} />
      </Text>
    </WhoRow>
  );
}

/** How a program gets the token: lines that work as they are pasted. */
function RecipeDialog({ one, onClose }: { one: CredentialView; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  return (
    <Dialog ref={ref} title={recipeText.title} mayClose={() => true} onClose={onClose}>
      <Recipe one={one} />
      <DialogButtons>
        <Button onPress={() => ref.current?.close()}>{recipeText.close}</Button>
      </DialogButtons>
    </Dialog>
  );
}

function Recipe({ one }: { one: CredentialView }) {
  const commandLine = useCommandLine();
  const sources = useMemo(() => recipeSources(one, commandLine), [one, commandLine]);
  const [chosen, setChosen] = useState(0);
  const source = sources[chosen] ?? sources[0];

  if (source === undefined) {
    return (
      <Text tone="soft" size="medium" breaks>
        {recipeText.noCommandLine}
      </Text>
    );
  }
  const url = `${one.base_url}${providerFacts(one.provider.id).examplePath ?? ''}`;
  return (
    <Stack gap={4}>
      {commandLine === null ? (
        <Text tone="soft" size="medium" breaks>
          {recipeText.fromTargets}
        </Text>
      ) : null}
      {sources.length < 2 ? null : (
        <Field label={recipeText.source}>
          {(tied) => (
            <select
              {...tied}
              className={inputStyles['input']}
              value={String(chosen)}
              onChange={(event) => setChosen(Number(event.target.value))}
            >
              {sources.map((each, place) => (
                <option key={place} value={String(place)}>
                  {sourceName(each)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Text tone="soft" size="medium" breaks>
        {recipeText.paste} {isDead(one) ? recipeText.fails : recipeText.works}
      </Text>
      <CodeBlock text={shellRecipe(source, url)} what={recipeText.copied} />
      <Text tone="soft" size="medium" breaks>
        {recipeText.note}{' '}
        {source.kind === 'command' ? (
          <CodeText text={recipeText.exec(defaultVariable, `${source.commandLine} exec ${source.name}`)} />
        ) : null}
      </Text>
    </Stack>
  );
}

/**
 * How a shell gets the token of a credential: a line to copy and to run as it is.
 *
 * It calls the service with the token and prints what it says, so that whoever pastes it sees at once that it works,
 * and then puts their own call in its place. The value never stands in the arguments of a program, where anybody on the machine
 * could read it. Paths and command lines may hold anything: each goes through the quoting of the shell.
 */

/** Where the value comes from. */
export type RecipeSource =
  /** The command line, as it is called on this machine. */
  | { readonly kind: 'command'; readonly commandLine: string; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'dotenv'; readonly path: string; readonly variable: string };

/** For `sh` and everything that understands it. `url`: what is asked with the token, the service about the token itself. */
export function shellRecipe(source: RecipeSource, url: string): string {
  switch (source.kind) {
    case 'command':
      return `${defaultVariable}=$(${source.commandLine} get ${source.name}) &&\n  ${callWith(defaultVariable, url)}`;
    case 'file':
      return `${defaultVariable}=$(cat ${shellWord(source.path)}) &&\n  ${callWith(defaultVariable, url)}`;
    case 'dotenv':
      // In a shell of its own, for the file sets what else it has, too.
      return `(. ${shellWord(source.path)} &&\n  ${callWith(source.variable, url)})`;
    default:
      return unreachable(source);
  }
}

/**
 * `printf` is the shell's own, and curl reads the header from its standard input (`-H @-`, since 7.55): the value is no argument
 * of anything.
 */
function callWith(variable: string, url: string): string {
  return `printf "Authorization: Bearer %s" "$${variable}" |\n  curl -sS -H @- ${shellWord(url)}`;
}

/** Where the value of a credential can come from: the command line where there is one, then its files. */
export function recipeSources(
  {
    name,
    targets,
  }: Pick<CredentialView, 'name'> & { readonly targets: readonly Pick<TargetView, 'target'>[] },
  commandLine: string | null,
): RecipeSource[] {
  return [
    ...(commandLine === null ? [] : [{ kind: 'command' as const, commandLine, name }]),
    ...targets.flatMap(({ target }): RecipeSource[] => {
      if (target.kind === 'file') return [{ kind: 'file', path: target.path }];
      return target.kind === 'dotenv'
        ? [{ kind: 'dotenv', path: target.path, variable: target.variable }]
        : [];
    }),
  ];
}

/** A source as a person tells it from the others. */
function sourceName(source: RecipeSource): string {
  return source.kind === 'command' ? recipeText.commandLine : placeText(source);
}
