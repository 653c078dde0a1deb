import type { Pool } from './pool.ts'

/** What a provider says of a user. */
export type Claims = Readonly<Record<string, unknown>>

/** The pool's request to a provider. `prompt` and `login_hint` of the page are passed on. */
export interface SignInRequest {
  redirectUri: string
  state: string
  prompt: string | null
  loginHint: string | null
}

/** An identity provider of the pool, which users reach from the hosted pages. */
export interface IdentityProvider {
  readonly name: string
  readonly type: 'Google' | 'OIDC'
  /** the pool's attributes, and the claims that they are filled from */
  readonly attributeMapping: Readonly<Record<string, string>>
  /** where the browser goes to sign in; a path is on the pool's own origin */
  createSignInUrl(request: SignInRequest): string
  /**
   * Exchanges the provider's code for what it says of the user; `sub` is among it.
   * @throws FederationError
   */
  redeem(pool: Pool, code: string, redirectUri: string): Promise<Claims>
}

/** An error that the hosted pages report to the site. */
export class FederationError extends Error {
  readonly code: string

  constructor(code: string, description: string, options?: { cause?: unknown }) {
    super(description, options)
    this.code = code
  }
}
