import type { ReactNode } from 'react';
import type { Ivr, IvrBodyInput } from '../../contract/ivr.ts';
import { menuPath } from '../kit/address.ts';
import { Card } from '../kit/card.tsx';
import { CodeBlock, CommandLine } from '../kit/command-line.tsx';
import { Link } from '../kit/link.tsx';
import { combineLive, useLive } from '../kit/live/use-live.ts';
import { Moment } from '../kit/moment.tsx';
import { DraftsCard } from './drafts/drafts-card.tsx';
import { MenusFrame } from './menus-frame.tsx';
import styles from './menus-window.module.css';
import { allDrafts, storedMenus } from './read-menus.ts';
import { bodyText } from './request-body.ts';

/** What is being designed, and the stored phone menus, or how to make the first one. */
export function MenusWindow() {
  const live = combineLive({ drafts: useLive(allDrafts), stored: useLive(storedMenus) });
  const known = live.known?.value;
  return (
    <MenusFrame live={live} heading="Phone menus">
      {known === undefined ? null : (
        <>
          <DraftsCard drafts={known.drafts} />
          {known.stored.menus.length === 0 ? (
            <FirstMenu baseUrl={known.stored.status.base_url} />
          ) : (
            <MenuList menus={known.stored.menus} />
          )}
        </>
      )}
    </MenusFrame>
  );
}

/** What to do while there is no phone menu: store one, as the owner or as an app. */
function FirstMenu({ baseUrl }: { baseUrl: string }) {
  return (
    <div className={styles['first']}>
      <Card title="Create your first phone menu">
        <p className={styles['lead']}>
          No phone menu is stored yet. Publish a draft, or store a menu as it is: one JSON body that says what
          the caller hears, where each key leads, and what happens on a wrong key and on a timeout.
        </p>
        <Steps>
          <Step>
            <p>
              Save this as <code>menu.json</code>, and put your own recordings and extensions in:
            </p>
            <CodeBlock text={bodyText(exampleBody)} what="the body of a menu" />
          </Step>
          <Step>
            <p>Store it. This window shows it at once.</p>
            <CommandLine line="rotavox ivr create menu.json" what="the command that stores a menu" />
          </Step>
        </Steps>
        <p className={styles['or']}>An app does the same with its token:</p>
        <CommandLine
          line={`curl -X POST ${baseUrl}/v1/ivr -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" --data @menu.json`}
          what="the call that stores a menu"
        />
        <p className={styles['aside']}>
          In a checkout, write <code>npm run --silent rotavox --</code> instead of <code>rotavox</code>.
        </p>
      </Card>
    </div>
  );
}

/** What to do, in its order. */
function Steps({ children }: { children: ReactNode }) {
  return <ol className={styles['steps']}>{children}</ol>;
}

function Step({ children }: { children: ReactNode }) {
  return <li className={styles['step']}>{children}</li>;
}

/** A menu to begin with: one key to an extension, one to a voicemail, and a way out of silence and wrong keys. */
export const exampleBody: IvrBodyInput = {
  name: 'Reception',
  description: 'Where every call begins',
  recording: 'recording||1',
  timeout: 5,
  option: ['1', '2'],
  destination: ['extension||101', 'voicemail||7'],
  incorrect_count: 2,
  invalid_recording: 'recording||2',
  invalid_destination: 'extension||100',
  timeout_retry_recording: 'recording||3',
  timeout_recording: 'recording||4',
  timeout_destination: 'hangup',
  timeout_tries: 1,
};

/** The phone menus, each with its keys and when it was changed. */
function MenuList({ menus }: { menus: readonly Ivr[] }) {
  return (
    <Card title="Stored menus" aside={menus.length.toLocaleString()}>
      <ul>
        {menus.map((menu) => (
          <li key={menu.id} className={styles['menu']}>
            <div className={styles['words']}>
              <Link to={menuPath(menu.id)} className={styles['name']}>
                {menu.name}
              </Link>
              {menu.description.trim() === '' ? null : (
                <p className={styles['description']}>{menu.description}</p>
              )}
            </div>
            <p className={styles['keys']}>
              <span className={styles['spoken']}>Keys </span>
              {menu.option.map((key) => (
                <kbd key={key} className={styles['key']}>
                  {key}
                </kbd>
              ))}
            </p>
            <p className={styles['version']}>
              Version {menu.version}, <Moment at={menu.updated_at} />
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
