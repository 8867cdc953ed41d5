import { type ReactNode, useState } from 'react';
import type { z } from 'zod';
import { AddPbx, ariApplication, type PbxView } from '../../contract/calls/pbx.ts';
import {
  ariSetupLines,
  httpSetupLines,
  newPbxPassword,
  type SetupPlace,
  setupUrls,
} from '../../core/calls/setup-lines.ts';
import { pbxSetupText as text, ringText } from '../../text/calls/telephone-systems.ts';
import { windowTitle } from '../../text/window/window.ts';
import { storedMenus } from '../ivr/read-menus.ts';
import { pbxPath } from '../kit/window-paths.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { Button, SubmitButton } from '../kit/button.tsx';
import { Card, Column } from '../kit/card.tsx';
import { Choice } from '../kit/choice.tsx';
import { CodeBlock } from '../kit/command-line.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { Form, FormText, refuseForm, useSchemaForm } from '../kit/form.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import { WayBack } from '../kit/link.tsx';
import { combineLive, useLive } from '../kit/live/use-live.ts';
import { goInstead, useSearch } from '../kit/navigation.ts';
import { isOnLoopback } from '../kit/page-key.ts';
import { Text } from '../kit/text.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { HandOver } from './hand-over.tsx';
import { allPbxs, PbxStateSign } from './pbx-state.tsx';
import { Lines, PbxTestPanel } from './pbx-test.tsx';
import { PbxFields } from './pbx-fields.tsx';
import { RingMenu } from './ring.tsx';

const { steps } = text;

/**
 * From an Asterisk that knows nothing of Rotavox to a number that a menu answers, in three steps on one page.
 *
 * The address names the telephone system once it is added, so that a reload goes on there.
 */
export function PbxSetupWindow() {
  const live = combineLive({ pbxs: useLive(allPbxs), menus: useLive(storedMenus) });
  const known = live.known?.value;
  const name = useSearch().get('name');
  const pbx = known?.pbxs.find((one) => one.name === name) ?? null;
  const [place, setPlace] = useState<SetupPlace>('here');
  const [password] = useState(() => newPbxPassword(crypto.getRandomValues(new Uint8Array(32))));

  return (
    <WindowFrame
      title={windowTitle(text.title)}
      heading={text.title}
      above={<WayBack to="/telephone-systems">{text.back}</WayBack>}
      live={live}
      nav={<WindowNav current="calls" />}
    >
      {known === undefined ? null : (
        <Column isAlone>
          {pbx === null ? <AllowStep place={place} onPlace={setPlace} password={password} /> : null}
          <Card
            title={steps.connect.title}
            aside={pbx === null ? undefined : <PbxStateSign state={pbx.state} />}
          >
            {pbx === null ? (
              <ConnectForm key={place} place={place} password={password} />
            ) : (
              <PbxTestPanel name={pbx.name} isAutomatic />
            )}
          </Card>
          <HandOverStep pbx={pbx}>
            <HandOver stored={known.menus} pbx={pbx?.name ?? null} />
          </HandOverStep>
          {pbx === null || known.menus.menus.length + known.menus.parts.length === 0 ? null : (
            <Card title={ringText.title}>
              <RingMenu pbx={pbx} stored={known.menus} />
            </Card>
          )}
          {pbx === null ? null : (
            <Row gap={2} justify="end">
              <Button rank="main" onPress={() => goInstead(pbxPath(pbx.name))}>
                {text.finish}
              </Button>
            </Row>
          )}
        </Column>
      )}
    </WindowFrame>
  );
}

const places = (['here', 'elsewhere'] as const).map((value) => ({ value, label: text.place[value] }));

/** What to add in Asterisk so that this program may connect, with a user and a password that are new. */
function AllowStep({
  place,
  onPlace,
  password,
}: {
  place: SetupPlace;
  onPlace: (place: SetupPlace) => void;
  password: string;
}) {
  const { allow } = steps;
  return (
    <Card title={allow.title}>
      <Stack gap={4}>
        <p>{allow.lead}</p>
        <Stack gap={2}>
          <Text weight="strong">{text.place.label}</Text>
          <Choice label={text.place.label} options={places} value={place} onChange={onPlace} />
        </Stack>
        <Lines lines={ariSetupLines({ user: ariApplication, password })} />
        <Lines lines={httpSetupLines(place)} />
        <p>{allow.merge}</p>
        {place === 'elsewhere' ? (
          <>
            <p>{allow.certificate}</p>
            <p>{isOnLoopback() ? allow.tunnel : allow.fetches(location.origin)}</p>
          </>
        ) : null}
        <Stack gap={2}>
          <p>{allow.load}</p>
          <CodeBlock text={allow.reload.join('\n')} what={text.copy('Asterisk CLI')} />
        </Stack>
        <Text tone="soft" size="small">
          {allow.freePbx}
        </Text>
      </Stack>
    </Card>
  );
}

type Fields = z.input<typeof AddPbx>;

/** Where it is and who signs in, filled in as step 1 has it. */
function ConnectForm({ place, password }: { place: SetupPlace; password: string }) {
  const form = useSchemaForm<Fields, AddPbx>(AddPbx, {
    name: 'office',
    url: place === 'here' ? setupUrls.here : '',
    user: ariApplication,
    password,
  });
  const { errors, isSubmitting } = form.formState;

  async function add(body: AddPbx): Promise<void> {
    const added = await askPortal('addPbx', { body });
    if (added.kind === 'ok') {
      goInstead(`/add-telephone-system?name=${encodeURIComponent(added.value.name)}`);
      return;
    }
    refuseForm(form, ['name', 'url', 'user', 'password'], added, 'pbx_added');
  }
  return (
    <Form form={form} onSend={add}>
      <p>{steps.connect.lead}</p>
      <FormText name="name" text={text.fields.name} face="code" isRequired />
      <PbxFields isPasswordKept={false} />
      <FormRefusal reason={errors.root?.message} />
      <Row gap={3}>
        <SubmitButton isBusy={isSubmitting}>
          {isSubmitting ? steps.connect.busy : steps.connect.submit}
        </SubmitButton>
      </Row>
    </Form>
  );
}

function HandOverStep({ pbx, children }: { pbx: PbxView | null; children: ReactNode }) {
  return (
    <Card title={steps.handOver.title}>
      {pbx === null ? <Text tone="soft">{steps.handOver.wait}</Text> : children}
    </Card>
  );
}
