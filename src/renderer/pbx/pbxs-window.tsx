import type { PbxView } from '../../contract/calls/pbx.ts';
import { pbxTroubleText } from '../../text/calls/pbx-text.ts';
import { pbxListText as text } from '../../text/calls/telephone-systems.ts';
import { windowTitle } from '../../text/window/window.ts';
import { pbxPath } from '../kit/window-paths.ts';
import { Button } from '../kit/button.tsx';
import { Card } from '../kit/card.tsx';
import { Empty } from '../kit/empty.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import { Link, WayBack } from '../kit/link.tsx';
import { useLive } from '../kit/live/use-live.ts';
import { goTo } from '../kit/navigation.ts';
import rowStyles from '../kit/row-link.module.css';
import { Text } from '../kit/text.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { allPbxs, PbxStateLine, PbxStateSign } from './pbx-state.tsx';

/** All telephone systems with their state, or what one is for and the way to the first. */
export function PbxsWindow() {
  const live = useLive(allPbxs);
  const pbxs = live.known?.value;
  return (
    <WindowFrame
      title={windowTitle(text.title)}
      heading={text.title}
      above={<WayBack to="/calls">{text.back}</WayBack>}
      below={<Text tone="soft">{text.lead}</Text>}
      live={live}
      nav={<WindowNav current="calls" />}
    >
      {pbxs === undefined ? null : <Pbxs pbxs={pbxs} />}
    </WindowFrame>
  );
}

function Pbxs({ pbxs }: { pbxs: readonly PbxView[] }) {
  if (pbxs.length === 0) return <NoPbx />;
  return (
    <Card title={text.count(pbxs.length)}>
      <Stack gap={4}>
        <ul>
          {pbxs.map((pbx) => (
            <PbxRow key={pbx.id} pbx={pbx} />
          ))}
        </ul>
        <Row gap={2}>
          <Button onPress={() => goTo('/add-telephone-system')}>{text.add}</Button>
        </Row>
      </Stack>
    </Card>
  );
}

/** What a telephone system is for here, and the way to the first one. */
export function NoPbx() {
  return (
    <Empty title={text.empty.title} text={text.empty.text}>
      <Button rank="main" onPress={() => goTo('/add-telephone-system')}>
        {text.add}
      </Button>
    </Empty>
  );
}

function PbxRow({ pbx: { name, url, state, calls } }: { pbx: PbxView }) {
  return (
    <li className={rowStyles['row']}>
      <Row gap={4} wraps align="center" justify="between">
        <Text as="div" breaks>
          <Link to={pbxPath(name)} className={rowStyles['link']}>
            <bdi>{name}</bdi>
          </Link>
          <Text as="code" tone="soft" size="small">
            {` ${url}`}
          </Text>
        </Text>
        <PbxStateSign state={state} />
      </Row>
      <Text tone="soft" size="small" isTabular breaks>
        {state.status === 'unreachable' ? `${pbxTroubleText(state.trouble).what} ` : null}
        <PbxStateLine state={state} /> {state.status === 'connected' ? `${text.calls(calls)}.` : null}
      </Text>
    </li>
  );
}
