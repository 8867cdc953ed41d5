import type { ReactNode } from 'react';
import type { ConnectionTest } from '../../contract/credential/credential-checks.ts';
import type { RotationPolicy } from '../../contract/credential/credential.ts';
import type { ProviderView } from '../../contract/credential/provider-view.ts';
import { oldTokenText, rotationPlanText as text } from '../../text/credential/providers.ts';
import { shortDayText } from '../../text/time.ts';
import { Box } from '../kit/box.tsx';
import { useCommandLine } from '../kit/command-line.tsx';
import { Stack } from '../kit/layout.tsx';
import { Consequences } from '../kit/dialog.tsx';
import { RichText } from '../kit/rich-text.tsx';
import { Text } from '../kit/text.tsx';
import { aboutWhen } from './policy-fields.tsx';
import { askedInputs } from './provider-inputs.tsx';

/** What will happen to a token that is about to be added, and when. */
export function RotationPlan({
  test,
  provider,
  policy,
  name,
  inputs,
  expiresAt,
}: {
  test: ConnectionTest;
  provider: ProviderView;
  policy: RotationPolicy;
  name: string;
  /** What the provider is told. */
  inputs: Readonly<Record<string, string>>;
  /** When the person says that it expires, where its service does not. */
  expiresAt: string | undefined;
}) {
  const { token, rotation, checked_at: checkedAt } = test;
  const { traits } = provider;
  if (traits.shape === 'assisted') {
    return test.outcome === 'refused' ? null : (
      <ReminderPlan token={token ?? saidToken(expiresAt)} now={checkedAt} />
    );
  }
  if (test.outcome !== 'works' || token === null || rotation?.outcome === 'cannot_rotate') return null;
  const isRenewed = traits.shape === 'renew';
  const dueAt = aboutWhen(policy, token, checkedAt);
  const share = text.share(policy.fraction);
  const helper = askedInputs(provider, inputs).find(({ kind }) => kind === 'credential');
  const isHelped = helper !== undefined && inputs[helper.name] !== undefined;
  return (
    <Plan>
      <li>
        {dueAt === null ? (
          <RichText text={isRenewed ? text.renewedSoon : text.rotatedSoon} parts={{ share }} />
        ) : (
          <RichText
            text={isRenewed ? text.renewed : text.rotated}
            parts={{ at: <Day at={dueAt} />, left: text.left(msBetween(dueAt, token.expires_at)) }}
          />
        )}{' '}
        {oldTokenText({ shape: traits.shape, oldEnds: traits.old_ends })}
      </li>
      {isRenewed ? (
        <li>{text.renewedUntil}</li>
      ) : (
        <>
          <ReadWith name={name} />
          {token.validity_days === null ? null : <li>{text.validity(token.validity_days)}</li>}
        </>
      )}
      {traits.repeat === 'after_inspect' && !isHelped ? (
        <li>{text.lostReply(provider.name, helper !== undefined)}</li>
      ) : null}
    </Plan>
  );
}

/** The share of its lifetime after which a person is reminded for the first time of a token that they replace themselves. */
const remindedAfter = 0.8;

type KnownEnd = Parameters<typeof aboutWhen>[1];

/** The same where only a person can create the next token. */
function ReminderPlan({ token, now }: { token: KnownEnd | null; now: string }) {
  const at = token === null ? null : aboutWhen({ fraction: remindedAfter }, token, now);
  return (
    <Plan>
      {token === null ? <li>{text.remindedUnknown}</li> : null}
      {token === null ? null : (
        <li>
          {at === null ? (
            text.remindedSoon
          ) : (
            <RichText
              text={text.reminded}
              parts={{ at: <Day at={at} />, left: text.left(msBetween(at, token.expires_at)) }}
            />
          )}
        </li>
      )}
      <li>{text.entered}</li>
    </Plan>
  );
}

function saidToken(expiresAt: string | undefined): KnownEnd | null {
  return expiresAt === undefined || Number.isNaN(Date.parse(expiresAt)) ? null : { expires_at: expiresAt };
}

function msBetween(from: string, to: string): number {
  return Date.parse(to) - Date.parse(from);
}

function Day({ at }: { at: string }) {
  return <time dateTime={at}>{shortDayText(at)}</time>;
}

/** The same for a secret that obtains tokens; nothing where a token is entered. */
export function RefreshPlan({ provider, name }: { provider: ProviderView; name: string }) {
  if (provider.secret === null) return null;
  return (
    <Plan>
      <li>{text.obtained}</li>
      <li>{text.refreshed}</li>
      <ReadWith name={name} />
    </Plan>
  );
}

function ReadWith({ name }: { name: string }) {
  const commandLine = useCommandLine();
  const command =
    commandLine === null ? null : <code>{`${commandLine} get ${name === '' ? 'NAME' : name}`}</code>;
  return <li>{command === null ? text.readNoCommand : <RichText text={text.read} parts={{ command }} />}</li>;
}

function Plan({ children }: { children: ReactNode }) {
  return (
    <Box isSunken>
      <Stack gap={2}>
        <Text as="h3" size="medium" weight="bold">
          {text.title}
        </Text>
        <Consequences>{children}</Consequences>
      </Stack>
    </Box>
  );
}
