import type { TokenFacets } from '../../../contract/token-list.ts';
import styles from './filter-bar.module.css';

/** Which category is shown: those in use, the most used first, with how many each would show. */
export function CategorySelect({
  category,
  categories,
  onChange,
}: {
  category: string | undefined;
  categories: TokenFacets['categories'];
  onChange: (category: string | undefined) => void;
}) {
  const isListed = category === undefined || categories.some((one) => one.category === category);
  return (
    <select
      className={styles['select']}
      aria-label="Category"
      value={category ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
    >
      <option value="">Every category</option>
      {isListed ? null : <option value={category}>{category} (0)</option>}
      {categories.map((one) => (
        <option key={one.category} value={one.category}>
          {one.category} ({one.tokens.toLocaleString()})
        </option>
      ))}
    </select>
  );
}
