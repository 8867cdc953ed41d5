import { useRef, useState } from 'react';
import type { CredentialView } from '../../../contract/credential/credential-view.ts';
import type { AppToken, ProxyUse, ProxyView } from '../../../contract/credential/proxy.ts';
import { matchesPath, pathPattern } from '../../../core/proxy/request-path.ts';
import { whoCardText } from '../../../text/credential/credential-page.ts';
import {
  proxyCardText as text,
  proxyRemovalText as removalText,
  ruleText,
  tooWideText,
} from '../../../text/credential/proxy-text.ts';
import type { UseLine } from '../../../text/credential/use-text.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { ActionButton, Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { ExactMoment } from '../../kit/moment.tsx';
import { Disclosure } from '../../kit/page.tsx';
import type { PortalReply } from '../../kit/read-portal.ts';
import { RichText } from '../../kit/rich-text.tsx';
import { Text } from '../../kit/text.tsx';
import { isBusyWith, useAct } from '../../kit/use-act.ts';
import { Counts, WhoRow } from '../use/users.tsx';
import { useKnownProxy } from '../read-credentials.ts';

/** How many requests are shown; the history has the sums of all. */
const shownUses = 8;

/** What apps may send with a credential through the proxy, and what they sent. Nothing while none can. */
export function ProxyPart({
  one,
  view,
  onRule,
}: {
  one: CredentialView;
  view: ProxyView;
  onRule: (refused: ProxyUse | null) => void;
}) {
  const { rules, tokens, recent, forbidden } = view;
  if (rules.length + tokens.length + recent.length === 0) return null;
  return (
    <Card isPart title={text.title} aside={rules.length === 0 ? undefined : text.aside(rules.length)}>
      <Stack gap={4}>
        <Text tone="soft">{text.lead}</Text>
        {rules.length === 0 ? (
          <Text tone="warn">{text.noRules}</Text>
        ) : (
          <Stack as="ul" gap={2} aria-label={text.rules}>
            {rules.map((rule) => (
              <RuleRow key={rule.id} name={one.name} rule={rule} />
            ))}
          </Stack>
        )}
        {tokens.length === 0 ? <Text tone="soft">{text.noApps}</Text> : null}
        <div>
          <Button onPress={() => onRule(null)}>{text.addRule}</Button>
        </div>
        {recent.length === 0 ? null : (
          <Disclosure title={text.recent}>
            <Stack as="ul" gap={2} aria-label={text.recent}>
              {recent.slice(0, shownUses).map((use) => (
                <RequestRow
                  key={`${use.at} ${use.route} ${use.duration_ms}`}
                  use={use}
                  onAllow={mayAllow(use, view) ? () => onRule(use) : undefined}
                />
              ))}
            </Stack>
          </Disclosure>
        )}
        <Disclosure title={text.forbidden}>
          <Stack gap={2}>
            <Text tone="soft" size="medium">
              {text.forbiddenLead}
            </Text>
            <ul>
              {forbidden.map(({ method, path }) => (
                <Text key={`${method ?? ''} ${path}`} as="li" size="small" breaks>
                  <code>{`${method ?? text.anyMethod} ${path}`}</code>
                </Text>
              ))}
            </ul>
            <Text tone="soft" size="medium">
              {text.limit}
            </Text>
          </Stack>
        </Disclosure>
      </Stack>
    </Card>
  );
}

/** Whether a rule could allow a request that was refused, and none that was added since does. */
function mayAllow({ refusal, route, method, app, at }: ProxyUse, { rules }: ProxyView): boolean {
  if (refusal !== 'not_allowed') return false;
  const segments = route.slice(1).split('/');
  return !rules.some(
    (rule) =>
      rule.created_at > at &&
      (rule.method === '*' || rule.method === method || (rule.method === 'GET' && method === 'HEAD')) &&
      (rule.app ?? app) === app &&
      matchesPath(pathPattern(rule.path), segments),
  );
}

function RequestRow({ use, onAllow }: { use: ProxyUse; onAllow: (() => void) | undefined }) {
  return (
    <Row as="li" gap={3} wraps align="baseline">
      <Text as="span" tone="soft" size="small" isTabular>
        <ExactMoment at={use.at} />
      </Text>
      <Text as="span" size="small" weight="strong" breaks>
        {use.app}
      </Text>
      <Text as="span" size="small" tone={use.refusal === null ? 'plain' : 'warn'} breaks>
        {text.use(use)}
      </Text>
      {onAllow === undefined ? null : <AllowButton use={use} onAllow={onAllow} />}
    </Row>
  );
}

function AllowButton({ use, onAllow }: { use: ProxyUse; onAllow: () => void }) {
  return (
    <ActionButton about={text.request(use)} onPress={onAllow}>
      {text.allow}
    </ActionButton>
  );
}

