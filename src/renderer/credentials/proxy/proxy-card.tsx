import { type ReactNode, useRef, useState } from 'react';
import type { CredentialView } from '../../../contract/credential-view.ts';
import type { AppToken, ProxyView } from '../../../contract/proxy.ts';
import {
  proxyCardText as text,
  proxyRemovalText as removalText,
  ruleText,
  tooWideText,
} from '../../../text/proxy-text.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { ActionButton, Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { ExactMoment } from '../../kit/moment.tsx';
import pageStyles from '../../kit/page.module.css';
import type { PortalReply } from '../../kit/portal-reply.ts';
import { RichText } from '../../kit/rich-text.tsx';
import { Text } from '../../kit/text.tsx';
import { isBusyWith, useAct } from '../../kit/use-act.ts';
import { AppDialog } from './app-dialog.tsx';
import { proxyOf, useKnownProxy } from './proxy-resource.ts';
import { RuleDialog } from './rule-dialog.tsx';

/** How many requests are shown; the history has the sums of all. */
const shownUses = 8;

export function ProxyCard({ one }: { one: CredentialView }) {
  const view = useLive(proxyOf(one.name)).known?.value;
  const [open, setOpen] = useState<'rule' | 'app' | null>(null);
  if (view === undefined) return null;
  const { rules, tokens, recent, forbidden } = view;
  const isUsed = rules.length + tokens.length > 0;
  return (
    <Card title={text.title} aside={isUsed ? text.aside(rules.length, tokens.length) : undefined}>
      <div className={pageStyles['stack']}>
        <Text tone="soft">{text.lead}</Text>
        <Part title={text.rules} none={rules.length === 0 ? text.noRules : null}>
          {rules.map((rule) => (
            <RuleRow key={rule.id} name={one.name} rule={rule} />
          ))}
        </Part>
        <Part title={text.apps} none={tokens.length === 0 ? text.noApps : null}>
          {tokens.map((token) => (
            <AppRow key={token.id} name={one.name} token={token} />
          ))}
        </Part>
        <Row gap={2} wraps>
          <Button onPress={() => setOpen('rule')}>{text.addRule}</Button>
          <Button onPress={() => setOpen('app')}>{text.issue}</Button>
        </Row>
        {recent.length === 0 ? null : (
          <Part title={text.recent} none={null}>
            {recent.slice(0, shownUses).map((use) => (
              <Row key={`${use.at} ${use.route} ${use.duration_ms}`} as="li" gap={3} wraps align="baseline">
                <Text as="span" tone="soft" size="small" isTabular>
                  <ExactMoment at={use.at} />
                </Text>
                <Text as="span" size="small" weight="strong" breaks>
                  {use.app}
                </Text>
                <Text as="span" size="small" tone={use.refusal === null ? 'plain' : 'warn'} breaks>
                  {text.use(use)}
                </Text>
              </Row>
            ))}
          </Part>
        )}
        {isUsed ? (
          <details>
            <summary>{text.forbidden}</summary>
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
          </details>
        ) : null}
      </div>
      {open === 'rule' ? <RuleDialog one={one} view={view} onClose={() => setOpen(null)} /> : null}
      {open === 'app' ? <AppDialog one={one} onClose={() => setOpen(null)} /> : null}
    </Card>
  );
}

function Part({ title, none, children }: { title: string; none: string | null; children: ReactNode }) {
  return (
    <Stack as="section" gap={2} aria-label={title}>
      <Text as="h3" weight="bold" size="normal">
        {title}
      </Text>
      {none === null ? (
        <Stack as="ul" gap={2} aria-label={title}>
          {children}
        </Stack>
      ) : (
        <Text tone="soft" size="medium">
          {none}
        </Text>
      )}
    </Stack>
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

function AppRow({ name, token }: { name: string; token: AppToken }) {
  const [isAsked, setAsked] = useState(false);
  const { app, last_used_at: lastAt, expires_at: expiresAt } = token;
  return (
    <Row as="li" gap={3} wraps align="center" justify="between">
      <Stack gap={1}>
        <Text weight="strong" breaks>
          {app}
        </Text>
        <Text tone={token.is_expired ? 'warn' : 'soft'} size="small">
          <RichText
            text={token.is_expired ? text.expired : text.expires}
            parts={{ at: <ExactMoment at={expiresAt} /> }}
          />
        </Text>
        <Text tone="soft" size="small" isTabular>
          {lastAt === null ? (
            text.neverUsed
          ) : (
            <RichText
              text={text.used(token.requests, token.last_generation)}
              parts={{ at: <ExactMoment at={lastAt} /> }}
            />
          )}
        </Text>
        {token.running === 0 ? null : (
          <Text size="small" isTabular>
            {text.running(token.running)}
          </Text>
        )}
      </Stack>
      <ActionButton about={app} onPress={() => setAsked(true)}>
        {text.revoke}
      </ActionButton>
      {isAsked ? (
        <RemovalDialog
          name={name}
          what="token"
          about={app}
          remove={() => askPortal('revokeAppToken', { params: { id: token.id } })}
          onClose={() => setAsked(false)}
        />
      ) : null}
    </Row>
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
