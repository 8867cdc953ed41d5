import { useState } from 'react';
import type { z } from 'zod';
import { ChangePbx, type PbxView } from '../../contract/calls/pbx.ts';
import { pbxPageText as text, handOverText, ringText } from '../../text/calls/telephone-systems.ts';
import { windowTitle } from '../../text/window/window.ts';
import { type Menus, storedMenus } from '../ivr/read-menus.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { Button } from '../kit/button.tsx';
import { Card, Column, Columns } from '../kit/card.tsx';
import { Consequences, QuestionDialog } from '../kit/dialog.tsx';
import { FormDialog, refuseForm, useSchemaForm } from '../kit/form.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import { WayBack } from '../kit/link.tsx';
import { combineLive, useLive } from '../kit/live/use-live.ts';
import { ExactMoment } from '../kit/moment.tsx';
import { goInstead } from '../kit/navigation.ts';
import { UnknownNotice } from '../kit/notice.tsx';
import { Below, Fact, Facts } from '../kit/page.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { DestinationsCard } from './destinations-card.tsx';
import { HandOver } from './hand-over.tsx';
import { PbxFields } from './pbx-fields.tsx';
import { allPbxs, PbxStateLine, PbxStateSign, PbxTroubleNotice } from './pbx-state.tsx';
import { PbxTestPanel } from './pbx-test.tsx';
import { RingMenu } from './ring.tsx';

/** One telephone system: its connection, how numbers are handed over, where calls continue, and its end. */
export function PbxWindow({ name }: { name: string }) {
  const live = combineLive({ pbxs: useLive(allPbxs), menus: useLive(storedMenus) });
  const known = live.known?.value;
  const pbx = known?.pbxs.find((one) => one.name === name);
  return (
    <WindowFrame
      title={windowTitle(name)}
      heading={name}
      above={<WayBack to="/telephone-systems">{text.all}</WayBack>}
      below={
        pbx === undefined ? undefined : (
          <Below sign={<PbxStateSign state={pbx.state} />}>
            {pbx.state.status === 'unreachable' ? null : <PbxStateLine state={pbx.state} />}
          </Below>
        )
      }
      live={live}
      nav={<WindowNav current="calls" />}
    >
      {known === undefined ? null : <Page pbx={pbx} stored={known.menus} name={name} />}
    </WindowFrame>
  );
}

function Page({ pbx, stored, name }: { pbx: PbxView | undefined; stored: Menus; name: string }) {
  if (pbx === undefined) return <UnknownNotice text={text.unknown} name={name} />;
  return (
    <>
      <PbxTroubleNotice pbx={pbx} />
      <Columns>
        <Column>
          <ConnectionCard pbx={pbx} />
          {stored.menus.length + stored.parts.length === 0 ? null : (
            <Card title={ringText.title}>
              <RingMenu pbx={pbx} stored={stored} />
            </Card>
          )}
        </Column>
        <Column>
          <Card title={handOverText.title}>
            <HandOver stored={stored} pbx={pbx.name} />
          </Card>
        </Column>
      </Columns>
      <DestinationsCard key={pbx.id} pbx={pbx} />
      <RemoveCard pbx={pbx} />
    </>
  );
}

/** Where it is, whether it is connected, its test, and the way to change it. */
function ConnectionCard({ pbx }: { pbx: PbxView }) {
  const [isChanging, setChanging] = useState(false);
  const { connection } = text;
  const { facts } = connection;
  const { state } = pbx;
  return (
    <Card title={connection.title}>
      <Stack gap={4}>
        <Facts isWide>
          <Fact name={facts.address}>
            <code>{pbx.url}</code>
          </Fact>
          <Fact name={facts.user}>
            <code>{pbx.user}</code>
          </Fact>
          {state.status === 'connected' ? (
            <>
              <Fact name={facts.version}>{state.version}</Fact>
              <Fact name={facts.since}>
                <ExactMoment at={state.since} />
              </Fact>
              <Fact name={facts.calls}>{pbx.calls.toLocaleString()}</Fact>
            </>
          ) : null}
        </Facts>
        <PbxTestPanel name={pbx.name}>
          <Button onPress={() => setChanging(true)}>{connection.change}</Button>
        </PbxTestPanel>
      </Stack>
      {isChanging ? <ChangeDialog pbx={pbx} onClose={() => setChanging(false)} /> : null}
    </Card>
  );
}

type Fields = z.input<typeof ChangePbx>;

/** Changes the address, the user or the password. An empty password stays as it is. */
function ChangeDialog({ pbx, onClose }: { pbx: PbxView; onClose: () => void }) {
  const form = useSchemaForm<Fields, ChangePbx>(ChangePbx, {
    url: pbx.url,
    user: pbx.user,
    insecure_http: pbx.insecure_http,
  });
  const { change } = text;

  async function save(body: ChangePbx): Promise<boolean> {
    const changed = await askPortal('changePbx', { params: { name: pbx.name }, body });
    if (changed.kind !== 'ok') refuseForm(form, ['url', 'user', 'password'], changed, 'pbx_changed');
    return changed.kind === 'ok';
  }
  return (
    <FormDialog
      title={change.title(pbx.name)}
      form={form}
      onSend={save}
      cancel={change.cancel}
      submit={change.save}
      pending={change.saving}
      onClose={onClose}
    >
      <PbxFields isPasswordKept />
    </FormDialog>
  );
}

function RemoveCard({ pbx: { name, calls } }: { pbx: PbxView }) {
  const [isAsked, setAsked] = useState(false);
  const { remove } = text;
  return (
    <Card title={remove.title}>
      <Row gap={3} wraps align="center" justify="between">
        <p>{remove.lead}</p>
        <Button onPress={() => setAsked(true)}>{remove.open}</Button>
      </Row>
      {isAsked ? (
        <QuestionDialog
          title={remove.question(name)}
          cancel={remove.cancel}
          verb={remove.act}
          pending={remove.removing}
          ask={() => askPortal('removePbx', { params: { name } })}
          change="pbx_removed"
          onDone={() => goInstead('/telephone-systems')}
          onClose={() => setAsked(false)}
        >
          <Consequences of={remove.consequences(calls)} />
        </QuestionDialog>
      ) : null}
    </Card>
  );
}
