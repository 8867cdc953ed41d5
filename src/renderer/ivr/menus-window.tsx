import { Row, Stack } from '../kit/layout.tsx';
import rowStyles from '../kit/row-link.module.css';
import { Text } from '../kit/text.tsx';
import unseen from '../kit/unseen.module.css';
import type { IvrBodyInput } from '../../contract/menu/ivr.ts';
import { callStarts } from '../../core/calls/call-starts.ts';
import { useHoursTexts } from '../hours/schedules.ts';
import { menuPath } from '../kit/window-paths.ts';
import { Card } from '../kit/card.tsx';
import { CodeBlock, CommandLine, useCommandLine } from '../kit/command-line.tsx';
import { Link } from '../kit/link.tsx';
import { combineLive, useLive } from '../kit/live/use-live.ts';
import { Moment } from '../kit/moment.tsx';
import { Empty } from '../kit/empty.tsx';
import { DraftsCard, NewDraftButtons } from './drafts/drafts-card.tsx';
import { TemplatePicture } from './drafts/template-picture.tsx';
import { templates } from './drafts/templates.ts';
import { MenusFrame } from './menus-frame.tsx';
import styles from './menus-window.module.css';
import { allDrafts, type Menus, storedMenus } from './read-menus.ts';
import { bodyText } from './request-body.ts';
import { distinctTitles } from '../../text/menu/phone-menu.ts';
import { firstMenuText as text, menusText } from '../../text/menu/stored-menus.ts';
import { RichText } from '../kit/rich-text.tsx';

/** The drafts and the stored phone menus, or the ways to the first one. */
export function MenusWindow() {
  const live = combineLive({ drafts: useLive(allDrafts), stored: useLive(storedMenus) });
  const known = live.known?.value;
  return (
    <MenusFrame live={live} heading={menusText.heading}>
      {known === undefined ? null : (
        <>
          {known.drafts.length + known.stored.menus.length + known.stored.parts.length === 0 ? (
            <FirstMenu />
          ) : (
            <DraftsCard drafts={known.drafts} />
          )}
          {known.stored.menus.length + known.stored.parts.length === 0 ? (
            <ThroughApi baseUrl={known.stored.status.base_url} />
          ) : (
            <MenuList {...known.stored} />
          )}
        </>
      )}
    </MenusFrame>
  );
}

/** What to do while there is neither a draft nor a stored menu. */
function FirstMenu() {
  const [example] = templates;
  return (
    <Empty
      title={text.title}
      text={text.lead}
      picture={example === undefined ? undefined : <TemplatePicture document={example.document} />}
    >
      <NewDraftButtons drafts={[]} />
    </Empty>
  );
}

/** How to store a menu without the designer, as the owner or as an app. */
function ThroughApi({ baseUrl }: { baseUrl: string }) {
  const commandLine = useCommandLine();
  return (
    <details className={styles['api']}>
      <summary>{text.api}</summary>
      <Stack gap={6} className={styles['first']}>
        <Text tone="soft">{text.apiLead}</Text>
        <Stack as="ol" gap={6} className={styles['steps']}>
          <Stack as="li" gap={2} className={styles['step']}>
            <p>
              <RichText text={text.save} parts={{ file: <code>menu.json</code> }} />
            </p>
            <CodeBlock text={bodyText(exampleBody)} what={text.copyBody} />
          </Stack>
          {commandLine === null ? null : (
            <Stack as="li" gap={2} className={styles['step']}>
              <p>{text.store}</p>
              <CommandLine line={`${commandLine} ivr create menu.json`} what={text.copyCommand} />
            </Stack>
          )}
        </Stack>
        <Stack gap={2}>
          <p>{text.app}</p>
          <CommandLine
            line={`curl -X POST ${baseUrl}/v1/ivr -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" --data @menu.json`}
            what={text.copyCall}
          />
        </Stack>
      </Stack>
    </details>
  );
}

/** A first menu: one key to an extension, one to a voicemail, and destinations for timeouts and wrong keys. */
export const exampleBody: IvrBodyInput = {
  ...text.example,
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

/** What calls can begin with: the phone menus, each with its keys and when it was changed, after the call flows with what callers meet now. */
function MenuList({ menus, parts }: Pick<Menus, 'menus' | 'parts'>) {
  const flows = callStarts(menus, parts).filter((one) => 'kind' in one);
  const titles = distinctTitles([...flows, ...menus]);
  const hours = useHoursTexts(flows);
  return (
    <Card title={menusText.stored} aside={(flows.length + menus.length).toLocaleString()}>
      <ul>
        {flows.map(({ id, kind }) => (
          <li key={id} className={styles['menu']}>
            <Text as="div" breaks>
              <Link to={menuPath(id)} className={rowStyles['link']}>
                <bdi>{titles.get(id)}</bdi>
              </Link>
            </Text>
            <Text size="small">{hours.get(id)}</Text>
            <Text tone="soft" size="small">
              {menusText.flow[kind]}
            </Text>
          </li>
        ))}
        {menus.map((menu) => (
          <li key={menu.id} className={styles['menu']}>
            <Text as="div" breaks>
              <Link to={menuPath(menu.id)} className={rowStyles['link']}>
                <bdi>{titles.get(menu.id)}</bdi>
              </Link>
              {menu.description.trim() === '' ? null : (
                <Text tone="soft" size="small" lines={2}>
                  {menu.description}
                </Text>
              )}
            </Text>
            <Row as="p" gap={1} wraps>
              <span className={unseen['unseen']}>{menusText.keys}</span>
              {menu.option.map((key) => (
                <kbd key={key} className={styles['key']}>
                  {key}
                </kbd>
              ))}
            </Row>
            <Text tone="soft" size="small" isTabular>
              <RichText
                text={menusText.version(menu.version)}
                parts={{ when: <Moment at={menu.updated_at} /> }}
              />
            </Text>
          </li>
        ))}
      </ul>
    </Card>
  );
}
