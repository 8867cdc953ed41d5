import type { Ref } from 'react';
import { BaseUrl } from '../../contract/shapes.ts';
import { fillService, usualBaseUrl } from '../../contract/credential/provider-inputs.ts';
import { appPage, isSignedIn, redirectAddress, tokenPage } from '../../providers/catalogue.ts';
import { addCredentialText as text } from '../../text/credential/add-credential.ts';
import { Box } from '../kit/box.tsx';
import { Button } from '../kit/button.tsx';
import { CopyButton } from '../kit/copy-button.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import { Text } from '../kit/text.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { originOf } from '../../contract/address.ts';
import { allCredentials } from './read-credentials.ts';
import { hostOf } from './credential-name.ts';
import { PortalLink } from './sign-in-waiting.tsx';
import { creationOf, type ServiceEntry } from './service-entries.ts';
import { ServiceLogo } from './service-logo.tsx';

/** The service that was chosen, at the top of its form. `onChange`: back to the list; absent: not now. */
export function ChosenService({ name, onChange }: { name: string; onChange?: (() => void) | undefined }) {
  return (
    <Row gap={3} align="center" justify="between" wraps>
      <Row gap={3} align="center">
        <ServiceLogo name={name} />
        <div>
          <Text tone="soft" size="small">
            {text.service.chosen}
          </Text>
          <Text weight="strong">{name}</Text>
        </div>
      </Row>
      {onChange === undefined ? null : <Button onPress={onChange}>{text.service.change}</Button>}
    </Row>
  );
}

/** Where a person gets what the form asks for: what to choose there, the page, and the address to register. */
export function CreationHelp({
  entry: { provider },
  inputs,
  address,
}: {
  entry: ServiceEntry;
  inputs: Readonly<Record<string, string>>;
  /** What is entered as the address of the service, which may be none. */
  address: string | null;
}) {
  const { provider: choice, base_url: usual } = fillService({
    provider: { id: provider.id, inputs },
    // Not while it is half typed.
    base_url: BaseUrl.safeParse(address).success ? address : null,
  });
  const at = usual ?? provider.default_base_url;
  const page = appPage(choice, at) ?? (at === null ? null : tokenPage(choice, at)) ?? provider.token_page;
  const how = creationOf(provider, inputs);
  // What the person has entered themselves is not told to them.
  const shown = page === inputs['page'] ? null : page;
  if (how === null && shown === null) return null;
  const isApp = isSignedIn(provider);
  const what = isApp ? text.creation.clientId : (provider.secret?.label.toLowerCase() ?? text.creation.token);
  const redirect = redirectAddress(choice);
  return (
    <Box isSunken>
      <Stack gap={2}>
        <Text as="h3" size="medium" weight="bold">
          {text.creation.title(what)}
        </Text>
        {how === null ? null : <Text size="medium">{how}</Text>}
        {shown === null ? null : <PortalLink address={shown} />}
        {isApp ? (
          <Row gap={2} wraps align="center">
            <Text as="span" size="medium">
              {text.creation.redirect}
            </Text>
            <code>{redirect}</code>
            <CopyButton text={redirect} what={text.creation.redirectAddress} />
          </Row>
        ) : null}
      </Stack>
    </Box>
  );
}

/** Addresses of the same kind of service that credentials here have, beside its usual one. */
export function useOtherServers({ provider, inputs }: ServiceEntry): readonly string[] {
  const credentials = useLive(allCredentials).known?.value.credentials ?? [];
  const usual = usualBaseUrl({ id: provider.id, inputs });
  const addresses = credentials
    .filter((one) => one.provider.id === provider.id && one.provider.inputs['service'] === inputs['service'])
    .map(({ base_url: address }) => address);
  return [...new Set(addresses)].filter((one) => usual === null || originOf(one) !== originOf(usual));
}

/** At which server a token is, where tokens of several look the same: it is sent to none that was not chosen. */
export function ServerQuestion({
  ref,
  service,
  usual,
  servers,
  onChoose,
  onOther,
}: {
  /** The first answer. */
  ref: Ref<HTMLButtonElement>;
  service: string;
  usual: string;
  /** Other addresses that are known here. */
  servers: readonly string[];
  onChoose: (address: string) => void;
  onOther: () => void;
}) {
  return (
    <Box isSunken role="group" aria-label={text.where.title(service)}>
      <Stack gap={3}>
        <div>
          <Text size="medium" weight="bold">
            {text.where.title(service)}
          </Text>
          <Text tone="soft" size="medium">
            {text.where.consequence}
          </Text>
        </div>
        <Row gap={2} wraps>
          {[usual, ...servers].map((address, at) => (
            <Button key={address} {...(at === 0 ? { ref } : {})} onPress={() => onChoose(address)}>
              {hostOf(address)}
            </Button>
          ))}
          <Button onPress={onOther}>{text.where.other}</Button>
        </Row>
      </Stack>
    </Box>
  );
}
