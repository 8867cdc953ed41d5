/**
 * What is known of each kind of service, as data: the shape of the facts and words in `providers/`. A provider file has the same, as
 * JSON (`provider-file.ts`).
 */
import type { ProviderShape } from './provider.ts';
import type { PathFacts, ReadyRules } from './ready-rules.ts';

export interface ProviderTraits {
  readonly shape: ProviderShape;
  /** When the old token stops working. */
  readonly oldEnds: 'at_once' | 'when_retired' | 'never';
  /** How long both tokens work at most, where the old one is deleted. Default: 24 hours. */
  readonly overlapHours?: number;
  /**
   * What may be repeated after a reply was lost: the same call (`free`), the same call with the same key (`with_key`), or
   * nothing before the service was asked what became of the first one (`after_inspect`).
   */
  readonly repeat: 'free' | 'with_key' | 'after_inspect';
  /** Whether tokens expire at any instant, or at 00:00 UTC of a date. */
  readonly endsOn: 'instant' | 'day';
  /** The longest lifetime that can be asked for; null: no limit is known. */
  readonly longestDays: number | null;
  /** Whether using a replaced token for another rotation ends its successor too. */
  readonly reuseEndsAll: boolean;
  /** Whether its tokens are revoked when the credential is removed, where their server can do that. */
  readonly isRevokedOnRemoval?: true;
  /** Whether any service may be of this kind, so that its name says nothing beside an address. */
  readonly isOfAnyService?: true;
  /** Whether a person signs in at a page of the server, and never enters a token. */
  readonly signsIn?: true;
}

/** What a provider has to be told about a token beside its service's address. */
export interface ProviderInput {
  readonly name: string;
  /** `credential`: the name of another credential here. */
  readonly kind: 'choice' | 'text' | 'credential';
  /** For a choice; the first is the default. */
  readonly choices?: readonly string[];
  /** Needed only where another input has one of these values. */
  readonly onlyFor?: { readonly input: string; readonly values: readonly string[] } | undefined;
  readonly isOptional?: boolean;
}

/** How some tokens of a service begin, and what that says about the inputs. */
export interface TokenPrefix {
  readonly prefix: string;
  /** Where the prefix alone says too little: it is followed by so many letters and digits at least, and by nothing else. */
  readonly letters?: number;
  readonly inputs?: Readonly<Record<string, string>>;
}

/** A page of a service where a person creates a token, below its address; `{name}` stands for an input. */
export interface TokenPage {
  readonly path: string;
  readonly onlyFor?: ProviderInput['onlyFor'];
}

/** How the addresses of a service look that people run on servers of their own. */
export interface OwnServers {
  /** Words of a host, such as the first of gitlab.example.com. */
  readonly hosts: readonly string[];
  /** How paths of its pages go on below the address of the service. */
  readonly paths?: readonly string[];
  readonly ports?: readonly number[];
  /** Where its API is, below the address. */
  readonly api?: string;
}

/** A service that is chosen by the input `service`. */
export interface KnownService {
  /** Null: it can be anywhere. */
  readonly baseUrl: string | null;
  readonly ownServers?: OwnServers;
  /** Where a person creates a token; absent: not known. */
  readonly page?: string;
  /** The same below the origin of a server of one's own; null: nobody knows where it is for another address. */
  readonly ownPage?: string | null;
  /** Where a person registers an app and gets its client id, if such an app obtains the tokens. */
  readonly appPage?: string;
  /** The same below the origin of a server of one's own. */
  readonly ownAppPage?: string;
  /** The host of the address on this machine that the browser is sent back to after a sign-in. */
  readonly loopback?: '127.0.0.1' | 'localhost';
  /** Whether a person may sign in with a code on another device. */
  readonly mayTakeCode?: boolean;
}

/** What is known by the name of a service, of the one that the inputs name; `other` is any other. */
export function chosenService<T>(
  services: NamedServices<T>,
  { service = 'other' }: Readonly<Record<string, string>>,
): T {
  return Object.hasOwn(services, service) ? (services[service] ?? services.other) : services.other;
}

export type NamedServices<T> = Readonly<Record<string, T>> & { readonly other: T };

/** The header that carries a token. */
export interface TokenSlot {
  readonly header: string;
  readonly prefix: string;
  /** The token is a user and a password, and is sent in base64 (RFC 7617). */
  readonly isBasic?: boolean;
}

/**
 * Whether a header can carry a text: printable ASCII. Services give tokens that it cannot carry; they are stored, and only a call with
 * them is not made.
 */
