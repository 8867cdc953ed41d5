import { useState } from 'react';
import type { CallDetail, CallMoment } from '../../contract/calls/call.ts';
import {
  callEndSentence,
  callEndText,
  callerText,
  callMomentText,
  callSpanText,
  forgottenText,
  pressedKeys,
} from '../../text/calls/calls-text.ts';
import { callText as text } from '../../text/calls/calls-window.ts';
import { windowTitle } from '../../text/window/window.ts';
import { draftPath, menuPath, pbxPath } from '../kit/window-paths.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { Box } from '../kit/box.tsx';
import { Button } from '../kit/button.tsx';
import { Card, Column, Columns } from '../kit/card.tsx';
import { Consequences, QuestionDialog } from '../kit/dialog.tsx';
import { Icon, type IconName } from '../kit/icon.tsx';
import { Row } from '../kit/layout.tsx';
import { Link, WayBack } from '../kit/link.tsx';
import type { Resource } from '../kit/live/resource.ts';
import { useLive } from '../kit/live/use-live.ts';
import { ExactMoment } from '../kit/moment.tsx';
import { UnknownNotice } from '../kit/notice.tsx';
import { Below, Fact, Facts } from '../kit/page.tsx';
import { RichText } from '../kit/rich-text.tsx';
import { Text } from '../kit/text.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { EndSign, useKnownNames } from './call-list.tsx';
import { allRecordings } from '../recordings/read-recordings.ts';
import styles from './calls.module.css';
import { useLiveCalls } from './live-calls.ts';

/** One call: who, when and how it ended, and what was played and pressed. */
export function CallWindow({ id }: { id: string }) {
  const live = useLive(oneCall(id));
  const running = useLiveCalls().known?.value.find((call) => call.id === id);
  const { menuName } = useKnownNames();
  const menu = running === undefined ? undefined : (menuName(running.menu) ?? running.menu);
  const call = live.known?.value ?? null;
  const [forgotten, setForgotten] = useState<number | null>(null);
  const heading = text.title((call ?? running)?.caller ?? null);
  return (
    <WindowFrame
      title={windowTitle(heading)}
      heading={heading}
      above={<WayBack to="/calls">{text.all}</WayBack>}
      below={call === null ? undefined : <CallSign call={call} />}
      live={live}
      nav={<WindowNav current="calls" />}
    >
      <div role="status">
        {forgotten === null ? null : (
          <Box tone="good" sign={<Icon name="tick" />}>
            {forgottenText(forgotten)}
          </Box>
        )}
      </div>
      {live.known === undefined ? null : (
        <FoundCall
          id={id}
          call={call}
          menu={menu}
          isForgotten={forgotten !== null}
          onForgotten={setForgotten}
        />
      )}
    </WindowFrame>
  );
}

/** The record of a call, or that it is still running, or that there is none. */
function FoundCall({
  id,
  call,
  menu,
  isForgotten,
  onForgotten,
}: {
  id: string;
  call: CallDetail | null;
  /** The name of the menu in which a running call is now. */
  menu: string | undefined;
  /** Whether its record was just deleted here, so that nobody is told that there is none. */
  isForgotten: boolean;
  onForgotten: (calls: number) => void;
}) {
  if (call !== null) {
    return (
      <Columns>
        <Column>
          <TimelineCard call={call} />
        </Column>
        <Column>
          <FactsCard call={call} />
          {call.caller === null ? null : <ForgetCard caller={call.caller} onForgotten={onForgotten} />}
        </Column>
      </Columns>
    );
  }
  if (menu !== undefined) {
    return (
      <Card title={text.live.title}>
        <RichText text={text.live.text} parts={{ menu: <strong>{menu}</strong> }} />
      </Card>
    );
  }
  return isForgotten ? null : <UnknownNotice text={text.unknown} name={id} />;
}

/** A call with what happened in it; null if there is no record of it, or not yet. */
function oneCall(id: string): Resource<CallDetail | null> {
  return {
    key: ['calls', 'one', id],
    about: ['calls.'],
    read: async (signal) => {
      const reply = await askPortal('readCall', { params: { id }, signal });
      if (reply.kind === 'refused' && reply.code === 'not_found') return { kind: 'ok', value: null };
      return reply;
    },
  };
}

