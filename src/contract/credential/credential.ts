import { isSignedIn } from '../../providers/catalogue.ts';
import { ClientCertificate } from '../service/network.ts';
import { z } from 'zod';
import { type PasteMistake, readPasted } from './pasted-token.ts';
import { checkService, fillService } from './provider-inputs.ts';
import { longestValidityDays, ProviderChoice } from './provider.ts';
import { longestSettingKey, readSettingKey, settingFormatOf, settingFormats } from './setting-key.ts';
import { BaseUrl, HoursOfDay, isUnreplaced, newName, wholeDays } from '../shapes.ts';

const objectError = 'must be a JSON object';

export const CredentialId = z.string().brand<'CredentialId'>();
export type CredentialId = z.infer<typeof CredentialId>;

export const TargetId = z.string().brand<'TargetId'>();
export type TargetId = z.infer<typeof TargetId>;

const nameError =
  'must have 1 to 63 letters, digits, dots, dashes or underscores, and begin with a letter or a digit';
/** The name of a credential: in commands, in the keychain, in a path of the portal. Unique. */
export const CredentialName = z
  .string({ error: nameError })
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, nameError);
export type CredentialName = z.infer<typeof CredentialName>;

/**
 * Why nobody has said when a token expires, so that its end is assumed: its service does not say (`not_said`), says that it never
 * expires (`never`), or says what cannot be an expiry (`not_usable`).
 */
export const AssumedExpiry = z.enum(['not_said', 'never', 'not_usable']);
export type AssumedExpiry = z.infer<typeof AssumedExpiry>;

const ValidityDays = wholeDays(longestValidityDays);

/** When a token is replaced, and how long the next one shall be valid. */
export const RotationPolicy = z.strictObject(
  {
    /** The share of a token's lifetime after which it is replaced. */
    fraction: z
      .number({ error: 'must be a number from 0.1 to 0.9' })
      .min(0.1, 'must be a number from 0.1 to 0.9')
      .max(0.9, 'must be a number from 0.1 to 0.9'),
    /** Local hours in which a rotation is welcome; `to` may lie after midnight. Null: any. */
    preferred_hours: HoursOfDay.nullable(),
    /**
     * The most days for which a service is asked to make a new token valid. Default: as many as the one before has. Only for services
     * that can be asked (`takesValidity`), and they may give fewer.
     */
    validity_days: ValidityDays.exactOptional(),
  },
  { error: objectError },
);
export type RotationPolicy = z.infer<typeof RotationPolicy>;

export const defaultPolicy: RotationPolicy = { fraction: 2 / 3, preferred_hours: null };

const plainError =
  'must not have line breaks, other control characters, or marks that turn the direction of a text';
/**
 * What a path may have in it: paths stand in settings, scripts and messages, where a line break would begin another
 * line and a mark would show something else than there is. Every new field that names a file has to match this too.
 */
const plain = /^(?:\0|[^\p{Cc}\p{Surrogate}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069])*$/u; // NUL has a message of its own

const pathError = 'must be an absolute path of 4096 characters at most';
const AbsolutePath = z
  .string({ error: pathError })
  .max(4096, pathError)
  .regex(/^(?:\/|[A-Za-z]:[\\/]|\\\\)[^\0]*$/, pathError)
  .regex(plain, plainError);

const variableError = 'must be a variable name: letters, digits and underscores, not beginning with a digit';
const VariableName = z
  .string({ error: variableError })
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, variableError);

const labelError = 'must be a text of 1 to 200 characters';
const label = newName(
  z
    .string({ error: labelError })
    .max(200, labelError)
    .regex(/^[^\0\p{Surrogate}]+$/u, { error: labelError, abort: true }),
);
/** The service of the vault's own entries. Some keychains do not tell upper from lower case. */
export const vaultService = 'rotavox';
/** The service of the entry that shows whether a keychain is unlocked. */
export const probeService = 'rotavox-probe';
/** The last is Electron's on macOS, where the key of our windows' cookies is. */
const ownServices: readonly string[] = [vaultService, probeService, 'rotavox safe storage'];

/** Whether entries of a service are ours, so that no delivery may replace them. */
export function isOwnService(service: string): boolean {
  return ownServices.includes(service.toLowerCase());
}

/** What a template has where the token goes. */
export const tokenMark = '{token}';

/** The variable that contains a token, if no other is given. */
export const defaultVariable = 'ROTAVOX_TOKEN';

const argumentError = 'must be a text of 4096 characters at most, without NUL characters';
const timeLimitError = 'must be a whole number of seconds from 1 to 240';

const targetKinds = 'keychain, file, dotenv, setting or hook';

const keyError =
  'must be the key of one value: names with dots between them, such as auths."ghcr.io".auth or users[name=ci].user.token; in an INI file the name as it is there, such as [global]index-url';
