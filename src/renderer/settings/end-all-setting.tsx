import { type ReactNode, useRef, useState } from 'react';
import { type AskPortal, type Ended, type EndItem, planRevocation } from '../../client/revocation.ts';
import { problemText } from '../../text/window/connection.ts';
import { endAllReason, endAllText as text, endItemText } from '../../text/token/end-all.ts';
import { PortalLink } from '../credentials/sign-in-waiting.tsx';
import { askPortal } from '../kit/ask-portal.ts';
import { ActionButton, Button } from '../kit/button.tsx';
import { Consequences, Dialog, DialogButtons } from '../kit/dialog.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { Stack } from '../kit/layout.tsx';
import type { PortalProblem } from '../kit/read-portal.ts';
import { Text } from '../kit/text.tsx';
import { Setting } from './setting.tsx';

/** Ends every token, for the day that a computer with them is lost. */
export function EndAllSetting() {
  const [isLooking, setLooking] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const [plan, setPlan] = useState<readonly EndItem[] | null>(null);

  async function look(): Promise<void> {
    setLooking(true);
    setRefusal(undefined);
    try {
      setPlan(await planRevocation(asking, endAllReason));
    } catch (error) {
      if (!(error instanceof NotAnswered)) throw error;
      setRefusal(problemText(error.problem));
    } finally {
      setLooking(false);
    }
  }

  return (
    <Setting title={text.title} hint={text.hint} saving={{ kind: 'idle' }}>
      <ActionButton isBusy={isLooking} onPress={() => void look()}>
        {isLooking ? text.looking : text.open}
      </ActionButton>
      <FormRefusal reason={refusal} />
      {plan === null ? null : <EndAllDialog plan={plan} onClose={() => setPlan(null)} />}
    </Setting>
  );
}

/** Shows what would be ended, then ends one after the other with its result beside it. */
function EndAllDialog({ plan, onClose }: { plan: readonly EndItem[]; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const [results, setResults] = useState<ReadonlyMap<EndItem, Ended>>(new Map());
  const [current, setCurrent] = useState<EndItem | null>(null);
  const ours = plan.filter(({ byPerson }) => !byPerson);
  const others = plan.filter(({ byPerson }) => byPerson);
  const isBusy = current !== null;
  const isDone = !isBusy && results.size === plan.length;
  const failed = ours.filter((item) => results.get(item)?.outcome === 'alive');

  async function end(items: readonly EndItem[]): Promise<void> {
    for (const item of items) {
      setCurrent(item);
      const ended = await item.end(asking).catch(whyAlive);
      setResults((before) => new Map(before).set(item, ended));
    }
    setCurrent(null);
  }

  function list(items: readonly EndItem[], title: string): ReactNode {
    if (items.length === 0) return null;
    return (
      <Stack gap={2}>
        <Text weight="strong">{title}</Text>
        <Consequences
          of={items.map((item) => (
            <ItemResult
              key={item.name}
              item={item}
              isEnding={item === current}
              isBegun={isBusy || results.size > 0}
              ended={results.get(item)}
            />
          ))}
        />
      </Stack>
    );
  }

  const alive = [...results.values()].filter(({ outcome }) => outcome === 'alive').length;
  const doneText = isDone && plan.length > 0 ? text.done(results.size - alive, alive) : null;
  return (
    <Dialog ref={ref} title={text.question} mayClose={() => !isBusy} onClose={onClose}>
      <Stack gap={4}>
        <Text tone="soft">{plan.length === 0 ? text.nothing : text.consequence}</Text>
        {list(ours, text.ends(ours.length))}
        {list(others, text.byPerson(others.length))}
      </Stack>
      <DialogButtons>
        <Text tone={alive === 0 ? 'soft' : 'bad'} size="small" role="status" breaks>
          {isBusy ? text.ending(results.size, plan.length) : doneText}
        </Text>
        {isBusy ? null : (
          <Button onPress={() => ref.current?.close()}>{isDone ? text.close : text.cancel}</Button>
        )}
        {plan.length === 0 || (isDone && failed.length === 0) ? null : (
          <ActionButton rank="main" isBusy={isBusy} onPress={() => void end(isDone ? failed : plan)}>
            {isDone ? text.again(failed.length) : text.confirm(ours.length)}
          </ActionButton>
        )}
      </DialogButtons>
    </Dialog>
  );
}

const stateTones = {
  waiting: 'soft',
  ending: 'soft',
  ended: 'good',
  ended_before: 'soft',
  alive: 'bad',
} as const satisfies Readonly<Record<keyof typeof text.states, unknown>>;

function ItemResult({
  item,
  isEnding,
  isBegun,
  ended,
}: {
  item: EndItem;
  isEnding: boolean;
  isBegun: boolean;
  ended: Ended | undefined;
}) {
  const state = isEnding ? 'ending' : (ended?.outcome ?? (isBegun ? 'waiting' : null));
  const isAlive = ended?.outcome === 'alive' && !isEnding;
  return (
    <>
      <Text breaks>{endItemText(item)}</Text>
      {state === null ? null : (
        <Text tone={stateTones[state]} size="small" breaks>
          {text.states[state]}
          {ended?.message === null || ended === undefined || isEnding ? null : `. ${ended.message}`}
        </Text>
      )}
      {item.byPerson || isAlive ? <WhereToEnd item={item} /> : null}
    </>
  );
}

/** Where a person can end it. */
function WhereToEnd({ item: { page, byPerson } }: { item: EndItem }) {
  if (page !== null) return <PortalLink address={page} />;
  if (!byPerson) return null;
  return (
    <Text tone="soft" size="small">
      {text.inSettings}
    </Text>
  );
}

/** The portal gave no answer that was asked for. */
class NotAnswered extends Error {
  readonly problem: PortalProblem;

  constructor(problem: PortalProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}

const asking: AskPortal = async (name, ...input) => {
  const reply = await askPortal(name, ...input);
  if (reply.kind === 'ok') return reply.value;
  throw new NotAnswered(reply);
};

/** What fails is said at its place, and the others are ended all the same. */
function whyAlive(error: unknown): Ended {
  if (error instanceof NotAnswered)
    return { outcome: 'alive', message: problemText(error.problem, 'token_ended') };
  throw error;
}
