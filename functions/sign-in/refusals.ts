import type { ProviderConfig } from '#shared/identity-providers.ts'
import { formatRefusal, type RefusalCode } from '#shared/sign-in-refusal.ts'

const nameLimit = 200

/** A refusal of a trigger: the sentence for people, with its code for the page. */
export class Refusal extends Error {
  readonly #code: RefusalCode
  readonly #sentence: string
  readonly #provider: string | undefined

  /** @param provider the name of the identity provider with which to sign in */
  constructor(code: RefusalCode, sentence: string, provider?: string) {
    super(formatRefusal(sentence, { code, ...(provider !== undefined && { provider }) }))
    this.#code = code
    this.#sentence = sentence
    this.#provider = provider
  }

  /** For an account that may have an open session: pages of earlier releases end it by these words. */
  ofAccount(): Refusal {
    return new Refusal(this.#code, `This account cannot sign in here. ${this.#sentence}`, this.#provider)
  }
}

type Provider = Pick<ProviderConfig, 'name' | 'label'>

const signInWith = (how: string) => `Please sign in with ${how} instead`
const accountExists = 'An account with this email already exists.'

/** @throws Refusal if the name is missing or longer than 200 characters */
export function requireName(name: string): void {
  if (!name.trim()) throw new Refusal('name_required', 'A name is required')
  if (name.length > nameLimit)
    throw new Refusal('name_too_long', `The name is longer than ${nameLimit} characters`)
}

/** The refusal of a sign-up on a site that is closed, or limited to e-mail domains. */
export const refuseSignUp = (mode: 'closed' | 'domains'): Refusal =>
  mode === 'closed'
    ? new Refusal('sign_up_closed', 'Sign-up is by invitation')
    : new Refusal('sign_up_domains', 'Sign-up is limited to certain e-mail domains')

/** The refusal of a second account for an address. @param provider of the first one */
export const refuseExisting = ({ name, label }: Provider): Refusal =>
  new Refusal('account_exists', `${accountExists} ${signInWith(label)}`, name)

/** @param hasPasswords whether the site's users sign in with a password */
export const refuseExistingPassword = (hasPasswords: boolean): Refusal =>
  hasPasswords
    ? new Refusal('account_exists', `${accountExists} ${signInWith('your password')}`)
    : new Refusal('account_exists_password_off', `${accountExists} Please ask the administrator`)

export const refuseEmailChange = (): Refusal =>
  new Refusal('email_fixed', 'The e-mail address of an account cannot be changed')

export const refusePassword = (): Refusal =>
  new Refusal('password_off', 'Sign-in with a password is switched off')

/** For an identity provider that was removed. */
export const refuseProvider = (): Refusal =>
  new Refusal('provider_off', 'The identity provider of this account is not configured')

/** For an address whose domain belongs to an identity provider. */
export const referTo = ({ name, label }: Provider): Refusal =>
  new Refusal('use_provider', signInWith(label), name)