function CallSign({ call }: { call: CallDetail }) {
  const { menuName: _, ...known } = useKnownNames();
  return (
    <Below
      sign={
        <>
          <EndSign end={call.end} />
          {callEndText(call.end, known, (menu) => call.menu_names[menu])}
        </>
      }
    >
      <ExactMoment at={call.started_at} />
    </Below>
  );
}

function FactsCard({ call }: { call: CallDetail }) {
  const { facts } = text;
  return (
    <Card title={facts.title}>
      <Facts isWide>
        <Fact name={facts.caller}>{callerText(call.caller)}</Fact>
        <Fact name={facts.began}>
          <ExactMoment at={call.started_at} />
        </Fact>
        <Fact name={facts.took}>{callSpanText(Date.parse(call.ended_at) - Date.parse(call.started_at))}</Fact>
        {call.draft === null ? (
          <Fact name={facts.menu}>
            <Link to={menuPath(call.ivr)}>{call.menu_names[call.ivr] ?? call.ivr}</Link>
          </Fact>
        ) : (
          <Fact name={facts.draft}>
            <Link to={draftPath(call.draft)}>{call.menu_names[call.ivr] ?? call.draft}</Link>
          </Fact>
        )}
        <Fact name={facts.system}>
          <Link to={pbxPath(call.pbx)}>{call.pbx}</Link>
        </Fact>
        <Fact name={facts.keys}>{call.keys.length === 0 ? facts.none : pressedKeys(call.keys)}</Fact>
      </Facts>
    </Card>
  );
}

const momentIcons: Record<CallMoment['kind'], IconName> = {
  entered: 'menu',
  played: 'play',
  waited: 'clock',
  key: 'token',
  timeout: 'pause',
  led: 'key',
  hours: 'clock',
  resumed: 'rotate',
  sms: 'outside',
};

/** What was played and pressed, and when after the beginning; prompts that were not heard stand out. */
function TimelineCard({ call }: { call: CallDetail }) {
  const { timeline } = text;
  const recordings = useLive(allRecordings).known?.value ?? [];
  const missing = call.moments.filter((moment) => isMissing(moment)).length;
  const tookMs = Date.parse(call.ended_at) - Date.parse(call.started_at);
  return (
    <Card
      title={timeline.title}
      aside={
        missing === 0 ? undefined : (
          <Text as="span" tone="bad" size="small">
            {timeline.missing(missing)}
          </Text>
        )
      }
    >
      <ol aria-label={timeline.list}>
        {call.moments.map((moment, place) => (
          <li key={place} className={styles['moment']}>
            <Text tone="soft" size="small" isTabular>
              {callSpanText(moment.at_ms)}
            </Text>
            <Icon name={isMissing(moment) ? 'alert' : momentIcons[moment.kind]} />
            <Text tone={isMissing(moment) ? 'bad' : 'plain'} breaks>
              {callMomentText(moment, call.menu_names, recordings)}
            </Text>
          </li>
        ))}
        <li className={styles['moment']}>
          <Text tone="soft" size="small" isTabular>
            {callSpanText(tookMs)}
          </Text>
          <EndSign end={call.end} />
          <Text weight="strong" breaks>
            {callEndSentence(call.end, call.menu_names)}
          </Text>
        </li>
      </ol>
    </Card>
  );
}

function isMissing(moment: CallMoment): boolean {
  return moment.kind === 'played' && moment.missing !== null;
}

/** Deletes every record of the caller, after a question. */
function ForgetCard({ caller, onForgotten }: { caller: string; onForgotten: (deleted: number) => void }) {
  const { forget } = text;
  const [isAsked, setAsked] = useState(false);
  return (
    <Card title={forget.title}>
      <Row gap={3} wraps align="center" justify="between">
        <p>{forget.lead}</p>
        <Button onPress={() => setAsked(true)}>{forget.open}</Button>
      </Row>
      {isAsked ? (
        <QuestionDialog
          title={forget.question(caller)}
          cancel={forget.cancel}
          verb={forget.act}
          pending={forget.busy}
          ask={() => askPortal('forgetCaller', { body: { caller } })}
          change="calls_forgotten"
          onDone={({ deleted }) => onForgotten(deleted)}
          onClose={() => setAsked(false)}
        >
          <Consequences of={forget.consequences} />
        </QuestionDialog>
      ) : null}
    </Card>
  );
}
