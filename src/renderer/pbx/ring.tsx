import { type ReactNode, type SyntheticEvent, useState } from 'react';
import type { CallsNotice } from '../../contract/calls/call.ts';
import { PbxEndpoint, type PbxView, type RingPhone } from '../../contract/calls/pbx.ts';
import { fieldErrorText } from '../../text/window/window.ts';
import { ringText as text } from '../../text/calls/telephone-systems.ts';
import { useLiveCalls } from '../calls/live-calls.ts';
import { callPath } from '../kit/window-paths.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { SubmitButton } from '../kit/button.tsx';
import { Field } from '../kit/field.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import inputStyles from '../kit/input.module.css';
import { Row, Stack } from '../kit/layout.tsx';
import { Link } from '../kit/link.tsx';
import { useStreamEvent } from '../kit/live/change-stream.ts';
import { Text } from '../kit/text.tsx';
import { TextField } from '../kit/text-field.tsx';
import { useAct } from '../kit/use-act.ts';
import { callStarts } from '../../core/calls/call-starts.ts';
import type { Menus } from '../ivr/read-menus.ts';
import { MenuChoice } from './pbx-fields.tsx';

/** Where this browser keeps what phone was rung last. */
const endpointKey = 'rotavox-ring-endpoint';

/** Rings a phone and runs a menu on it, and says how the call goes. */
export function RingForm({
  pbxs,
  menuName,
  prepare,
  downLink,
  children,
}: {
  pbxs: readonly PbxView[];
  /** What a menu of the call is called, by its id as the call names it. */
  menuName: (menu: string) => string;
  /** What is to be called, as soon as that is ready; a sentence says why it cannot be. */
  prepare: () => Promise<RingPhone['menu'] | string>;
  /** The way to the page of a telephone system that is unreachable, from anywhere else. */
  downLink?: (name: string) => ReactNode;
  /** Fields of the caller's own. */
  children?: ReactNode;
}) {
  const act = useAct();
  const [pbxName, setPbxName] = useState('');
  const [endpoint, setEndpoint] = useState(() => localStorage.getItem(endpointKey) ?? '');
  const [failure, setFailure] = useState<string>();
  const [isTried, setTried] = useState(false);
  const [call, setCall] = useState<{ readonly id: string; readonly endpoint: string } | null>(null);
  const pbx = pbxs.find(({ name }) => name === pbxName) ?? pbxs[0];
  const isBusy = act.state.kind === 'busy';
  const problem = PbxEndpoint.safeParse(endpoint.trim()).error?.issues[0]?.message;
  const error = isTried && problem !== undefined ? fieldErrorText(text.endpoint.subject, problem) : undefined;

  async function ring(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    setFailure(undefined);
    if (isBusy || pbx === undefined || problem !== undefined) return;
    const wanted = endpoint.trim();
    setCall(null);
    const done = await act.run<{ readonly call: string } | null>(
      'ring',
      async () => {
        const menu = await prepare();
        if (typeof menu === 'string') {
          setFailure(menu);
          return { kind: 'ok', value: null };
        }
        const body = { endpoint: wanted, menu };
        return askPortal('ringPhone', { params: { name: pbx.name }, body });
      },
      'phone_rung',
    );
    const rung = done?.value;
    if (rung === undefined || rung === null) return;
    localStorage.setItem(endpointKey, wanted);
    setCall({ id: rung.call, endpoint: wanted });
  }

  if (pbx === undefined) return null;
  return (
    <form noValidate onSubmit={(event) => void ring(event)}>
      <Stack gap={4}>
        {pbxs.length < 2 ? null : (
          <Field label={text.system}>
            {(tied) => (
              <select
                {...tied}
                className={inputStyles['input']}
                value={pbx.name}
                onChange={({ target }) => setPbxName(target.value)}
              >
                {pbxs.map(({ id, name }) => (
                  <option key={id}>{name}</option>
                ))}
              </select>
            )}
          </Field>
        )}
        {children}
        <TextField
          label={text.endpoint.label}
          hint={text.endpoint.hint}
          error={error}
          face="code"
          placeholder={text.endpoint.example}
          value={endpoint}
          onChange={setEndpoint}
        />
        {pbx.state.status === 'unreachable' ? (
          <Text tone="bad" size="medium">
            {text.down(pbx.name)} {downLink?.(pbx.name)}
          </Text>
        ) : null}
        <FormRefusal reason={failure ?? act.refusal} />
        <Row gap={3} align="center" wraps>
          <SubmitButton isBusy={isBusy}>{isBusy ? text.ringing : text.ring}</SubmitButton>
          <div role="status">
            {call === null ? null : <RungCall key={call.id} {...call} menuName={menuName} />}
          </div>
        </Row>
      </Stack>
    </form>
  );
}

/** How a call that was asked for goes: it rings, it is in a menu, it has ended. */
function RungCall({
  id,
  endpoint,
  menuName,
}: {
  id: string;
  endpoint: string;
  menuName: (menu: string) => string;
}) {
  const live = useLiveCalls().known?.value.find((call) => call.id === id);
  const [isOver, setOver] = useState(false);
  useStreamEvent('calls', ({ data }) => {
    // Also of a phone that nobody answered.
    if ((JSON.parse(String(data)) as CallsNotice).ended.some((ended) => ended === id)) setOver(true);
  });
  if (live !== undefined) return <p>{text.inMenu(menuName(live.menu))}</p>;
  if (!isOver) return <p>{text.rings(endpoint)}</p>;
  return (
    <p>
      {text.ended} <Link to={callPath(id)}>{text.openCall}</Link>
    </p>
  );
}

/** Rings a phone and runs a published menu on it. */
export function RingMenu({
  pbx,
  stored: { menus, parts },
}: {
  pbx: PbxView;
  stored: Pick<Menus, 'menus' | 'parts'>;
}) {
  const [chosen, setChosen] = useState('');
  const starts = callStarts(menus, parts);
  const menu = starts.find(({ id }) => id === chosen) ?? starts[0];
  if (menu === undefined) return null;
  return (
    <Stack gap={4}>
      <p>{text.lead}</p>
      <RingForm
        pbxs={[pbx]}
        menuName={(id) => [...menus, ...parts].find((one) => one.id === id)?.name ?? id}
        prepare={() => Promise.resolve({ ivr: menu.id })}
      >
        <MenuChoice label={text.menu} menus={starts} chosen={menu} onChoose={setChosen} />
      </RingForm>
    </Stack>
  );
}
