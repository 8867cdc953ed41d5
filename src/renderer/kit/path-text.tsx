import { Fragment } from 'react';

/** A path that breaks its line after a separator, so that a name stays in one piece where it can. */
export function PathText({ path }: { path: string }) {
  return path.split(/(?<=[/\\])/).map((part, place) => (
    <Fragment key={place}>
      {part}
      <wbr />
    </Fragment>
  ));
}