// Written when it is asked for: making the first list of words takes longer than all schemas of this file.
const formatError = (): string =>
  `must be ${new Intl.ListFormat('en', { type: 'disjunction' }).format(settingFormats)}`;
const formatUnknown = (): string => `${formatError()}: the name of the file does not say it`;
const templateError =
  'must be a text of 500 characters at most with {token} in it once, such as Bearer {token}';

/**
 * Variables that make programs load code, or change how a shell or another program reads what it is given. No command gets the token in
 * one of them.
 */
const loadingVariables =
  /^(?:LD_.*|DYLD_.*|_?RLD_.*|LIBPATH|SHLIB_PATH|GLIBC_TUNABLES|GCONV_PATH|MALLOC_.*|NODE_.*|NPM_CONFIG_.*|ELECTRON_.*|BASH_.*|BASHOPTS|SHELLOPTS|ENV|ZDOTDIR|FPATH|IFS|CDPATH|PS[0-4]|PROMPT_COMMAND|PATH|PATHEXT|HOME|SHELL|USER|LOGNAME|TMPDIR|TEMP|TMP|LANG|LC_.*|LOCPATH|NLSPATH|TERMINFO(?:_DIRS)?|TERMCAP|COMSPEC|SYSTEMROOT|WINDIR|PYTHON.*|PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|MAVEN_OPTS|GRADLE_OPTS|DOTNET_.*|CORECLR_.*|COR_.*|LUA_.*|PHPRC|PHP_INI_SCAN_DIR|R_PROFILE.*|R_ENVIRON.*|JULIA_.*|GIT_(?!TOKEN$|PASSWORD$).*|SSH_(?!TOKEN$).*|SUDO_.*|PG.*|OPENSSL_.*|SSL_CERT_.*|CURL_HOME|WGETRC|EDITOR|VISUAL|PAGER|LESS.*|MANPAGER|BROWSER|GTK_.*|QT_.*|XDG_.*|DBUS_.*|GIO_.*|ROTAVOX_(?!TOKEN$).*)$/i;

/** Whether a command may get the token in a variable of this name. */
export function isHookVariable(name: string): boolean {
  return !loadingVariables.test(name);
}
const hookVariableError =
  'must not be a variable that makes programs load code or that they need themselves, such as PATH or LD_PRELOAD';

/** What a target gets of a secret with several parts; `both` as JSON. Default: the access token. */
export const targetParts = ['access_token', 'refresh_token', 'both'] as const;
export type TargetPart = (typeof targetParts)[number];
const part = z.enum(targetParts, { error: 'must be access_token, refresh_token or both' }).exactOptional();

/** The parts that a target of a credential may get: only a sign-in has more than an access token. */
export function targetPartsOf({ id }: Pick<ProviderChoice, 'id'>): readonly TargetPart[] {
  return isSignedIn({ id }) ? targetParts : ['access_token'];
}

const modeError = 'must be a mode in octal digits that its owner can read, such as 0640';
const accountError = 'must be the name or the number of an account of this machine';
/** A name as `/etc/passwd` may have it, or a number. */
const account = z
  .string({ error: accountError })
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,31}\$?$/, accountError);

/** How a file is written; the last three are for a file that does not exist yet. */
const fileOptions = {
  /** Into the same file, so that mounts, links, ACLs and watchers stay. Default: where the file needs it. */
  in_place: z.literal(true, { error: 'must be true, or left out' }).exactOptional(),
  mode: z
    .string({ error: modeError })
    .regex(/^0?[4-7][0-7]{2}$/, modeError)
    .exactOptional(),
  owner: account.exactOptional(),
  group: account.exactOptional(),
};
const storedFileOptions = {
  in_place: z.literal(true).exactOptional(),
  mode: z.string().exactOptional(),
  owner: z.string().exactOptional(),
  group: z.string().exactOptional(),
};

