import { addCredentialText } from '../../text/credential/add-credential.ts';
import styles from './credentials.module.css';

/**
 * The beginning of the name, the colour and the shape on a grid of 24 × 24 of services whose public rules let others show their logo for
 * an integration.
 *
 * The shape is from Simple Icons 16.37.0 (https://simpleicons.org), CC0 1.0; the logo remains a trademark of its owner, whose rules are at
 * https://github.com/logos. Of all other services the first letter is shown: most owners want to be asked first (DigitalOcean, GitLab,
 * Google, Grafana, HashiCorp, Microsoft, npm, Slack, Twilio), and of some no rule was found.
 */
const shapes: readonly (readonly [name: string, colour: string, path: string])[] = [
  [
    'GitHub',
    '#181717',
    'M12 .297c-6.63 0-12 5.373-12 12 0 5.303 3.438 9.8 8.205 11.385.6.113.82-.258.82-.577 0-.285-.01-1.04-.015-2.04-3.338.724-4.042-1.61-4.042-1.61C4.422 18.07 3.633 17.7 3.633 17.7c-1.087-.744.084-.729.084-.729 1.205.084 1.838 1.236 1.838 1.236 1.07 1.835 2.809 1.305 3.495.998.108-.776.417-1.305.76-1.605-2.665-.3-5.466-1.332-5.466-5.93 0-1.31.465-2.38 1.235-3.22-.135-.303-.54-1.523.105-3.176 0 0 1.005-.322 3.3 1.23.96-.267 1.98-.399 3-.405 1.02.006 2.04.138 3 .405 2.28-1.552 3.285-1.23 3.285-1.23.645 1.653.24 2.873.12 3.176.765.84 1.23 1.91 1.23 3.22 0 4.61-2.805 5.625-5.475 5.92.42.36.81 1.096.81 2.22 0 1.606-.015 2.896-.015 3.286 0 .315.21.69.825.57C20.565 22.092 24 17.592 24 12.297c0-6.627-5.373-12-12-12',
  ],
];

/** Of the grounds for a letter, each dark enough for white. */
const letterGrounds = ['#4149c4', '#177245', '#8a4b08', '#7443b8', '#b72633', '#0b6a88', '#4d5566'];

/** As in `resources/icon.svg`, on its grid of 512 × 512. */
const ownRing = { cx: 256, cy: 256, r: 172, fill: 'none', stroke: '#ffffff', strokeWidth: 36 } as const;
const ownHoles = Array.from({ length: 10 }, (_, at) => {
  const angle = (at * Math.PI) / 6;
  return { cx: 256 + 98 * Math.sin(angle), cy: 256 - 98 * Math.cos(angle) };
});

function OwnLogo() {
  return (
    <svg className={styles['logo']} viewBox="0 0 512 512" aria-hidden="true" focusable="false">
      <rect width="512" height="512" rx="112" fill="#434ab8" />
      <circle {...ownRing} strokeOpacity="0.22" />
      <circle {...ownRing} strokeLinecap="round" strokeDasharray="778 1081" transform="rotate(-90 256 256)" />
      {ownHoles.map((hole) => (
        <circle key={`${hole.cx} ${hole.cy}`} {...hole} r="18" fill="#ffffff" />
      ))}
      <circle cx="256" cy="256" r="36" fill="#ffffff" />
    </svg>
  );
}

/** The logo of a service, or its first letter; of this program its own. The name beside it says the same. */
export function ServiceLogo({ name }: { name: string }) {
  if (name === addCredentialText.service.embedded.name) return <OwnLogo />;
  const [, colour, path] = shapes.find(([start]) => name.startsWith(start)) ?? [];
  const code = Array.from(name).reduce(
    (sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 10_007,
    0,
  );
  return (
    <svg className={styles['logo']} viewBox="0 0 36 36" aria-hidden="true" focusable="false">
      {path === undefined ? (
        <>
          <rect width="36" height="36" rx="8" fill={letterGrounds[code % letterGrounds.length]} />
          <text x="18" y="24.5" textAnchor="middle" fill="#ffffff">
            {name.charAt(0).toUpperCase()}
          </text>
        </>
      ) : (
        <>
          <rect width="36" height="36" rx="8" fill="#ffffff" />
          <path transform="translate(6 6)" d={path} fill={colour} />
        </>
      )}
    </svg>
  );
}
