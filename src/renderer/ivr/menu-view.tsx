import type { ReactNode } from 'react';
import { Box } from '../kit/box.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import { Text } from '../kit/text.tsx';
import type { CallHappening } from '../../contract/menu/ivr-call.ts';
import type { ScenarioInput } from '../../contract/menu/ivr-draft.ts';
import { type Ivr, ivrBounds } from '../../contract/menu/ivr.ts';
import { asStored, type CallerFlow, callerChanges } from '../../core/ivr/caller-changes.ts';
import { flowOfBody } from '../../core/ivr/body/flow-of-body.ts';
import { runInputs } from '../../core/ivr/call/run-scenario.ts';
import type { CallTime } from '../../core/ivr/call/step.ts';
import { telephoneKeys } from '../../core/ivr/edit/edit-keys.ts';
import { readReference } from '../../contract/menu/ivr-reference.ts';
import { toldMenus } from '../../text/menu/change-sentences.ts';
import { keyLabel, referenceTitle } from '../../text/menu/phone-menu.ts';
import { storedMenuText as text } from '../../text/menu/stored-menus.ts';
import { menuPath } from '../kit/window-paths.ts';
import { Button } from '../kit/button.tsx';
import { Card, Column, Columns } from '../kit/card.tsx';
import { CodeBlock } from '../kit/command-line.tsx';
import { Icon, type IconName } from '../kit/icon.tsx';
import { Link } from '../kit/link.tsx';
import { Moment } from '../kit/moment.tsx';
import styles from './menu-view.module.css';
import { bodyText, requestBodyOf } from './request-body.ts';

/** What is stored here and can be led to: menus, and opening hours and messages of call flows. */
export interface StoredPart {
  readonly id: string;
  readonly name: string;
}

/** A version of a phone menu: where each key leads, what happens otherwise, its body, and the other versions. */
export function MenuView({
  menu,
  versions,
  menus,
  onShow,
}: {
  menu: Ivr;
  /** Newest first. */
  versions: readonly Ivr[];
  /** What it may lead to. */
  menus: readonly StoredPart[];
  onShow: (version: number) => void;
}) {
  const newest = versions[0] ?? menu;
  return (
    <>
      <div role="status">
        {menu.version === newest.version ? null : (
          <Box tone="accent">
            <Row gap={3} wraps align="center" justify="between">
              <p>{text.older(menu.version, newest.version)}</p>
              <Button onPress={() => onShow(newest.version)}>{text.showNewest}</Button>
            </Row>
          </Box>
        )}
      </div>
      <Columns>
        <Column>
          <Keypad menu={menu} menus={menus} />
          <CallerCard menu={menu} menus={menus} />
        </Column>
        <Column>
          <VersionsCard versions={versions} shown={menu.version} menus={menus} onShow={onShow} />
          <Card title={text.body} aside="POST /v1/ivr">
            <CodeBlock text={bodyText(requestBodyOf(menu))} what={text.copyBody} />
          </Card>
        </Column>
      </Columns>
    </>
  );
}

/** One step of a call. */
export type WayStep =
  | { readonly kind: 'play'; readonly recording: string }
  /** For a key, in seconds. */
  | { readonly kind: 'wait'; readonly seconds: number }
  /** The menu begins again, at most so many times. */
  | { readonly kind: 'again'; readonly times: number }
  | { readonly kind: 'go'; readonly destination: string };

/** What happens to a caller who presses none of a menu's keys. */
export interface CallerWays {
  readonly first: readonly WayStep[];
  /** Null where the menu uses every key that a telephone has. */
  readonly wrongKey: readonly WayStep[] | null;
  readonly timeout: readonly WayStep[];
}

const timeout: ScenarioInput = '-';
/** After this many inputs a call has left the menu, whatever number of retries it allows. */
const enough = ivrBounds.count.max + 1;

/** One menu asks no opening hours. */
const anyTime: CallTime = { at: 0, switches: new Map() };

/** Finds the exits of a menu by calling it: with wrong keys only, and without any key. */
export function callerWays(menu: Ivr): CallerWays {
  const wrongKey = telephoneKeys.find((key) => !menu.option.includes(key));
  return {
    first: stepsAtFirst(menu),
    wrongKey: wrongKey === undefined ? null : stepsAfter(menu, wrongKey),
    timeout: stepsAfter(menu, timeout),
  };
}

function stepsAtFirst(menu: Ivr): WayStep[] {
  const { happenings } = runInputs(flowOfBody(menu), [timeout], anyTime);
  return happenings.slice(0, happenings.findIndex(isInput)).flatMap((one): WayStep[] => {
    if (one.kind === 'playing') return [{ kind: 'play', recording: one.prompt.recording }];
    return one.kind === 'waiting' ? [{ kind: 'wait', seconds: one.seconds }] : [];
  });
}

/** What follows an input that is repeated until the call leaves the menu; a repeated step is listed once. */
function stepsAfter(menu: Ivr, input: ScenarioInput): WayStep[] {
  const { state, happenings } = runInputs(
    flowOfBody(menu),
    Array<ScenarioInput>(enough).fill(input),
    anyTime,
  );
  const after = happenings.slice(happenings.findIndex(isInput));
  const times = after.filter(({ kind }) => kind === 'waiting').length;
  const listed = new Set<string>();
  const steps: WayStep[] = [];
  for (const one of after) {
    const cause = one.kind === 'playing' ? one.prompt.cause : one.kind;
    if (listed.has(cause)) continue;
    listed.add(cause);
    if (one.kind === 'waiting') steps.push({ kind: 'again', times });
    if (one.kind === 'playing' && cause !== 'menu')
      steps.push({ kind: 'play', recording: one.prompt.recording });
  }
  if (state.kind === 'ended') steps.push({ kind: 'go', destination: state.destination });
  return steps;
}

