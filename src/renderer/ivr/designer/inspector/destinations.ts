/*
 * What a key, a wrong key, a timeout or the caller can lead to: the offers for what was typed, and the edit.
 *
 * The same on the canvas and in the fields.
 */
import type { DraftNode, IvrDocument, MenuNode, NodeId, Place } from '../../../../contract/menu/ivr-draft.ts';
import type { ScheduleId } from '../../../../contract/menu/schedule.ts';
import type { IvrDestinationType } from '../../../../contract/menu/ivr.ts';
import { connect, nodeOf } from '../../../../core/ivr/edit/lines.ts';
import { putNode } from '../../../../core/ivr/edit/edit-nodes.ts';
import { unreachable } from '../../../../core/unreachable.ts';
import { internationalNumber } from '../../../../core/ivr/outside-number.ts';
import { cardText } from '../../../../text/menu/designer-canvas.ts';
import { destinationText as text } from '../../../../text/menu/designer-inspector.ts';
import { destinationTypes, destinationTitle, nodeTitle } from '../../../../text/menu/phone-menu.ts';
import type { LineStart } from '../canvas/card-geometry.ts';
import { placeBeside } from '../layout/free-place.ts';
import { type NodePart, usualSchedule } from '../parts/part-groups.ts';
import { drawLine, newNode, placePart } from '../parts/place-part.ts';
import type { PartIconName } from '../part-icon.tsx';
import type { ReferenceData } from '../use-designer.ts';
import type { Offer } from './combo.tsx';

/** What a port can lead to: nothing, an existing node, or a new one. */
export type Lead =
  | { readonly kind: 'none' }
  | { readonly kind: 'node'; readonly id: NodeId }
  | { readonly kind: 'new-menu' }
  | { readonly kind: 'new-hours'; readonly hours: ScheduleId | null }
  | { readonly kind: 'new-message' }
  | { readonly kind: 'new-end'; readonly type: IvrDestinationType; readonly ref: string };

export interface LeadOffer extends Offer {
  readonly lead: Lead;
  readonly group: keyof typeof text.groups;
  readonly icon: PartIconName;
  /** The number or id that leads there, where it has one. */
  readonly ref: string;
}

/** As many as are offered of a directory before anything is typed, and of everything afterwards. */
const shownOfDirectory = 20;
const mostMatches = 60;

interface DestinationOptions {
  /** The caller cannot be connected to a destination. */
  readonly isStart?: boolean;
  /** Whether the port may be disconnected. */
  readonly mayEnd?: boolean;
}

/** The destinations for what was typed so far, the best match first; by group while nothing is typed. */
export function destinationOffers(
  nodes: IvrDocument['nodes'],
  known: ReferenceData,
  typed: string,
  { isStart = false, mayEnd = true }: DestinationOptions = {},
): readonly LeadOffer[] {
  const there = offersOfFlow(Object.values(nodes), known, isStart);
  const others = [...there, ...newOffers(nodes, known, isStart)];
  const none = mayEnd ? [noOffer] : [];
  const written = internationalNumber(typed) ?? typed.trim();
  const sought = written.toLocaleLowerCase();
  if (isStart) return ranked([...others, ...none], sought);
  const isThere = (type: string, ref: string): boolean =>
    Object.values(nodes).some((node) => node.kind === 'end' && node.type === type && node.ref === ref);
  const listed = directoryOffers(known).filter(({ lead }) => !isThere(lead.type, lead.ref));
  if (sought === '') {
    const extensions = listed.filter(({ lead }) => lead.type === 'extension').slice(0, shownOfDirectory);
    const menus = listed.filter(({ lead }) => lead.type === 'ivr').slice(0, shownOfDirectory);
    return [...others, ...extensions, ...menus, ...none];
  }
  const asWritten = writtenOffers(written, known).filter(
    ({ lead }) =>
      !isThere(lead.type, lead.ref) &&
      !listed.some((one) => one.lead.type === lead.type && one.lead.ref === lead.ref),
  );
  return ranked([...others, ...listed, ...asWritten, ...none], sought).slice(0, mostMatches);
}

