import styles from './legend.module.css';
import trackStyles from './lifeline-track.module.css';
import { diamond, hollowDiamond, upright, hollowSquare, roundedBar, xMark } from './shapes.ts';

const bar = roundedBar(2, { width: 20, top: 3, height: 14 });

/** What the shapes mean. Hidden from screen readers: every row says the same in words. */
export function Legend() {
  return (
    <ul className={styles['legend']} aria-hidden="true">
      <Entry name="Present value, and what is left of it">
        <g data-look="fresh" className={trackStyles['present']}>
          <path className={trackStyles['lived']} d={roundedBar(2, { width: 9, top: 3, height: 14 })} />
          <path className={trackStyles['left']} d={roundedBar(11, { width: 10, top: 3, height: 14 })} />
          <path className={trackStyles['end']} d={upright(21, { top: 0, height: 20 })} />
        </g>
      </Entry>
      <Entry name="Superseded">
        <path className={trackStyles['superseded']} d={bar} />
      </Entry>
      <Entry name="Expired">
        <path className={trackStyles['expired']} d={roundedBar(2, { width: 18, top: 3, height: 14 })} />
        <path className={trackStyles['expiredCap']} d={upright(21, { top: 0, height: 20 })} />
      </Entry>
      <Entry name="Blacklisted">
        <path className={trackStyles['blacklisted']} d={roundedBar(2, { width: 12, top: 3, height: 14 })} />
        <path className={trackStyles['blacklistedCap']} d={xMark(19, 10, 4)} />
      </Entry>
      <Entry name="Replaced by hand">
        <path className={trackStyles['replaced']} d={roundedBar(2, { width: 16, top: 3, height: 14 })} />
        <path className={trackStyles['replacedCap']} d={hollowSquare(19, 10, 6)} />
      </Entry>
      <Entry name="Next rotation">
        <path className={trackStyles['next']} d={diamond(12, 10, 6)} />
      </Entry>
      <Entry name="Planned rotations">
        <path
          className={trackStyles['planned']}
          d={hollowDiamond(6, 10, 4, 2) + hollowDiamond(18, 10, 4, 2)}
        />
      </Entry>
    </ul>
  );
}

function Entry({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <li className={styles['entry']}>
      <svg className={styles['sample']} viewBox="0 0 24 20" focusable="false">
        {children}
      </svg>
      {name}
    </li>
  );
}