function isInput({ kind }: CallHappening): boolean {
  return kind === 'key' || kind === 'silence';
}

/** Where something of a menu leads; a link where that is another menu of this service. */
export function DestinationLink({ to, menus }: { to: string; menus: readonly StoredPart[] }) {
  const menu = storedMenu(to, menus);
  if (menu === undefined) return <span title={to}>{referenceTitle(to)}</span>;
  return (
    <Link to={menuPath(menu.id)}>
      <bdi>{menu.name}</bdi>
    </Link>
  );
}

/** The menu of this service that a destination is. */
function storedMenu(destination: string, menus: readonly StoredPart[]): StoredPart | undefined {
  const reference = readReference(destination);
  const isStored = reference !== null && ['ivr', 'hours', 'message'].includes(reference.type);
  return isStored ? menus.find(({ id }) => id === reference.id) : undefined;
}

const icons: Record<WayStep['kind'], IconName> = { play: 'play', wait: 'clock', again: 'rotate', go: 'key' };

/** What happens to a caller who presses no key of the menu, step by step. */
function CallerCard({ menu, menus }: { menu: Ivr; menus: readonly StoredPart[] }) {
  const { first, wrongKey, timeout } = callerWays(menu);
  return (
    <Card title={text.caller}>
      <Stack as="section" gap={4}>
        <Way title={text.ways.first} steps={first} menus={menus} />
        <Way title={text.ways.wrongKey} steps={wrongKey} menus={menus} />
        <Way title={text.ways.timeout} steps={timeout} menus={menus} />
      </Stack>
    </Card>
  );
}

/** `steps` is null where this cannot happen. */
function Way({
  title,
  steps,
  menus,
}: {
  title: string;
  steps: readonly WayStep[] | null;
  menus: readonly StoredPart[];
}) {
  return (
    <Stack gap={2}>
      <Text as="h3" tone="soft" size="small" weight="strong">
        {title}
      </Text>
      {steps === null ? (
        <Text size="medium">{text.noWrongKey}</Text>
      ) : (
        <ol className={styles['steps']}>
          {steps.map((step, place) => (
            <li key={place} className={styles['step']} data-kind={step.kind}>
              <Icon name={icons[step.kind]} />
              <span>{stepText(step, menus)}</span>
            </li>
          ))}
        </ol>
      )}
    </Stack>
  );
}

function stepText(step: WayStep, menus: readonly StoredPart[]): ReactNode {
  switch (step.kind) {
    case 'play':
      return <DestinationLink to={step.recording} menus={menus} />;
    case 'wait':
      return text.wait(step.seconds);
    case 'again':
      return text.again(step.times);
    case 'go':
      return <DestinationLink to={step.destination} menus={menus} />;
  }
}

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;

function isTelephoneKey(key: string): boolean {
  return keys.some((one) => one === key);
}

/** The keys of a telephone and those of several digits, each with where it leads in this menu. */
function Keypad({ menu, menus }: { menu: Ivr; menus: readonly StoredPart[] }) {
  return (
    <Card title={text.keys} aside={text.keysInUse(menu.option.length)}>
      <ul className={styles['keypad']}>
        {[...keys, ...menu.option.filter((key) => !isTelephoneKey(key))].map((key) => {
          const place = menu.option.indexOf(key);
          const destination = place < 0 ? undefined : menu.destination[place];
          const smsTemplate = place < 0 ? undefined : menu.sms_template?.[place];
          return (
            <li key={key} className={styles['key']} data-used={destination !== undefined}>
              <span className={styles['digit']} aria-label={keyLabel(key)} role="img">
                {key}
              </span>
              <Text
                as="span"
                tone={destination === undefined ? 'soft' : 'plain'}
                size="small"
                breaks
                className={styles['words']}
              >
                {destination === undefined ? text.unused : <DestinationLink to={destination} menus={menus} />}
              </Text>
              {smsTemplate === undefined ? null : (
                <Text as="span" tone="soft" size="small" breaks className={styles['words']}>
                  {text.smsTemplate(smsTemplate)}
                </Text>
              )}
            </li>
          );
        })}
      </ul>
      {menu.direct_dial === undefined ? null : <p>{text.dials(menu.direct_dial.numbers)}</p>}
    </Card>
  );
}

/** Every version of a menu with what it changed, newest first; each can be looked at. */
function VersionsCard({
  versions,
  shown,
  menus,
  onShow,
}: {
  versions: readonly Ivr[];
  shown: number;
  menus: readonly StoredPart[];
  onShow: (version: number) => void;
}) {
  return (
    <Card title={text.versions} aside={versions.length.toLocaleString()}>
      <ol>
        {versions.map((menu, place) => (
          <li key={menu.version}>
            <button
              type="button"
              className={styles['version']}
              aria-pressed={menu.version === shown}
              onClick={() => onShow(menu.version)}
            >
              <span>{text.version(menu.version)}</span>
              <Text as="span" tone="soft" size="small" weight="regular">
                {changeText(versions[place + 1], menu, menus)}
              </Text>
              <Text as="span" tone="soft" size="small" weight="regular" isTabular>
                <Moment at={menu.updated_at} />
              </Text>
            </button>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function changeText(before: Ivr | undefined, menu: Ivr, menus: readonly StoredPart[]): string {
  if (before === undefined) return menu.version === 1 ? text.created : '';
  const [told] = toldMenus(callerChanges(flowOf(before), flowOf(menu)), {
    extensions: [],
    recordings: [],
    menus,
  });
  return told === undefined ? text.unchanged : told.sentences.join(' ');
}

/** A stored menu alone. */
function flowOf(menu: Ivr): CallerFlow {
  return asStored(null, { menu: menu.id }, new Map([[menu.id, menu]]));
}
