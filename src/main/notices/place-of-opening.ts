import { credentialPlace, familyPlace, overview, type Place } from '../windows/place.ts';
import type { Opening } from './notice.ts';

/** The page that a click on a notice leads to. */
export function placeOfOpening(opening: Opening): Place {
  switch (opening.kind) {
    case 'credential':
      return credentialPlace(opening.name);
    case 'family':
      return familyPlace(opening.id);
    case 'home':
      return overview;
  }
}
