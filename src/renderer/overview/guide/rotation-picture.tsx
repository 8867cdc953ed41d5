import { firstStepsText } from '../../../text/window/overview.ts';
import styles from './rotation-picture.module.css';

const tokens = [0, 1, 2].map((place) => ({ place, x: 8 + place * 112 }));

/** What Rotavox does, in a picture: tokens that follow each other, and a program that always has the current one. */
export function RotationPicture() {
  const { picture } = firstStepsText;
  return (
    <svg className={styles['picture']} viewBox="0 0 344 112" role="img" aria-label={picture.label}>
      {tokens.map(({ place, x }) => (
        <g key={place} data-current={place === 2 || undefined} className={styles['token']}>
          <rect x={x} y="6" width="104" height="30" rx="6" />
          <text x={x + 52} y="26">
            {picture.token(place + 1)}
          </text>
          {place === 2 ? null : <path className={styles['ends']} d={`M${x + 108} 2v38`} />}
        </g>
      ))}
      <path className={styles['arrow']} d="M284 42v22m-5-6 5 6 5-6" />
      <g className={styles['program']}>
        <rect x="8" y="70" width="328" height="34" rx="6" />
        <text x="172" y="92">
          {picture.program}
        </text>
      </g>
    </svg>
  );
}