/** A place where every new token is written. */
export const DeliveryTarget = z.discriminatedUnion(
  'kind',
  [
    /** An entry of the OS keychain, named as another program expects it. */
    z.strictObject({
      kind: z.literal('keychain'),
      service: label.refine((name) => !isOwnService(name), {
        error: ({ input }) =>
          `must not be ${String(input).toLowerCase()}: those entries are the ones that Rotavox keeps for itself`,
      }),
      account: label,
      part,
    }),
    /** A file that contains the token and a newline. */
    z.strictObject({
      kind: z.literal('file'),
      path: AbsolutePath,
      part,
      newline: z.literal(false, { error: 'must be false, or left out' }).exactOptional(),
      ...fileOptions,
    }),
    /** One variable of a dotenv file; everything else in the file stays as it is. */
    z.strictObject({
      kind: z.literal('dotenv'),
      path: AbsolutePath,
      variable: VariableName.default(defaultVariable),
      part,
      ...fileOptions,
    }),
    /** One value of a JSON, YAML, TOML or INI file; everything else in the file stays as it is. */
    z
      .strictObject({
        kind: z.literal('setting'),
        path: AbsolutePath,
        /** As `setting-key.ts` says. */
        key: z
          .string({ error: keyError })
          .min(1, keyError)
          .max(longestSettingKey, keyError)
          .regex(plain, plainError)
          .regex(/^[^\0]*$/, plainError),
        /** Default: what the name of the file says. */
        format: z.enum(settingFormats, { error: formatError }).exactOptional(),
        /** The text of the value, with `{token}` in it. Default: the token alone. */
        template: z
          .string({ error: templateError })
          .max(500, templateError)
          .regex(plain, plainError)
          .refine((text) => text.split(tokenMark).length === 2, templateError)
          .exactOptional(),
        /** How that text is written. Default: as it is. */
        encoding: z.literal('base64', { error: 'must be base64, or left out' }).exactOptional(),
        /** Adds the value, and the file, where there is none. */
        create: z.literal(true, { error: 'must be true, or left out' }).exactOptional(),
        part,
        ...fileOptions,
      })
      .superRefine(({ path, key, format = settingFormatOf(path) }, context) => {
        if (format === null) context.addIssue({ code: 'custom', path: ['format'], message: formatUnknown() });
        else if (readSettingKey(key, format) === null) {
          context.addIssue({ code: 'custom', path: ['key'], message: keyError });
        }
      }),
    /** A command, run without a shell; the token is on its stdin or in its environment, never in its arguments. */
    z.strictObject({
      kind: z.literal('hook'),
      command: z
        .array(
          z
            .string({ error: argumentError })
            .max(4096, argumentError)
            .regex(/^[^\0]*$/, argumentError),
          {
            error: 'must be a list: the program and its arguments',
          },
        )
        .min(1, 'must name a program')
        .max(100, 'must have 100 parts at most')
        .refine((parts) => parts[0] !== '', 'must name a program')
        .refine(([program = '']) => plain.test(program), { error: plainError, path: [0] }),
      pass: z.enum(['stdin', 'env'], { error: 'must be stdin or env' }).default('stdin'),
      variable: VariableName.refine(isHookVariable, hookVariableError).default(defaultVariable),
      time_limit_seconds: z
        .int({ error: timeLimitError })
        .min(1, timeLimitError)
        .max(240, timeLimitError)
        .default(30),
      part,
    }),
  ],
  {
    error: ({ path }) =>
      path?.at(-1) === 'kind' ? `must be ${targetKinds}` : `${objectError} with a kind: ${targetKinds}`,
  },
);
export type DeliveryTarget = z.infer<typeof DeliveryTarget>;

/** A target as it was stored: of any length and number, for the bounds may have been other ones when it was added. */
export const StoredTarget = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('keychain'), service: z.string(), account: z.string(), part }),
  z.object({
    kind: z.literal('file'),
    path: z.string(),
    part,
    newline: z.literal(false).exactOptional(),
    ...storedFileOptions,
  }),
  z.object({ kind: z.literal('dotenv'), path: z.string(), variable: z.string(), part, ...storedFileOptions }),
  z.object({
    kind: z.literal('setting'),
    path: z.string(),
    key: z.string(),
    format: z.enum(settingFormats).exactOptional(),
    template: z.string().exactOptional(),
    encoding: z.literal('base64').exactOptional(),
    create: z.literal(true).exactOptional(),
    part,
    ...storedFileOptions,
  }),
  z.object({
    kind: z.literal('hook'),
    command: z.array(z.string()),
    pass: z.enum(['stdin', 'env']),
    variable: z.string(),
    time_limit_seconds: z.number(),
    part,
  }),
]) satisfies z.ZodType<DeliveryTarget>;
export type DeliveryTargetOf<K extends DeliveryTarget['kind']> = Extract<DeliveryTarget, { kind: K }>;

/** Of a private key in the form of RFC 7468 the base64 alone; anything else as it is. A field of one line takes the line breaks away. */
export function withoutPemLines(text: string): string {
  const found = /^-----BEGIN ((?:RSA )?PRIVATE KEY)-----([A-Za-z0-9+/=\s]+)-----END \1-----$/.exec(text);
  return found?.[2]?.replace(/\s/g, '') ?? text;
}

/** The longest token, in characters: as long as the reply of a service may be. */
export const longestToken = 64 * 1024;

const valueError = `must be a token: a text of 1 to ${longestToken} characters on one line`;