type EndOffer = LeadOffer & { readonly lead: Extract<Lead, { kind: 'new-end' }> };

const noOffer: LeadOffer = {
  value: 'none',
  name: text.none,
  note: '',
  lead: { kind: 'none' },
  group: 'none',
  icon: 'remove',
  ref: '',
};

function offersOfFlow(nodes: readonly DraftNode[], known: ReferenceData, isStart: boolean): LeadOffer[] {
  return nodes
    .filter(({ kind }) => kind !== 'end' || !isStart)
    .toSorted((one, other) => other.kind.localeCompare(one.kind)) // menus before ends
    .map((node) => ({
      value: `node ${node.id}`,
      name: nodeTitle(node, known),
      note: node.kind === 'end' ? '' : cardText[node.kind],
      lead: { kind: 'node', id: node.id },
      group: 'flow',
      icon: node.kind === 'end' ? node.type : node.kind,
      ref: node.kind === 'end' ? node.ref : '',
    }));
}

function newOffers(nodes: IvrDocument['nodes'], known: ReferenceData, isStart: boolean): LeadOffer[] {
  const common = { note: '', group: 'new', ref: '' } as const;
  const leading: LeadOffer[] = [
    { ...common, value: 'new menu', name: text.newMenu, lead: { kind: 'new-menu' }, icon: 'menu' },
    {
      ...common,
      value: 'new hours',
      name: text.newHours,
      lead: { kind: 'new-hours', hours: usualSchedule(known) },
      icon: 'hours',
    },
    {
      ...common,
      value: 'new message',
      name: text.newMessage,
      lead: { kind: 'new-message' },
      icon: 'message',
    },
  ];
  if (isStart) return leading;
  const isThere = Object.values(nodes).some((node) => node.kind === 'end' && node.type === 'hangup');
  const ends = destinationTypes.map(({ type, word }): LeadOffer => ({
    ...common,
    value: `new ${type}`,
    name: type === 'hangup' && !isThere ? word : text.newOf(word),
    lead: { kind: 'new-end', type, ref: '' },
    icon: type,
  }));
  // What needs no number first.
  return [
    ...leading.slice(0, 1),
    ...ends.filter(({ icon }) => icon === 'hangup'),
    ...leading.slice(1),
    ...ends.filter(({ icon }) => icon !== 'hangup'),
  ];
}

function directoryOffers(known: ReferenceData): EndOffer[] {
  return [
    ...known.extensions.map(({ id }) => endOffer('extension', id, known, 'extensions')),
    ...known.menus.map(({ id }) => endOffer('ivr', id, known, 'menus')),
  ];
}

function endOffer(
  type: IvrDestinationType,
  ref: string,
  known: ReferenceData,
  group: LeadOffer['group'],
): EndOffer {
  return {
    value: `new ${type} ${ref}`,
    name: destinationTitle(`${type}||${ref}`, known),
    note: type === 'ivr' ? ref : '',
    lead: { kind: 'new-end', type, ref },
    group,
    icon: type,
    ref,
  };
}

