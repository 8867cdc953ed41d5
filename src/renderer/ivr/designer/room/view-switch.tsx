import styles from './view-switch.module.css';

export type DesignerView = 'canvas' | 'outline';

const views: readonly { readonly view: DesignerView; readonly name: string }[] = [
  { view: 'canvas', name: 'Canvas' },
  { view: 'outline', name: 'Outline' },
];

/** The two ways to see and change a drawing. */
export function ViewSwitch({ view, onView }: { view: DesignerView; onView: (view: DesignerView) => void }) {
  return (
    <div className={styles['switch']} role="group" aria-label="View">
      {views.map(({ view: one, name }) => (
        <button
          key={one}
          type="button"
          className={styles['view']}
          aria-pressed={view === one}
          onClick={() => onView(one)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
