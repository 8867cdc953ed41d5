/** The card that lies next to one in a direction, as the screen shows them; null at the edge of the drawing. */
export function nextCard(from: HTMLElement | null, { x, y }: { x: number; y: number }): HTMLElement | null {
  if (from === null) return null;
  const here = middleOf(from);
  let next: HTMLElement | null = null;
  let least = Infinity;
  for (const card of document.querySelectorAll<HTMLElement>('.react-flow__node')) {
    const there = middleOf(card);
    const along = (there.x - here.x) * x + (there.y - here.y) * y;
    const aside = Math.abs((there.x - here.x) * y) + Math.abs((there.y - here.y) * x);
    const distance = along + aside * 2; // straight ahead before askew
    if (card === from || along <= 1 || distance >= least) continue;
    next = card;
    least = distance;
  }
  return next;
}

function middleOf(card: HTMLElement): { x: number; y: number } {
  const { left, top, width, height } = card.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