/** What was typed, as a destination: `101` as a number of each kind, `department sales` and `dep sales` as one of its kind. */
function writtenOffers(typed: string, known: ReferenceData): EndOffer[] {
  const kinds = destinationTypes.filter(({ type }) => type !== 'hangup');
  if (/^[\d*#+]+$/.test(typed)) {
    const isOutside = typed.startsWith('+');
    return kinds
      .filter(({ type }) => type !== 'number' || isOutside)
      .map(({ type }) => endOffer(type, typed, known, 'new'));
  }
  return kinds.flatMap(({ type, word }) => {
    const ref = afterKind(typed, word);
    return ref === null ? [] : [endOffer(type, ref, known, 'new')];
  });
}

/** The text after the name of a kind or its first letters, three at least; null where it begins otherwise. */
function afterKind(typed: string, word: string): string | null {
  // “Queue or department”: each of both.
  for (const one of word.split(' or ')) {
    const ref = afterWord(typed, one);
    if (ref !== null) return ref;
  }
  return null;
}

function afterWord(typed: string, word: string): string | null {
  const lower = typed.toLocaleLowerCase();
  const whole = word.toLocaleLowerCase();
  if (lower.startsWith(`${whole} `)) return typed.slice(whole.length).trim() || null;
  const [first = '', ...rest] = typed.split(/\s+/);
  return first.length >= 3 && whole.startsWith(first.toLocaleLowerCase()) ? rest.join(' ') || null : null;
}

/** Those that have the text in them: an equal number first, then names and numbers that begin with it. */
function ranked(offers: readonly LeadOffer[], sought: string): readonly LeadOffer[] {
  if (sought === '') return offers;
  const found = offers.flatMap((offer) => {
    const rank = rankOf(offer, sought);
    return rank === null ? [] : [{ offer, rank }];
  });
  return found.sort((one, other) => one.rank - other.rank).map(({ offer }) => offer);
}

function rankOf({ name, ref, lead, icon }: LeadOffer, sought: string): number | null {
  const isWritten = ref !== '' && ref.toLocaleLowerCase() === sought;
  if (isWritten) {
    const usual = sought.startsWith('+') ? 'number' : 'extension';
    if (icon === usual) return 0;
    return lead.kind === 'node' ? 1 : 4;
  }
  const words = name.toLocaleLowerCase();
  if (words.startsWith(sought)) return 1;
  if (ref.toLocaleLowerCase().startsWith(sought)) return 2;
  if (words.split(/[\s,:“]+/).some((word) => word.startsWith(sought))) return 2;
  if (words.includes(sought)) return 3;
  // “ext 101” has its offer already; “dep sales” too.
  return lead.kind === 'new-end' && ref !== '' && sought.endsWith(ref.toLocaleLowerCase()) ? 4 : null;
}

/** The part that is added; null where a port is led to what is there already, or to nothing. */
export function partOfLead(lead: Lead): NodePart | null {
  switch (lead.kind) {
    case 'new-menu':
      return { kind: 'menu' };
    case 'new-hours':
      return { kind: 'hours', hours: lead.hours };
    case 'new-message':
      return { kind: 'message' };
    case 'new-end':
      return { kind: 'end', type: lead.type, ref: lead.ref };
    case 'none':
    case 'node':
      return null;
    default:
      return unreachable(lead);
  }
}

/** The document after a port was led somewhere, and the node that was added for it. */
export interface Led {
  readonly document: IvrDocument;
  readonly added: NodeId | null;
}

/** A menu that another leads to does the same after a wrong key and a timeout, until it is changed. */
function waysOf(document: IvrDocument, from: LineStart): Partial<MenuNode> {
  const menu = from.kind === 'caller' ? null : nodeOf(document, from.menu);
  if (menu?.kind !== 'menu') return {};
  return {
    incorrect_count: menu.incorrect_count,
    invalid_recording: menu.invalid_recording,
    invalid_destination: menu.invalid_destination,
    timeout_tries: menu.timeout_tries,
    timeout_retry_recording: menu.timeout_retry_recording,
    timeout_recording: menu.timeout_recording,
    timeout_destination: menu.timeout_destination,
  };
}

/**
 * Connects a port; a new node is placed beside the node of the port, or at `place`. A key that is not used yet is added.
 *
 * Without a port a new node is only added, and the caller connected to the first part that leads on.
 */
export function leadTo(document: IvrDocument, from: LineStart | null, lead: Lead, place?: Place): Led {
  const part = partOfLead(lead);
  if (from === null) {
    if (part === null) return { document, added: null };
    const placed = placePart(document, part, place ?? placeBeside(document, null, part.kind));
    return { document: placed.document, added: placed.id };
  }
  if (lead.kind === 'none')
    return { document: from.kind === 'free-key' ? document : connect(document, from, null), added: null };
  if (lead.kind === 'node') return { document: drawLine(document, from, lead.id), added: null };
  if (part === null) return { document, added: null };
  const at = place ?? placeBeside(document, from.kind === 'caller' ? null : from.menu, part.kind);
  const made = newNode(document, part, at);
  const node = made.kind === 'menu' ? { ...made, ...waysOf(document, from) } : made;
  return { document: drawLine(putNode(document, node), from, node.id), added: node.id };
}
