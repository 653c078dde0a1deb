/** A response of the doubles; the server writes it. */
export interface ProviderResponse {
  status: number
  headers?: Record<string, string>
  body?: string
}

/** A request as the doubles see it. */
export interface ProviderRequest {
  method: string
  /** without the provider's own path prefix */
  path: string
  query: URLSearchParams
  headers: Record<string, string | undefined>
  body: string
}

export const json = (
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): ProviderResponse => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(value),
})

/** How the double behaves towards one app. */
export interface Behaviour {
  /** lifetime of access tokens in seconds; null: the response has no `expires_in` */
  expiresIn: number | null
  /** `expires_in` is sent as a string */
  sendsExpiryAsString: boolean
  refreshTokens: 'rotating' | 'static' | 'none'
  /** what the token endpoint returns instead of tokens */
  fault: ProviderResponse | undefined
  /** refreshes are refused as if the user had revoked the grant */
  refusesRefresh: boolean
  /** the callback names another issuer */
  hasWrongIssuer: boolean
}

/** What real providers refuse beyond what the doubles do; tests set it from what the providers publish. */
export interface ProviderRules {
  findBehaviour(clientId: string): Behaviour
  /** @returns what is wrong with an authorization request */
  findAuthorizationProblem(provider: string, query: URLSearchParams): string | undefined
  /** @returns the error code of RFC 6749 for a token request */
  findTokenProblem(
    provider: string,
    form: URLSearchParams,
    authorizationHeader: string | undefined,
  ): 'invalid_request' | 'invalid_client' | undefined
  /** @returns the provider's error for a request to its API; `scopes` are those granted, undefined: everything */
  refuseRequest(
    provider: string,
    request: ProviderRequest,
    scopes: readonly string[] | undefined,
  ): ProviderResponse | undefined
  /** @throws Error when a response is not one that the provider publishes */
  checkResponse(provider: string, request: ProviderRequest, response: ProviderResponse): void
}

export const added: { rules?: ProviderRules } = {}

const works: Behaviour = {
  expiresIn: 3_600,
  sendsExpiryAsString: false,
  refreshTokens: 'rotating',
  fault: undefined,
  refusesRefresh: false,
  hasWrongIssuer: false,
}

export const findBehaviour = (clientId: string): Behaviour => added.rules?.findBehaviour(clientId) ?? works