const lostError = 'must be the token itself: a character of it was lost before it came here';

/** What is said about each mistake in what was pasted; it never quotes any of it. */
const pasteErrors: Readonly<Record<PasteMistake, string>> = {
  utf16: 'must be the token alone: this is text in UTF-16, as PowerShell writes files',
  invisible: 'must be the token alone: there are invisible characters or no-break spaces in it',
  control: 'must be the token alone: there are control characters of a terminal in it',
  quotes: 'must be the token alone, without the quotes around it',
  scheme: 'must be the token alone, without a word such as Bearer before it',
  header: 'must be the token alone, not a whole header',
  assignment: 'must be the token alone, not a whole line with its name',
  json: 'must be the token alone, not the JSON around it',
  lines: 'must be the token alone, on one line',
  masked: 'must be the token itself: this one is hidden behind stars or dots',
};

/** What is wrong with a text of the right length as a token; null: nothing. */
function tokenFault(text: string): string | null {
  const [mistake] = readPasted(text).mistakes;
  if (mistake !== undefined) return pasteErrors[mistake];
  if (/[\p{Cc}\p{Surrogate}]/u.test(text)) return valueError;
  return isUnreplaced(text) ? null : lostError;
}

/**
 * A token that a person enters: any printable text of one line, because services give tokens with any characters. What is
 * pasted may have white space around it; other mistakes are named (`pasted-token.ts`).
 */
export const TokenValue = z
  .string({ error: valueError })
  .trim()
  .overwrite(withoutPemLines)
  .min(1, valueError)
  .max(longestToken, valueError)
  .superRefine((text, context) => {
    const message = tokenFault(text);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

/**
 * A token in a reply of a service. It exists nowhere else, so nothing but an empty text is refused: what it can be used for
 * is judged by each use, when it is stored.
 */
export const GivenToken = z.union([z.string(), z.int().transform(String)]).pipe(z.string().trim().min(1));

/** The same where it is sent behind the word Bearer: some services write the word before it in a reply, too. */
export const GivenBearerToken = GivenToken.transform(withoutBearer);

/** A token without the word that goes before it in a header. */
export function withoutBearer(text: string): string {
  return text.replace(/^\s*Bearer +(?=\S+\s*$)/i, '');
}

const Instant = z.iso.datetime({ offset: true, error: 'must be an instant like 2026-12-31T23:59:59Z' });

const passwordError = 'must be a text of 1 to 1000 characters without control characters';

/** The fields with which a credential is added, each by itself. */
export const AddCredentialFields = z.strictObject(
  {
    name: CredentialName,
    value: TokenValue,
    /** Where a login is the way back when the token is lost. Default when a token is replaced: as before. */
    password: z
      .string({ error: passwordError })
      .regex(/^[^\p{Cc}\p{Surrogate}]{1,1000}$/u, passwordError)
      .optional(),
    /** The kind of its service. Default: one like this program. */
    provider: ProviderChoice.optional(),
    /** Null: the usual address of the provider; without a provider the service of this program. */
    base_url: BaseUrl.nullable().default(null),
    /** Needed where the service does not tell when the value expires. */
    validity_days: ValidityDays.optional(),
    expires_at: Instant.optional(),
    policy: RotationPolicy.partial().optional(),
    /** For a service that asks for a client certificate. Stored in the vault. */
    client_certificate: ClientCertificate.optional(),
    /** To be reminded before the end where the service has no rotate endpoint; else such a token is refused. */
    remind_only: z.boolean({ error: 'must be true or false' }).optional(),
  },
  { error: objectError },
);

/** What the owner gives to add a credential. */
export const AddCredential = AddCredentialFields.check(checkService).overwrite(fillService);
export type AddCredential = z.output<typeof AddCredential>;

/** A token that a person enters for a credential that has lost its own. */
export const ReplaceValue = AddCredentialFields.pick({
  value: true,
  password: true,
  validity_days: true,
  expires_at: true,
});
export type ReplaceValue = z.output<typeof ReplaceValue>;

export const PauseCredential = z.strictObject({ until: Instant.optional() }, { error: objectError });
export type PauseCredential = z.output<typeof PauseCredential>;

/** Another credential that helps this one, by the input of the provider that names it; null: none. */
export const ChangeHelper = z.strictObject(
  {
    input: z.string({ error: 'must be the name of an input' }).max(64, 'must be the name of an input'),
    credential: CredentialName.nullable(),
  },
  { error: objectError },
);
export type ChangeHelper = z.output<typeof ChangeHelper>;

/** `validity_days` null: as many as the token before. */
export const ChangePolicy = RotationPolicy.partial().extend({
  validity_days: ValidityDays.nullable().optional(),
});
export type ChangePolicy = z.output<typeof ChangePolicy>;
