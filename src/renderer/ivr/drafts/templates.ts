import hours from '../../../../resources/ivr-templates/opening-hours.json' with { type: 'json' };
import reception from '../../../../resources/ivr-templates/reception.json' with { type: 'json' };
import queue from '../../../../resources/ivr-templates/support-queue.json' with { type: 'json' };
import survey from '../../../../resources/ivr-templates/survey.json' with { type: 'json' };
import { IvrDocument } from '../../../contract/ivr-draft.ts';

/** A drawing to begin with. */
export interface Template {
  /** How it is known in an address and in what is dragged. */
  readonly name: string;
  /** What it is for. */
  readonly words: string;
  readonly document: IvrDocument;
}

/** They are complete: every key leads somewhere, and only what is played has to be recorded. */
export const templates: readonly Template[] = [
  {
    name: 'reception',
    words: 'One menu that leads callers to departments, with destinations for wrong keys and timeouts',
    document: IvrDocument.parse(reception),
  },
  {
    name: 'opening-hours',
    words: 'Opening hours and directions in a menu of their own, and a time condition before the team',
    document: IvrDocument.parse(hours),
  },
  {
    name: 'support-queue',
    words: 'Product first, then urgency, with voicemail when nobody chooses',
    document: IvrDocument.parse(queue),
  },
  {
    name: 'survey',
    words: 'Three questions one after the other, each answered from 1 to 5',
    document: IvrDocument.parse(survey),
  },
];
