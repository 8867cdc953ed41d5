import type { TokenSort } from '../../contract/token/token-list.ts';
import { countWords } from '../count.ts';
import { isolated, quotedName } from '../names.ts';

/** The list of tokens. */
export const tokenListText = {
  title: 'Tokens',
  issue: 'Issue a token…',
  empty: {
    title: 'No tokens yet',
    text: 'A token lets an app on this machine call the service. It expires after the number of days that you choose, unless it is rotated before.',
    typed: 'Or on the command line:',
    command: 'the command that issues a token',
  },
  search: 'the tokens',
  searchHint: 'Name, category, id, reason …',
  generations: { label: 'Which tokens', newest: 'Newest only', all: 'With previous tokens' },
  category: 'Category',
  everyCategory: 'All categories',
  inCategory: (category: string, count: number) => `${category} (${count.toLocaleString()})`,
  status: 'Status',
  statusMeaning: (status: string, meaning: string) => `${status}: ${meaning}`,
  count: (total: number) => countWords(total, 'token'),
  order: 'Order',
  orders: {
    created: { desc: 'Newest first', asc: 'Oldest first' },
    changed: { desc: 'Last changed first', asc: 'Last changed last' },
    expires: { asc: 'Expires first', desc: 'Expires last' },
    name: { asc: 'Name, A to Z', desc: 'Name, Z to A' },
    status: { asc: 'Status, Active first', desc: 'Status, Blacklisted first' },
    category: { asc: 'Category, A to Z', desc: 'Category, Z to A' },
  } satisfies Record<TokenSort, Record<'asc' | 'desc', string>>,
  none: {
    title: 'No matches',
    all: 'No token that was issued or rotated here matches all filters.',
    newest: 'Only the newest tokens are searched. Previous ones may match.',
    searchAll: 'Search previous tokens too',
    showAll: 'Show all tokens',
  },
  columns: {
    status: 'Status',
    name: 'Name',
    category: 'Category',
    validity: 'Valid for',
    expires: 'Expires',
    generation: 'No.',
    rotatedBy: 'Rotated by',
    changed: 'Last change',
    actions: 'Actions',
  },
  generation: (generation: number) => `token ${generation}`,
  loading: 'Loading this token …',
  actions: (name: string) => `Actions for ${isolated(name)}`,
  open: 'Open token',
  copyId: 'Copy id',
} as const;

/** The owner's ways to move a token from one state to another. */
export type TokenMove = 'suspend' | 'resume' | 'blacklist';

/** Suspending, resuming and blacklisting a token. */
export const tokenMoveText = {
  suspend: {
    name: 'Suspend',
    act: 'Suspend token',
    done: (generation: number) => `Token ${generation} is suspended.`,
    consequences: [
      'Every call with it is refused with 403 at once, and so are calls with its access tokens.',
      'It cannot be rotated or refreshed until you resume it.',
      'Its lifetime goes on: it expires {expires} whether it is suspended or not.',
    ],
    credential: 'The credential {credential} does not rotate or deliver it until it is resumed.',
  },
  resume: {
    name: 'Resume',
    act: 'Resume token',
    done: (generation: number) => `Token ${generation} is Active again.`,
    consequences: [
      'Calls with it work again at once.',
      'It can be rotated and refreshed again. The time during which it was suspended is not added: it expires {expires}.',
    ],
    credential: 'The credential {credential} rotates it automatically again.',
  },
  blacklist: {
    name: 'Blacklist',
    act: 'Blacklist permanently',
    done: (generation: number) => `Token ${generation} is blacklisted.`,
    consequences: [
      'It never works again. This cannot be undone.',
      'Every call with it is refused with 403 at once, and so are calls with its access tokens.',
      'It cannot be rotated any more. Apps that use it need a newly issued token.',
    ],
    credential:
      'The credential {credential} loses its token and needs a new one, which you enter on its page.',
  },
} as const satisfies Record<TokenMove, unknown>;

/** The dialog that asks whether to do it. */
export const moveDialogText = {
  title: (move: TokenMove, name: string) => `${tokenMoveText[move].name} ${quotedName(name)}?`,
  open: (move: TokenMove) => `${tokenMoveText[move].name}…`,
  which: (generation: number) => `Token ${generation}, {id}` as const,
  reason: 'Reason',
  reasonError: (error: string, tooMany: number) =>
    `The reason ${error}: ${countWords(tooMany, 'character')} too many.`,
  reasonHint: (left: number) =>
    left < 100 ? `Kept in the history. ${left} characters left.` : 'Kept in the history. Optional.',
  cancel: 'Cancel',
} as const;
