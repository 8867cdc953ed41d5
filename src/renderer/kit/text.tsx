import { Fragment, type ComponentProps } from 'react';
import styles from './text.module.css';
import unseenStyles from './unseen.module.css';

interface TextProps extends ComponentProps<'p'> {
  as?:
    | 'p'
    | 'span'
    | 'div'
    | 'h2'
    | 'h3'
    | 'h4'
    | 'dt'
    | 'dd'
    | 'li'
    | 'ul'
    | 'ol'
    | 'dl'
    | 'code'
    | 'small'
    | 'strong'
    | 'time'
    | 'label'
    | 'section'
    | 'header';
  tone?: 'plain' | 'soft' | 'good' | 'warn' | 'bad' | 'accent' | undefined;
  size?: 'tiny' | 'small' | 'medium' | 'normal' | 'large';
  weight?: 'regular' | 'strong' | 'bold' | undefined;
  /** Words and ids of any length, which may be broken anywhere. */
  breaks?: boolean;
  /** Figures of one width, which stand still while they count. */
  isTabular?: boolean;
  isOneLine?: boolean;
  /** One line, that ends in … where there is no room for all of it. */
  isCut?: boolean;
  /** So many lines at most; what does not fit is cut. */
  lines?: 2 | 3 | 4;
  /** Heard, not seen: for whoever does not see what stands beside it. */
  isUnseen?: boolean;
}

/** Text in one of the sizes, weights and tones of the windows. */
export function Text({
  as = 'p',
  tone,
  size,
  weight,
  breaks = false,
  isTabular = false,
  isOneLine = false,
  isCut = false,
  lines,
  isUnseen = false,
  className = '',
  ...rest
}: TextProps) {
  const Tag = as as 'p';
  const names = [
    tone === undefined ? undefined : 'toned',
    size,
    weight,
    breaks ? 'breaks' : undefined,
    isTabular ? 'tabular' : undefined,
    isOneLine ? 'oneLine' : undefined,
    isCut ? 'cut' : undefined,
    lines === undefined ? undefined : 'clamped',
  ];
  const classes = names.flatMap((name) => (name === undefined ? [] : [styles[name]]));
  if (isUnseen) classes.push(unseenStyles['unseen']);
  const style = lines === undefined ? rest.style : { ...rest.style, WebkitLineClamp: lines };
  return <Tag {...rest} className={[...classes, className].join(' ')} data-tone={tone} style={style} />;
}

/** A path, an address or a name that breaks its line after a separator, so that words stay in one piece where they can. */
export function PathText({ path }: { path: string }) {
  return path.split(/(?<=[@._-]|[/\\](?![/\\])|:(?![/\\]))(?=\S)/).map((part, place) => (
    <Fragment key={place}>
      {part}
      <wbr />
    </Fragment>
  ));
}
