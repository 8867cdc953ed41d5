import type { FlowTarget } from '../../contract/menu/ivr-call.ts';
import type { NodeId } from '../../contract/menu/ivr-draft.ts';
import type { FlowSpeech } from '../../contract/menu/speech.ts';
import type { DirectDial } from '../../contract/menu/ivr.ts';
import type { ScheduleHours, ScheduleId } from '../../contract/menu/schedule.ts';

/**
 * Phone menus that can run: every outcome has a target, every value is valid in a body.
 *
 * Made by `compile/compile-draft.ts` from a draft and by `body/flow-of-body.ts` from a body; run by `call/step.ts`,
 * checked by `prove/prove.ts`, exported by `export/`.
 */
export interface Flow {
  /** Where a call begins: a menu, opening hours or a message. */
  readonly start: NodeId;
  readonly menus: ReadonlyMap<NodeId, FlowMenu>;
  readonly hours: ReadonlyMap<NodeId, FlowHours>;
  readonly messages: ReadonlyMap<NodeId, FlowMessage>;
  /** The numbers of the directory as they were, where a menu lets callers dial them; otherwise empty. */
  readonly extensions: ReadonlySet<string>;
}

/** Opening hours with their schedule as it was: a call keeps the flow that it began with. */
export interface FlowHours {
  readonly id: NodeId;
  readonly schedule: ScheduleHours;
  readonly open: FlowTarget;
  readonly closed: FlowTarget;
  /** Null: as closed. */
  readonly holiday: FlowTarget | null;
}

export interface FlowMessage {
  readonly id: NodeId;
  readonly name: string;
  /** Written as in the body. */
  readonly recording: string;
  readonly then: FlowTarget;
  /** As for a menu. */
  readonly speech?: FlowSpeech | undefined;
}

/** What goes into a flow beside its document: that of this machine, or of a file. Absent: not known. */
export interface FlowSources {
  readonly schedules?: { get(id: ScheduleId): ScheduleHours | undefined };
  readonly extensions?: { keys(): Iterable<string> };
}

/** A flow of nothing but menus. */
export function menusOnly(start: NodeId, menus: Flow['menus']): Flow {
  return { start, menus, hours: new Map(), messages: new Map(), extensions: new Set() };
}

/** The part of a stored schedule that a flow keeps. */
export function hoursOnly({ id, name, time_zone, weekly, exceptions }: ScheduleHours): ScheduleHours {
  return { id, name, time_zone, weekly, exceptions };
}

/** Where schedules are not known: closed, until somebody says what is set by hand. */
export function unknownSchedule(id: ScheduleId): ScheduleHours {
  const weekly = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] };
  return { id, name: id, time_zone: 'UTC', weekly, exceptions: [] };
}

/** What a target leads to within a flow. */
export function nodeLedTo(to: Exclude<FlowTarget, { kind: 'destination' }>): NodeId {
  return to.kind === 'menu' ? to.menu : to.node;
}

/** Whether a call can be led there. */
export function hasNode({ menus, hours, messages }: Flow, id: NodeId): boolean {
  return menus.has(id) || hours.has(id) || messages.has(id);
}

/** What a node of a flow is called: opening hours as their schedule. */
export function nodeName({ menus, hours, messages }: Flow, id: NodeId): string {
  return menus.get(id)?.name ?? messages.get(id)?.name ?? hours.get(id)?.schedule.name ?? '';
}

export interface FlowMenu {
  readonly id: NodeId;
  readonly name: string;
  readonly description: string;
  /** How its texts are spoken. Absent: as the settings have it. */
  readonly speech?: FlowSpeech | undefined;
  /** Played first, and again with each new attempt; written as in the body, such as `recording||42`. */
  readonly recording: string;
  /** The timeout, in seconds. */
  readonly timeoutSeconds: number;
  /** In the order of the body. */
  readonly keys: ReadonlyMap<string, FlowKey>;
  readonly wrongKey: {
    /** Played at each key that the menu does not use. */
    readonly recording: string;
    /** How many more attempts there are after the first. */
    readonly retries: number;
    readonly to: FlowTarget;
  };
  readonly timeout: {
    /** How often the menu starts again after a timeout, each time after `retryRecording`. */
    readonly retries: number;
    readonly retryRecording: string;
    /** Played when no attempt is left. */
    readonly lastRecording: string;
    readonly to: FlowTarget;
  };
  /** Null: callers can only press its keys. */
  readonly directDial: DirectDial | null;
}

export interface FlowKey {
  readonly to: FlowTarget;
  readonly smsTemplate: string | null;
}