export function fitsHeader(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** Where most services look for it. */
export const bearerSlot: TokenSlot = { header: 'authorization', prefix: 'Bearer ' };

/** Calls that create, rotate or list secrets: `method` null is any; a path as in a rule of the proxy. */
export interface ForbiddenRoute {
  readonly method: string | null;
  readonly path: string;
}

/** How a tool uses the tokens of a service. */
export interface ToolFacts {
  readonly username: string;
  /** Where it uses them, by addresses of the API that have another origin. */
  readonly origins?: Readonly<Record<string, string>>;
  /** Whether at any other address of the API only a person knows where. */
  readonly isElsewhere?: true;
}

export interface ProviderFacts {
  readonly traits: ProviderTraits;
  /** Null: the service can be anywhere. */
  readonly defaultBaseUrl: string | null;
  /** Absent: there is one service, or nothing is known of the addresses. */
  readonly ownServers?: OwnServers;
  /** Services that are known by name, where an input `service` chooses one; `other` is any other. */
  readonly services?: NamedServices<KnownService>;
  /** Inputs with an address of the service, where none is given and none is known. */
  readonly addressInputs?: readonly string[];
  /** The limit of calls that the service documents for its own address. A service without one is called slowly at first. */
  readonly rate?: DocumentedRate;
  /** The service may be the one of this program, which has no address of its own. */
  readonly mayBeEmbedded: boolean;
  readonly inputs: readonly ProviderInput[];
  readonly tokenPrefixes?: readonly TokenPrefix[];
  /** A call that changes nothing, for examples. */
  readonly examplePath?: string;
  /** The first that applies counts. */
  readonly tokenPages?: readonly TokenPage[];
  /** Whether a second token may be kept beside the current one, so that no token in use is ever replaced. */
  readonly standby: { readonly onlyFor: ProviderInput['onlyFor'] } | null;
  /** Which tokens their service can be asked to make valid for a number of days. Absent: none. */
  readonly validity?: { readonly onlyFor: ProviderInput['onlyFor'] };
  /** Whether the service can be asked to end a token that is given to it. */
  readonly endOnRequest?: { readonly onlyFor: ProviderInput['onlyFor'] };
  /** Which tokens are ended at their service after a person has entered another. Absent: none. */
  readonly endsReplaced?: {
    readonly onlyFor: ProviderInput['onlyFor'];
    /** How such tokens begin. */
    readonly prefixes: readonly string[];
  };
  /** How tools use its tokens. Absent: a person says it. */
  readonly git?: ToolFacts;
  readonly docker?: ToolFacts;
  /** Where calls carry the token; other places are taken from what an app sends. */
  readonly slot: TokenSlot;
  /** What no rule of the proxy may allow, because an app could get a token of its own by it. */
  readonly forbidden: readonly ForbiddenRoute[];
  /** Rules of the proxy that apps usually need. Absent: none are known. */
  readonly ready?: readonly ReadyRules[];
  /** What is known of the paths of the service; the first that applies counts. */
  readonly paths?: readonly (PathFacts & { readonly onlyFor?: ReadyRules['onlyFor'] })[];
  /**
   * The folders of a service that keeps secrets, below the place where each store is mounted: a wildcard of a rule may stand for the
   * mount or below such a folder, and nowhere else. What is below are names that people choose.
   */
  readonly secretFolders?: readonly string[];
}

/** A limit of calls that a service documents. */
export interface DocumentedRate {
  readonly calls: number;
  readonly perSeconds: number;
}

/** What an input is called. */
export interface InputWords {
  readonly label: string;
  readonly hint: string;
  /** What each choice is called. */
  readonly choices?: Readonly<Record<string, string>>;
  /** What a token with each choice is called, in a sentence. */
  readonly tokens?: Readonly<Record<string, string>>;
}

/** A service that the input `service` chooses, as an entry of its own where people look for a service. */
export interface ServiceWords {
  readonly name: string;
  readonly summary: string;
  readonly searchWords: readonly string[];
}

/** How a person creates what is entered: which rights it needs, in sentences. */
export interface CreationWords {
  readonly text: string;
  readonly onlyFor?: ProviderInput['onlyFor'];
}

/** What a kind of service is called, and what a person is asked for. The rest of its text follows from its facts. */
export interface ProviderWords {
  readonly name: string;
  /** Which tokens it is for. */
  readonly summary: string;
  /** Other words under which a person may look for it. */
  readonly searchWords: readonly string[];
  /** The services that its input `service` chooses, in the order of that input. */
  readonly services?: Readonly<Record<string, ServiceWords>>;
  /** The first that applies counts. Absent: nothing has to be known. */
  readonly creation?: readonly CreationWords[];
  /** What the address of its services is like. */
  readonly addressHint: string;
  readonly inputs: Readonly<Record<string, InputWords>>;
  /** What a person enters where that is no token. */
  readonly secret?: { readonly label: string; readonly hint: string };
  /** Inputs as in an example of a command. */
  readonly exampleInputs?: Readonly<Record<string, string>>;
  /** What a rotation does to the old token, where the facts alone do not say it. */
  readonly oldToken?: string;
  /** Programs that call the service through the proxy, where they are not the usual ones. */
  readonly proxyRecipes?: { readonly curl: string; readonly node: string; readonly python: string };
}