function RuleRow({ name, rule }: { name: string; rule: ProxyView['rules'][number] }) {
  const [isAsked, setAsked] = useState(false);
  return (
    <Row as="li" gap={3} wraps align="center" justify="between">
      <Stack gap={1}>
        <Text breaks>
          <code>{ruleText({ ...rule, private_network: false, scrub: false })}</code>
        </Text>
        <Text tone="soft" size="small">
          {[
            text.forApp(rule.app),
            ...(rule.private_network ? [text.privateNetwork] : []),
            ...(rule.scrub === true ? [text.scrub] : []),
          ].join(', ')}
        </Text>
        {rule.becomes === undefined ? null : (
          <Text tone="warn" size="small" breaks>
            {tooWideText(rule.becomes)}
          </Text>
        )}
      </Stack>
      <ActionButton about={ruleText(rule)} onPress={() => setAsked(true)}>
        {text.remove}
      </ActionButton>
      {isAsked ? (
        <RemovalDialog
          name={name}
          what="rule"
          about={ruleText(rule)}
          remove={() => askPortal('removeProxyRule', { params: { id: rule.id } })}
          onClose={() => setAsked(false)}
        />
      ) : null}
    </Row>
  );
}

/** An app with a token of its own: what it may send, what it sent, and what of that was refused last. */
export function AppRow({
  one,
  token,
  view,
  line,
  onRule,
}: {
  one: CredentialView;
  token: AppToken;
  view: ProxyView;
  /** What is counted of its use. */
  line: UseLine | undefined;
  onRule: (refused: ProxyUse) => void;
}) {
  const [isAsked, setAsked] = useState(false);
  const { app, last_used_at: lastAt, expires_at: expiresAt } = token;
  const rules = view.rules.filter((rule) => (rule.app ?? app) === app).length;
  const last = view.recent.find((use) => use.app === app && mayAllow(use, view));
  return (
    <WhoRow
      sign={<Icon name="token" />}
      kind={whoCardText.kinds.app}
      who={app}
      actions={
        <ActionButton about={app} onPress={() => setAsked(true)}>
          {text.revoke}
        </ActionButton>
      }
    >
      <Text tone={token.is_expired ? 'warn' : 'soft'} size="medium" isTabular>
        <RichText
          text={token.is_expired ? text.expired : text.expires}
          parts={{ at: <ExactMoment at={expiresAt} /> }}
        />
        {', '}
        {text.rulesOf(rules)}
      </Text>
      <Text tone="soft" size="medium" isTabular>
        {lastAt === null ? (
          text.neverUsed
        ) : (
          <RichText
            text={text.used(token.requests, token.last_generation)}
            parts={{ at: <ExactMoment at={lastAt} /> }}
          />
        )}
      </Text>
      <Counts line={line} />
      {token.running === 0 ? null : (
        <Text size="medium" isTabular>
          {text.running(token.running)}
        </Text>
      )}
      {last === undefined ? null : (
        <Row gap={2} wraps align="center">
          <Text tone="warn" size="medium" breaks isTabular>
            <RichText
              text={text.refused}
              parts={{ at: <ExactMoment at={last.at} />, request: <code>{text.request(last)}</code> }}
            />
          </Text>
          <AllowButton use={last} onAllow={() => onRule(last)} />
        </Row>
      )}
      {isAsked ? (
        <RemovalDialog
          name={one.name}
          what="token"
          about={app}
          remove={() => askPortal('revokeAppToken', { params: { id: token.id } })}
          onClose={() => setAsked(false)}
        />
      ) : null}
    </WhoRow>
  );
}

/** Asks before a rule is removed or an app token revoked. */
function RemovalDialog({
  name,
  what,
  about,
  remove,
  onClose,
}: {
  name: string;
  what: 'rule' | 'token';
  about: string;
  remove: () => Promise<PortalReply<ProxyView>>;
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const act = useAct();
  const show = useKnownProxy(name);
  const isBusy = isBusyWith(act, 'remove');
  const words = removalText[what];

  async function confirm(): Promise<void> {
    const removed = await act.run('remove', remove, 'proxy_changed');
    if (removed === null) return;
    ref.current?.close();
    show(removed.value);
  }
  return (
    <Dialog ref={ref} title={words.title} mayClose={() => !isBusy} onClose={onClose}>
      <Stack gap={2}>
        <Text weight="strong" breaks>
          {about}
        </Text>
        <p>{words.text}</p>
      </Stack>
      <DialogButtons>
        <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
        <Button onPress={() => ref.current?.close()}>{removalText.cancel}</Button>
        <ActionButton rank="main" isBusy={isBusy} onPress={() => void confirm()}>
          {words.act}
        </ActionButton>
      </DialogButtons>
    </Dialog>
  );
}
