import {
  draftBounds,
  type DraftNode,
  type IvrDocument,
  type Scenario,
} from '../../../../contract/menu/ivr-draft.ts';
import { fitForName, isUnreplaced } from '../../../../contract/shapes.ts';

const known = new WeakMap<IvrDocument, IvrDocument>();

/**
 * The document with every text cut to what a draft can hold, and names without what they may not have: the same value, if
 * there is nothing to change.
 *
 * One field that is too long does not keep the others from being saved. The field itself keeps what was typed while the
 * window is open, and says how much of it is saved.
 */
export function savableDocument(document: IvrDocument): IvrDocument {
  let savable = known.get(document);
  if (savable === undefined) {
    savable = cut(document);
    known.set(document, savable);
  }
  return savable;
}

function cut(document: IvrDocument): IvrDocument {
  const nodes = mapEntries(document.nodes, cutNode);
  const scenarios = mapEntries(document.scenarios, cutScenario);
  const name = cutText(fitForName(document.name), draftBounds.nameLength);
  const isSame = nodes === document.nodes && scenarios === document.scenarios && name === document.name;
  return isSame ? document : { ...document, name, nodes, scenarios };
}

function cutNode(node: DraftNode): DraftNode {
  const cutNow = cutTexts(node);
  if (cutNow.kind === 'end' || cutNow.kind === 'hours') return cutNow;
  const name = fitForName(cutNow.name);
  const texts = name === cutNow.name ? cutNow : { ...cutNow, name };
  if (texts.kind === 'message') return texts;
  const keys = texts.keys.map(cutTexts);
  return keys.every((key, place) => key === texts.keys[place]) ? texts : { ...texts, keys };
}

function cutScenario(scenario: Scenario): Scenario {
  const name = cutText(fitForName(scenario.name), draftBounds.nameLength);
  return name === scenario.name ? scenario : { ...scenario, name };
}

/** Cuts the texts that are fields of a value itself, and takes from them what stands where a character was lost. */
function cutTexts<T extends object>(value: T): T {
  const unfit = Object.entries(value).filter(
    ([, field]) =>
      typeof field === 'string' && (field.length > draftBounds.textLength || !isUnreplaced(field)),
  );
  if (unfit.length === 0) return value;
  const texts: Record<string, string> = {};
  for (const [name, field] of unfit)
    texts[name] = cutText(String(field).replaceAll('\ufffd', ''), draftBounds.textLength);
  return { ...value, ...texts };
}

function cutText(text: string, most: number): string {
  // Half of a character outside of the basic plane is none.
  return text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}

function mapEntries<K extends string, V>(entries: Record<K, V>, change: (value: V) => V): Record<K, V> {
  const changed = Object.entries<V>(entries).map(([key, value]) => [key, change(value)] as const);
  const isSame = changed.every(([key, value]) => value === entries[key as K]);
  return isSame ? entries : (Object.fromEntries(changed) as Record<K, V>);
}
