import hours from '../../../../resources/ivr-templates/opening-hours.json' with { type: 'json' };
import reception from '../../../../resources/ivr-templates/reception.json' with { type: 'json' };
import queue from '../../../../resources/ivr-templates/support-queue.json' with { type: 'json' };
import survey from '../../../../resources/ivr-templates/survey.json' with { type: 'json' };
import { type DraftSummary, IvrDocument } from '../../../contract/menu/ivr-draft.ts';
import type { templateText } from '../../../text/menu/designer-canvas.ts';

/** A call flow to start with. */
export interface Template {
  readonly name: keyof typeof templateText;
  readonly document: IvrDocument;
}

/** Each is complete: every key has a destination, and every prompt is a spoken text, which needs no recording. */
export const templates: readonly Template[] = [
  { name: 'reception', document: IvrDocument.parse(reception) },
  { name: 'opening-hours', document: IvrDocument.parse(hours) },
  { name: 'support-queue', document: IvrDocument.parse(queue) },
  { name: 'survey', document: IvrDocument.parse(survey) },
];

/** A name that no draft has, such as `Reception 2`. */
export function freeName(name: string, drafts: readonly Pick<DraftSummary, 'name'>[]): string {
  const taken = new Set(drafts.map((draft) => draft.name));
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name} ${number}`;
  return free;
}
