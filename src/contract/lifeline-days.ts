/** How far the lifeline looks back and ahead, in days. Apart from its schema, so that a window can know it without. */
export const lifelineDays = 90;
