import { Button } from '../../kit/button.tsx';
import styles from './lifeline-empty.module.css';
import trackStyles from './lifeline-track.module.css';
import { diamond, hollowDiamond, upright, roundedBar } from './shapes.ts';

/** What will be here, and the first step to it. */
export function LifelineEmpty({ isGuided, onGuide }: { isGuided: boolean; onGuide: () => void }) {
  return (
    <div className={styles['empty']}>
      <svg className={styles['sketch']} viewBox="0 0 240 28" aria-hidden="true" focusable="false">
        <path className={trackStyles['superseded']} d={roundedBar(2, { width: 36, top: 7, height: 14 })} />
        <path className={trackStyles['superseded']} d={roundedBar(40, { width: 36, top: 7, height: 14 })} />
        <g className={trackStyles['present']}>
          <path className={trackStyles['lived']} d={roundedBar(78, { width: 18, top: 7, height: 14 })} />
          <path className={trackStyles['left']} d={roundedBar(96, { width: 38, top: 7, height: 14 })} />
          <path className={trackStyles['end']} d={upright(134, { top: 2, height: 24 })} />
        </g>
        <path className={trackStyles['next']} d={diamond(116, 14, 6)} />
        <path
          className={trackStyles['planned']}
          d={hollowDiamond(154, 14, 4, 2) + hollowDiamond(192, 14, 4, 2) + hollowDiamond(230, 14, 4, 2)}
        />
      </svg>
      <div>
        <p className={styles['what']}>Every token and credential has a line here.</p>
        <p className={styles['why']}>
          It shows what each value lived in the last 90 days, when it ends, and when it will be rotated in the
          next 90.
        </p>
        {isGuided ? null : (
          <p className={styles['step']}>
            <Button onPress={onGuide}>Show the first steps</Button>
          </p>
        )}
      </div>
    </div>
  );
}
