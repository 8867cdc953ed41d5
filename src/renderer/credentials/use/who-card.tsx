import { useState } from 'react';
import { type CredentialView, isDead } from '../../../contract/credential/credential-view.ts';
import type { ProxyUse } from '../../../contract/credential/proxy.ts';
import { isRenewed } from '../../../providers/catalogue.ts';
import { whoCardText as text } from '../../../text/credential/credential-page.ts';
import { callerText } from '../../../text/window/events.ts';
import { currentTokenEnds } from '../../../text/credential/providers.ts';
import { lineKey, linesOfUse, usersText } from '../../../text/credential/use-text.ts';
import { MenuButton } from '../../kit/action-menu.tsx';
import { Card } from '../../kit/card.tsx';
import { CodeText } from '../../kit/code-text.tsx';
import { useCommandLine } from '../../kit/command-line.tsx';
import { Icon } from '../../kit/icon.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { ExactMoment } from '../../kit/moment.tsx';
import pageStyles from '../../kit/page.module.css';
import { RichText } from '../../kit/rich-text.tsx';
import { Text } from '../../kit/text.tsx';
import { RecipeDialog } from '../page/recipe-dialog.tsx';
import { AppDialog } from '../proxy/app-dialog.tsx';
import { AppRow, ProxyPart } from '../proxy/proxy-part.tsx';
import { proxyOf, whoUses } from '../read-credentials.ts';
import { RuleDialog } from '../proxy/rule-dialog.tsx';
import { TargetEditor } from '../targets/target-editor.tsx';
import { TargetRow } from '../targets/target-row.tsx';
import { ProgramRow, type TokenUser, usersOfCurrent, WhoRow } from './users.tsx';

/** What is being added: a rule also for a request that was refused. */
type Adding =
  | { readonly kind: 'target' | 'app' | 'lines' }
  | { readonly kind: 'rule'; readonly refused: ProxyUse | null };

/** Who has the token and who uses it: targets, apps of the proxy, programs and addresses in one list, and the way to add one. */
export function WhoCard({ one }: { one: CredentialView }) {
  const use = useLive(whoUses(one.name)).known?.value;
  const proxy = useLive(proxyOf(one.name)).known?.value;
  const addresses = useLive(usersOfCurrent(one)).known?.value ?? [];
  const [adding, setAdding] = useState<Adding | null>(null);
  const close = () => setAdding(null);
  const addRule = (refused: ProxyUse | null) => setAdding({ kind: 'rule', refused });

  const tokens = proxy?.tokens ?? [];
  const lines = new Map((use === undefined ? [] : linesOfUse(use)).map((line) => [line.key, line]));
  /** Apps that have a token, and targets, have a row of their own. */
  const apps = new Set(tokens.map(({ app }) => lineKey('proxy', app)));
  const programs = [...lines.values()].filter(({ way, key }) => way !== 'delivered' && !apps.has(key));
  const isEmpty = one.targets.length + tokens.length + programs.length + addresses.length === 0;

  return (
    <Card
      title={text.title}
      aside={
        <MenuButton
          label={text.add}
          actions={[
            { label: text.added.target, act: () => setAdding({ kind: 'target' }) },
            { label: text.added.app, act: () => setAdding({ kind: 'app' }) },
            ...(proxy === undefined ? [] : [{ label: text.added.rule, act: () => addRule(null) }]),
            { label: text.added.lines, act: () => setAdding({ kind: 'lines' }) },
          ]}
        />
      }
    >
      <div className={pageStyles['stack']}>
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
        {one.targets.length === 0 ? <Text tone="soft">{text.noTargets}</Text> : null}
        {programs.length + one.targets.length === 0 ? null : (
          <Text tone="soft" size="small">
            {usersText.limit}
          </Text>
        )}
        {proxy === undefined ? null : <ProxyPart one={one} view={proxy} onRule={addRule} />}
      </div>
      {adding?.kind === 'target' ? <TargetEditor one={one} onClose={close} /> : null}
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
