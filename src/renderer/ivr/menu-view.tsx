import type { Ivr } from '../../contract/ivr.ts';
import { Button } from '../kit/button.tsx';
import { Card } from '../kit/card.tsx';
import { CodeBlock } from '../kit/code-block.tsx';
import { Column, Columns } from '../kit/columns.tsx';
import { CallerCard } from './caller-card.tsx';
import { Keypad } from './keypad.tsx';
import styles from './menu-view.module.css';
import { bodyText, requestBodyOf } from './request-body.ts';
import { VersionsCard } from './versions-card.tsx';

/** A version of a phone menu: where each key leads, what happens otherwise, its body, and the other versions. */
export function MenuView({
  menu,
  versions,
  menus,
  onShow,
}: {
  menu: Ivr;
  /** Newest first. */
  versions: readonly Ivr[];
  /** What it may lead to. */
  menus: readonly Ivr[];
  onShow: (version: number) => void;
}) {
  const newest = versions[0] ?? menu;
  return (
    <>
      <div role="status" className={styles['state']}>
        {menu.version === newest.version ? null : (
          <div className={styles['older']}>
            <p>
              You look at version {menu.version}; the newest is {newest.version}.
            </p>
            <Button onPress={() => onShow(newest.version)}>Show the newest</Button>
          </div>
        )}
      </div>
      <Columns>
        <Column>
          <Keypad menu={menu} menus={menus} />
          <CallerCard menu={menu} menus={menus} />
        </Column>
        <Column>
          <VersionsCard versions={versions} shown={menu.version} onShow={onShow} />
          <Card title="JSON body" aside="POST /v1/ivr">
            <CodeBlock text={bodyText(requestBodyOf(menu))} what="the JSON body" />
          </Card>
        </Column>
      </Columns>
    </>
  );
}
