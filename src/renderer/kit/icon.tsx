import styles from './icon.module.css';

/** Line drawings on a 16 × 16 grid. A status never relies on colour alone: each of these has its own outline. */
const drawings = {
  copy: <path d="M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8z" />,
  tick: <path d="m3 8.5 3.25 3.25L13 5" />,
  cross: <path d="m4 4 8 8m0-8-8 8" />,
  alert: <path d="M8 2 1.5 13.5h13zM8 6.5v3.25m0 1.75v.5" />,
  shield: (
    <path d="M8 1.75 2.75 3.5v4c0 3.25 2.1 5.6 5.25 6.75 3.15-1.15 5.25-3.5 5.25-6.75v-4zM5.5 8l1.75 1.75L10.75 6" />
  ),
  token: <path d="M10.25 2.25a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM7.75 8.25l-5.5 5.5m1.5-1.5 1.75 1.75" />,
  rotate: (
    <path d="M13 6.5A5.25 5.25 0 0 0 3.6 5.1L2.5 6.5m0-3.5v3.5H6M3 9.5a5.25 5.25 0 0 0 9.4 1.4l1.1-1.4m0 3.5V9.5H10" />
  ),
  key: <path d="M2.5 8h11m-4-4 4 4-4 4" />,
  pause: <path d="M5.75 3.5v9m4.5-9v9" />,
  clock: <path d="M8 2.25a5.75 5.75 0 1 1 0 11.5 5.75 5.75 0 0 1 0-11.5zM8 5v3l2 1.75" />,
  menu: (
    <path d="M6.25 2h3.5v3h-3.5zM1.5 11H5v3H1.5zm4.75 0h3.5v3h-3.5zM11 11h3.5v3H11zM8 5v6M3.25 11V8h9.5v3" />
  ),
  play: <path d="M5 3v10l8-5z" />,
  outside: <path d="M6 3.5H3.5v9h9V10M9 2.5h4.5V7m0-4.5L7.5 8.5" />,
  back: <path d="M9.75 3.5 5.25 8l4.5 4.5" />,
  search: <path d="M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zm3.25 7.75 3.25 3.25" />,
  other: <path d="M8 3.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z" />,
} as const;

export type IconName = keyof typeof drawings;

/** A decorative drawing: the text beside it says the same in words. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={styles['icon']} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {drawings[name]}
    </svg>
  );
}
