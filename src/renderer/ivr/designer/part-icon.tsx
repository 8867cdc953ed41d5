import styles from '../../kit/icon.module.css';

/** The icons of the designer, on the kit's grid of 16 × 16; each kind of destination has one under its name. */
const icons = {
  caller: (
    <path d="M3.5 2.5h2.25l1 3-1.5 1.25a8 8 0 0 0 4 4l1.25-1.5 3 1v2.25a1 1 0 0 1-1 1A10.5 10.5 0 0 1 2.5 3.5a1 1 0 0 1 1-1z" />
  ),
  menu: <path d="M3 2.5h2v2H3zm4 0h2v2H7zm4 0h2v2h-2zM3 7h2v2H3zm4 0h2v2H7zm4 0h2v2h-2zm-4 4.5h2v2H7z" />,
  extension: <path d="M8 2.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM3 13.5c0-2.5 2-4 5-4s5 1.5 5 4" />,
  ivr: <path d="M5.5 2.5h8v8h-8zm-3 3v8h8" />,
  department: (
    <path d="M6 3a2.25 2.25 0 1 1 0 4.5A2.25 2.25 0 0 1 6 3zM1.5 13c0-2.25 1.75-3.5 4.5-3.5s4.5 1.25 4.5 3.5M10.75 3.25a2 2 0 0 1 0 4m1 2.5c1.75.25 2.75 1.5 2.75 3.25" />
  ),
  ring_group: (
    <path d="M8 2.5a3 3 0 0 1 3 3c0 3 1.25 3.75 1.25 4.75h-8.5C3.75 9.25 5 8.5 5 5.5a3 3 0 0 1 3-3zM6.75 12.75h2.5" />
  ),
  number: (
    <path d="M3 2.5h2l.75 2.5-1.25 1a6.5 6.5 0 0 0 3.5 3.5l1-1.25L11.5 9v2a1 1 0 0 1-1 1A8.5 8.5 0 0 1 2 3.5a1 1 0 0 1 1-1zM9.5 2.5h4v4m0-4L9.5 6.5" />
  ),
  voicemail: (
    <path d="M4.25 5a2.75 2.75 0 1 1 0 5.5 2.75 2.75 0 0 1 0-5.5zm7.5 0a2.75 2.75 0 1 1 0 5.5 2.75 2.75 0 0 1 0-5.5zm-7.5 5.5h7.5" />
  ),
  timegroup: <path d="M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2.25V4.5m5-2.25V4.5" />,
  time_condition: <path d="M8 2.25a5.75 5.75 0 1 1 0 11.5 5.75 5.75 0 0 1 0-11.5zM8 5v3l2 1.75" />,
  hours: <path d="M8 2.25a5.75 5.75 0 1 1 0 11.5 5.75 5.75 0 0 1 0-11.5zM8 5v3H5.5" />,
  message: <path d="M2.5 3.5h11v7.5H7L4 13.5V11H2.5z" />,
  hangup: <path d="M2 9.5C5 6.5 11 6.5 14 9.5l-1.5 2-2.5-1V9a7 7 0 0 0-4 0v1.5l-2.5 1z" />,
  recording: (
    <path d="M3 6.25v3.5h2.25L8.5 12.5v-9L5.25 6.25zM11 5.75a3.25 3.25 0 0 1 0 4.5m1.75-6.25a5.75 5.75 0 0 1 0 8" />
  ),
  sms: <path d="M2.5 3.5h11v7.5H7L4 13.5V11H2.5z" />,
  template: <path d="M2.5 2.5h11v3h-11zm0 5.5h4.5v5.5H2.5zm7 0h4v5.5h-4z" />,
  undo: <path d="M5.5 3 2.5 6l3 3M2.5 6h7a3.75 3.75 0 0 1 0 7.5H6.5" />,
  redo: <path d="m10.5 3 3 3-3 3m3-3h-7a3.75 3.75 0 0 0 0 7.5h3" />,
  columns: (
    <path d="M2 6h3.5v4H2zm8.5-3.5H14v3.5h-3.5zm0 7.5H14v3.5h-3.5zM5.5 8h2.5M8 4.25v7.5M8 4.25h2.5M8 11.75h2.5" />
  ),
  bin: <path d="M2.5 4.5h11m-7.5 0v-2h4v2m-6 0 .75 9h6.5l.75-9M6.75 7v4m2.5-4v4" />,
  plus: <path d="M8 3v10M3 8h10" />,
  minus: <path d="M3 8h10" />,
  fit: <path d="M2.5 6V2.5H6m4 0h3.5V6m0 4v3.5H10m-4 0H2.5V10" />,
  again: <path d="M13 8a5 5 0 1 1-1.5-3.5L13 6m0-3.25V6H9.75" />,
  parts: <path d="M2.5 2.5h4.5V7H2.5zm6.5 0h4.5V7H9zM2.5 9h4.5v4.5H2.5zm6.5 2.25h4.5M11.25 9v4.5" />,
  inspector: <path d="M2.5 3h11v10h-11zM10 3v10" />,
  microphone: (
    <path d="M8 2.5a2 2 0 0 1 2 2v3.5a2 2 0 0 1-4 0V4.5a2 2 0 0 1 2-2zM3.5 8a4.5 4.5 0 0 0 9 0M8 12.5v1.75" />
  ),
  upload: <path d="M8 10.5v-8m-3 3 3-3 3 3M2.5 10.5v3h11v-3" />,
  star: <path d="m8 2.25 1.75 3.75 4 .5-3 2.75.75 4L8 11.25l-3.5 2 .75-4-3-2.75 4-.5z" />,
  traffic: <path d="M3 13.5V9m3.5 4.5V5.5M10 13.5V8m3.5 5.5v-11" />,
  more: <path d="M3 8h.01M8 8h.01M13 8h.01" strokeWidth="2.5" />,
  down: <path d="m4 6 4 4 4-4" />,
  up: <path d="m4 10 4-4 4 4" />,
  arrowUp: <path d="M8 12.5v-9m-4 4 4-4 4 4" />,
  arrowDown: <path d="M8 3.5v9m-4-4 4 4 4-4" />,
  remove: <path d="m4 4 8 8m0-8-8 8" />,
  play: <path d="M5 3v10l8-5z" />,
  stop: <path d="M4 4h8v8H4z" />,
  mute: <path d="M2.5 6v4H5l3.5 3V3L5 6zM11 6l3.5 4m0-4L11 10" />,
  sound: <path d="M2.5 6v4H5l3.5 3V3L5 6zM11 5.5a3.5 3.5 0 0 1 0 5m1.75-7a6 6 0 0 1 0 9" />,
} as const;

export type PartIconName = keyof typeof icons;

/** Decorative: the text beside it says the same. */
export function PartIcon({ name }: { name: PartIconName }) {
  return (
    <svg className={styles['icon']} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {icons[name]}
    </svg>
  );
}
