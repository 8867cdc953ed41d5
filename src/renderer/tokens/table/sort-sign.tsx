import styles from './columns.module.css';

/** Which way a column is ordered. Decorative: the column says it too. */
export function SortSign({ order }: { order: 'asc' | 'desc' | undefined }) {
  return (
    <svg
      className={styles['sign']}
      data-order={order}
      viewBox="0 0 8 12"
      aria-hidden="true"
      focusable="false"
    >
      <path data-way="asc" d="M1.25 4.5 4 1.5l2.75 3" />
      <path data-way="desc" d="M1.25 7.5 4 10.5l2.75-3" />
    </svg>
  );
}
