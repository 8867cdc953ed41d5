/**
 * Calls to outside numbers: which countries menus may call, and how often. Toll fraud is the known attack on phone menus, so no
 * country is allowed until the owner names it. How a number is judged: `core/ivr/outside-number.ts`.
 */
import { z } from 'zod';

/** ISO 3166 codes of the countries with telephone numbers of their own, and AC, TA, XK. */
export const countryCodes = `
AC AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BM BN BO BQ BR BS
BT BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE
EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN
HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC
LI LK LR LS LT LU LV LY MA MC MD ME MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA
NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PR PS PT PW PY QA RE RO RS RU RW
SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TA TC TD TG TH TJ TK TL TM TN
TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW
`
  .trim()
  .split(/\s+/);
const known = new Set(countryCodes);

const countryError = 'must be the codes of countries, such as DE or US';
const countriesError = `${countryError}, 60 at most`;
/** In the order of the alphabet, each once. `dE` is as good as `DE`. */
export const OutsideCountries = z
  .array(
    z
      .string({ error: countryError })
      .overwrite((code) => code.trim().toUpperCase())
      .refine((code) => known.has(code), {
        error: ({ input }) => `${countryError}; there is no ${shown(input)}`,
      }),
    { error: countryError },
  )
  .max(60, countriesError)
  .overwrite((codes) => [...new Set(codes)].toSorted());

function shown(code: unknown): string {
  return String(code).slice(0, 20);
}

const perHourError = 'must be a whole number from 1 to 1000';
/** How many calls of all menus a telephone system sends to outside numbers in an hour of the clock. */
export const OutsideCallsPerHour = z
  .int({ error: perHourError })
  .min(1, perHourError)
  .max(1000, perHourError);

/** What menus may do with outside numbers. */
export interface OutsideRules {
  /** ISO 3166. Empty: none is called. */
  readonly countries: readonly string[];
  readonly perHour: number;
}
