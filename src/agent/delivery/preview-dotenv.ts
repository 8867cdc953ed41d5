import type { DeliveryTargetOf } from '../../contract/credential.ts';
import type { DeliveryPreview } from '../../contract/credential-checks.ts';
import { compareVariable, type VariableLine } from './compare-variable.ts';
import { dotenvContentOf, refusalWords } from './deliver-to-dotenv.ts';
import type { OwnPlaces } from './own-places.ts';
import type { Quote } from './quote-value.ts';
import {
  fileRemarks,
  impossibleFile,
  type PossibleReplacement,
  previewReplacement,
  previewTrouble,
} from './preview-replacement.ts';
import { VariableRefused } from './variable-refused.ts';

/** What `deliverToDotenv` would do: the line of the variable, and nothing of any other. */
export async function previewDotenv(
  target: DeliveryTargetOf<'dotenv'>,
  value: string,
  ownPlaces: OwnPlaces,
): Promise<DeliveryPreview> {
  const { path, variable } = target;
  try {
    const planned = await previewReplacement(path, dotenvContentOf(variable, value), ownPlaces);
    const { place, old, content } = planned;
    const lines = compareVariable(old ?? Buffer.alloc(0), content, variable);
    const changed = lines.filter(({ isChanged }) => isChanged);
    const sentences =
      changed.length === 0
        ? [
            `${variable} has the present value in ${place} already (${lineWords(lines)}): nothing would change.`,
          ]
        : [whatHappens(variable, planned, lines), ...whatStays(planned, changed)];
    return {
      possible: true,
      message: [...sentences, ...fileRemarks(path, planned)].join(' '),
      place,
      exists: old !== null,
      lines: changed.map(({ number, before, after }) => ({ number, before, after })),
    };
  } catch (error) {
    if (error instanceof VariableRefused) return impossibleFile(path, refusalWords(error, path, variable));
    return previewTrouble(error, path);
  }
}

function whatHappens(
  variable: string,
  { place, old }: PossibleReplacement,
  lines: readonly VariableLine[],
): string {
  const changed = lines.filter(({ isChanged }) => isChanged);
  if (old === null) {
    return `${place} is not there yet: it is made for its owner only (mode 600), with ${variable} in it.`;
  }
  if (changed.some(({ before }) => before === null)) {
    const gap = old.length === 0 || /[\r\n]$/.test(old.toString('latin1')) ? '' : ', after a line break';
    return `${variable} is not in ${place} yet: it is added at the end, as ${lineWords(changed)}${gap}.`;
  }
  if (lines.length === 1)
    return `In ${place}, ${lineWords(changed)} changes: ${variable} gets the new value.`;
  return (
    `In ${place}, ${variable} stands on ${lineWords(lines)}; readers take the last one. ` +
    `${capitalised(lineWords(changed))} ${changed.length === 1 ? 'changes' : 'change'}, so that no old value is left.`
  );
}

const quoteNames: Readonly<Record<Quote, string>> = {
  '': 'no quotes',
  "'": 'single quotes',
  '"': 'double quotes',
  '`': 'backticks',
};

function whatStays({ old }: PossibleReplacement, changed: readonly VariableLine[]): string[] {
  if (old === null) return [];
  const [only, ...more] = changed;
  const sentences = only === undefined || more.length > 0 ? [] : lineRemarks(only);
  const spans = changed.filter(({ lineCount }) => lineCount > 1);
  for (const { number, lineCount } of spans) {
    sentences.push(`The old value on line ${number} goes over ${lineCount} lines, which become one.`);
  }
  sentences.push('Everything else in the file stays as it is.');
  return sentences;
}

/** What the one line that changes keeps, and what it does not. */
function lineRemarks({ quotes, isExported, hasComment }: VariableLine): string[] {
  if (quotes === null) return [];
  const isSameQuote = quotes.before === quotes.after;
  const kept = [
    ...(isExported ? ['its export prefix'] : []),
    ...(isSameQuote && quotes.before !== '' ? [`its ${quoteNames[quotes.before]}`] : []),
    ...(hasComment ? ['its comment'] : []),
  ];
  return [
    ...(kept.length === 0 ? [] : [`It keeps ${listWords(kept)}.`]),
    ...(isSameQuote ? [] : [`It gets ${quoteNames[quotes.after]}, which this value needs.`]),
  ];
}

function lineWords(changed: readonly VariableLine[]): string {
  const numbers = changed.map(({ number }) => String(number));
  return `${numbers.length === 1 ? 'line' : 'lines'} ${listWords(numbers)}`;
}

function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
