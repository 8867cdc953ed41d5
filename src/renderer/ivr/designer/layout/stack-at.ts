/** A card in a column: how high it is, and at which top it would like to lie; null where it does not mind. */
export interface Stacked {
  readonly id: string;
  readonly height: number;
  readonly wanted: number | null;
}

/**
 * Stacks the cards of a column so that none covers another and each lies as near to where it wants to be as the others allow.
 *
 * Cards that would touch become a block that lies at the mean of what its cards want; the blocks grow until none touches.
 * What does not mind comes below.
 */
export function stackAt(
  cards: readonly Stacked[],
  gap: number,
): { readonly id: string; readonly top: number }[] {
  const minding = cards
    .filter((card): card is Stacked & { wanted: number } => card.wanted !== null)
    .sort((one, other) => one.wanted - other.wanted);
  const blocks: Block[] = [];
  for (const card of minding) {
    let block: Block = { cards: [card], height: card.height, sum: card.wanted, top: card.wanted };
    for (
      let above = blocks.at(-1);
      above !== undefined && above.top + above.height + gap > block.top;
      above = blocks.at(-1)
    ) {
      blocks.pop();
      block = joined(above, block, gap);
    }
    blocks.push(block);
  }
  const last = blocks.at(-1);
  let top = last === undefined ? 0 : last.top + last.height + gap;
  const stacked = blocks.flatMap((block) => tops(block, gap));
  for (const { id, height } of cards.filter(({ wanted }) => wanted === null)) {
    stacked.push({ id, top });
    top += height + gap;
  }
  return stacked;
}

interface Block {
  readonly cards: readonly Stacked[];
  readonly height: number;
  /** Of the tops that the block would have if it went by each of its cards alone. */
  readonly sum: number;
  readonly top: number;
}

function joined(above: Block, below: Block, gap: number): Block {
  const offset = above.height + gap;
  const cards = [...above.cards, ...below.cards];
  const sum = above.sum + below.sum - offset * below.cards.length;
  return { cards, height: offset + below.height, sum, top: sum / cards.length };
}

function tops({ cards, top }: Block, gap: number): { id: string; top: number }[] {
  let at = top;
  return cards.map(({ id, height }) => {
    const placed = { id, top: at };
    at += height + gap;
    return placed;
  });
}
