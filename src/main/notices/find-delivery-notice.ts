import type { DeliveryTarget } from '../../contract/credential.ts';
import { namesOf, strangersWords, textOf, titleAbout } from './phrases.ts';
import type { Sight } from './sight.ts';
import type { SubjectNotice } from './subject.ts';
import { memoryOf, type TellMemory } from './tell-memory.ts';
import { failedDeliveries } from './troubles.ts';

/** One notice about all the places that do not get the present value of a credential, where one of them is news. */
export function findDeliveryNotice(memory: TellMemory, { glance }: Sight): SubjectNotice[] {
  const failed = failedDeliveries(glance);
  const [first] = failed;
  const isNews = failed.some(
    ({ credential, target }) => !memoryOf(memory, credential).targets.includes(target.id),
  );
  if (first === undefined || !isNews) return [];
  const names = [...new Set(failed.map(({ credential }) => credential.name))];
  const ofOne = names.length === 1;
  return [
    {
      notice: {
        id: 'delivery',
        title: ofOne
          ? titleAbout(first.credential.name, 'was not delivered')
          : `The new values of ${names.length} tokens were not delivered`,
        body: textOf(
          failed.length === 1
            ? `${placeOf(first.target.target)} did not take the new value: ${strangersWords(first.target.message ?? '', 100)}`
            : `${failed.length} places did not take the new values of ${namesOf(names)}.`,
          'Apps that read it there still use the old one.',
        ),
        action: null,
        open: ofOne ? { kind: 'credential', name: first.credential.name } : { kind: 'home' },
        urgency: 'critical',
      },
      about: failed.map(({ target }) => `target ${target.id}` as const),
    },
  ];
}

/** A place as its owner knows it; of a command the program only, for an argument may be a secret of somebody's. */
function placeOf(target: DeliveryTarget): string {
  switch (target.kind) {
    case 'keychain':
      return `The keychain entry of ${strangersWords(target.service)}`;
    case 'file':
    case 'dotenv':
      return strangersWords(lastPart(target.path));
    case 'hook':
      return `The command ${strangersWords(lastPart(target.command[0] ?? ''))}`;
  }
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
