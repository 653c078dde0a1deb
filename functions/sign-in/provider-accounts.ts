import type { UserType } from '@aws-sdk/client-cognito-identity-provider'
import * as z from 'zod'
import { parseJson } from '#shared/parse-json.ts'
import { googleConfig, groupsAttribute, type ProviderConfig } from '#shared/identity-providers.ts'
import { isAtDomain } from '#shared/sign-up-policy.ts'
import { adminGroup, foldEmail } from '#shared/user-pool.ts'
import { parseProviderName } from '../platform/auth/provider-name.ts'
import { type Refusal, referTo, refuseProvider } from './refusals.ts'

type Attributes = Readonly<Record<string, string | undefined>>

/** An account as the user pool lists it, with the attributes that triggers get. */
export const toTriggerAttributes = ({
  UserStatus,
  Attributes = [],
}: Pick<UserType, 'UserStatus' | 'Attributes'>): Record<string, string> => ({
  ...Object.fromEntries(Attributes.map(({ Name = '', Value = '' }) => [Name, Value])),
  'cognito:user_status': UserStatus ?? '',
})

/** Whether an account is of an identity provider, Google included, and so has no password here. */
export const isFederated = (attributes: Attributes): boolean =>
  attributes['cognito:user_status'] === 'EXTERNAL_PROVIDER'

/** Whether an account is of a provider that the operator has configured, now or before. Google is not one of them. */
export const hasOperatorProvider = (attributes: Attributes): boolean =>
  isFederated(attributes) && parseProviderName(attributes['identities']) !== googleConfig.name

/** The last part of an address, read generously: an address that some mail program might deliver there belongs to the domain. */
const readDomain = (email: string): string =>
  foldEmail(email.slice(email.lastIndexOf('@') + 1)).replace(/\.$/, '')

/** What triggers ask about the configured providers. */
export const providerAccounts = (providers: readonly ProviderConfig[]) => {
  // a user pool that ignores case in user names writes them in lower case
  const find = (name: string) => providers.find((one) => one.name.toLowerCase() === name.toLowerCase())

  /** The provider of an account; undefined for a password, and for a provider that was removed. */
  const findProvider = (attributes: Attributes): ProviderConfig | undefined =>
    isFederated(attributes) ? find(parseProviderName(attributes['identities']) ?? '') : undefined

  /** The provider whose users have their addresses at this domain. */
  const findByDomain = (email: string): ProviderConfig | undefined =>
    providers.find(({ domains }) => domains.includes(readDomain(email)))

  /** The name of a federated account's provider. Accounts of earlier releases are Google's. */
  const readName = (attributes: Attributes) =>
    parseProviderName(attributes['identities']) ?? googleConfig.name

  /**
   * The provider to whose domain the address of a federated account belongs, if it is not the account's own: a provider may change the
   * address at a later sign-in, and an operator may add a domain.
   */
  const findOtherOwner = (attributes: Attributes): ProviderConfig | undefined => {
    const owner = isFederated(attributes) ? findByDomain(attributes['email'] ?? '') : undefined
    return owner === find(readName(attributes)) ? undefined : owner
  }

  return {
    /**
     * The provider of an account that is about to be created: its user name is `<provider>_<id>`, and it has no `identities` yet. Users
     * with a password do not choose their user name, which is a UUID, and no provider's name contains a `_`
     * (https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-specifying-attribute-mapping.html).
     */
    findByUsername: (userName: string) => find(/^([^_]+)_/.exec(userName)?.[1] ?? ''),

    /** The name and label of a federated account's provider, also of one that was removed. Accounts of earlier releases are Google's. */
    identify(attributes: Attributes): Pick<ProviderConfig, 'name' | 'label'> {
      const name = readName(attributes)
      return find(name) ?? { name, label: name }
    },

    findByDomain,

    /** Why a federated account gets no tokens; undefined for one that may sign in. */
    findRefusal(attributes: Attributes): Refusal | undefined {
      if (!find(readName(attributes))) return refuseProvider()
      const owner = findOtherOwner(attributes)
      return owner && referTo(owner)
    },

    /**
     * The groups that the account's provider names, and the product knows. Anybody may have written the attribute of an account with a password,
     * or of Google.
     * @param loadKnown gets the names that the provider gives; it is called only for accounts that may have some
     */
    async findGroups(
      attributes: Attributes,
      loadKnown: (named: readonly string[]) => Promise<ReadonlySet<string>>,
    ): Promise<string[]> {
      const value = attributes[groupsAttribute]
      const provider = value && hasOperatorProvider(attributes) ? findProvider(attributes) : undefined
      if (!value || !provider?.usesGroups) return []
      return selectGroups(value, provider, await loadKnown(parseGroupNames(value, provider.type)))
    },

    /** Whether the user has proved the address: to the user pool, to the provider, or by an account at the domain's own provider. */
    isEmailProven(attributes: Attributes): boolean {
      const { email = '', email_verified } = attributes
      if (findOtherOwner(attributes)) return false
      return email_verified === 'true' || isAtDomain(email, findProvider(attributes)?.domains ?? [])
    },
  }
}

const jsonList = z.string().transform(parseJson).pipe(z.array(z.string()))

/** Several values as Cognito joins them: encoded as in a form, which leaves letters, digits and `.-*_`, with commas between them. */
const joinedList = /^\[([\w.*%+-]*(?:, ?[\w.*%+-]*)*)\]$/

/**
 * Names in an attribute that Cognito fills from a claim. A list of an OIDC provider is JSON, as pools show it; a list of a SAML provider is in
 * brackets, with encoded values
 * (https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-specifying-attribute-mapping.html). Any other text is one name.
 * @returns what can be decoded; empty for no value
 */
export function parseGroupNames(value: string, type: ProviderConfig['type']): string[] {
  const names = type === 'oidc' ? jsonList.safeParse(value).data : splitNames(value)
  // white space around a name stays: at the provider it is another group
  return (names ?? [value]).filter((name) => name !== '')
}

const splitNames = (value: string): string[] | undefined =>
  joinedList
    .exec(value)?.[1]
    ?.split(/, ?/)
    .flatMap((name) => decodeName(name) ?? [])

function decodeName(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/**
 * The product's groups among those that a provider names. The group of administrators has its own rule: only the value that the operator has
 * chosen leads there, never the group's own name.
 */
export function selectGroups(
  value: string,
  { type, adminGroup: adminValue }: Pick<ProviderConfig, 'type' | 'adminGroup'>,
  known: ReadonlySet<string>,
): string[] {
  const names = parseGroupNames(value, type)
  const isAdmin = adminValue !== undefined && names.includes(adminValue)
  const groups = names.filter((name) => name !== adminGroup && known.has(name))
  return [...new Set([...groups, ...(isAdmin ? [adminGroup] : [])])]
}
