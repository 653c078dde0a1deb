import type { RegistryEntry } from '#shared/contracts/registry.ts'
import { maxCustomServers } from '#shared/limits.ts'
import { integrationSentences, sayIntegration } from '#shared/sentences/integrations.ts'
import type { Sentence } from '#shared/sentences/sentence.ts'
import { maxStoredSecrets } from '../../platform/limits.ts'
import { AppError, defineErrors } from '../../platform/errors.ts'

export const {
  CustomToolsNotAllowed,
  ConnectionNotAllowed,
  ServerRunsLocally,
  CredentialsRefused,
  ServerRefusedCredentials,
  ForeignSignInRefused,
  IssuerMismatch,
  MissingToken,
  CustomToolKeyRequired,
  ConnectionNotFound,
  CredentialsNotStored,
  CustomToolNotFound,
  StateNotFound,
  RefreshBusy,
  TooManyCustomTools,
  TooManySecrets,
} = defineErrors(integrationSentences, {
  /** The groups of the user do not allow this kind of connection. */
  ConnectionNotAllowed: [403, 'connection_not_allowed.entry'],
  CustomToolsNotAllowed: [403, 'connection_not_allowed.own'],
  /** The server is published only as a program that runs on the user's computer. */
  ServerRunsLocally: [422, 'runs_locally'],
  /** The provider or the MCP server rejected the credentials. */
  CredentialsRefused: [422, 'credentials_refused.entry'],
  /** A server that has no name yet. */
  ServerRefusedCredentials: [422, 'credentials_refused.server'],
  /** The server names an authorization server that is known to belong to another service. */
  ForeignSignInRefused: [409, 'foreign_sign_in'],
  /** The response names another issuer than the one the user was sent to (RFC 9207): a second try would end the same way. */
  IssuerMismatch: [400, 'issuer_mismatch'],
  /** The token response has a token for the user, which the provider's tools do not take, and none for the app. */
  MissingToken: [502, 'token_missing'],
  /** The server of a custom tool demands credentials, and none were entered. */
  CustomToolKeyRequired: [422, 'credentials_refused.missing'],
  /** The user has no such connection. */
  ConnectionNotFound: [404, 'integration_not_found'],
  CredentialsNotStored: [503, 'credentials_not_stored'],
  CustomToolNotFound: [404, 'tool_not_found'],
  /** The state is unknown, used, expired, or belongs to another user or flow. */
  StateNotFound: [400, 'oauth_state_not_found'],
  /** Another refresh is running, or its process died with the lease. */
  RefreshBusy: [503, 'refresh_busy'],
  TooManyCustomTools: [409, 'too_many_custom_servers', { params: { max: maxCustomServers } }],
  /** Each secret of the vault costs the operator something each month. */
  TooManySecrets: [409, 'too_many_secrets', { params: { max: maxStoredSecrets } }],
})

/** None were entered. */
export class CredentialsRequired extends AppError {
  readonly status = 400

  constructor(authType: RegistryEntry['auth_type']) {
    super(sayIntegration(`credentials_required.${authType}`), 'credentials_required')
  }
}

/** The user must enter credentials first; the page opens the dialog for it. */
export class SetupRequired extends AppError {
  readonly status = 400

  constructor(sentence: Sentence & { code: 'setup_required' }) {
    super(sentence, sentence.code)
  }
}

/** The authorization server is busy or has a fault of its own: the same request may succeed later. */
export class SignInServerBusy extends AppError {
  readonly status = 503
  override readonly retryAfterSeconds: number | undefined

  constructor(name: string, detail: string, seconds: number | undefined) {
    super(
      seconds
        ? sayIntegration('sign_in_server_busy.wait', { name, seconds })
        : sayIntegration('sign_in_server_busy', { name }),
      detail,
    )
    this.retryAfterSeconds = seconds
  }
}

/** The authorization server's error response (RFC 6749 section 5.2), with a sentence that says what to do. */
export class OAuthError extends AppError {
  readonly status = 400
  /** the error code */
  readonly error: string

  constructor(name: string, error: string) {
    const known = reasons.find((one) => one === error)
    super(
      known
        ? sayIntegration(`provider_refused.${known}`, { name })
        : sayIntegration('provider_refused.other', { name, error }),
      // an unknown code is untrusted text
      known ?? 'unknown error code',
    )
    this.error = error
  }
}

const reasons = [
  'invalid_client',
  'invalid_grant',
  'bad_verification_code',
  'unauthorized_client',
  'redirect_uri_mismatch',
  'invalid_scope',
] as const

/** The token endpoint did not send a valid response. */
export class UnexpectedTokenResponse extends AppError {
  readonly status = 502
  /** whether its status says that the request was refused */
  readonly isRefusal: boolean

  constructor(detail: string, { isRefusal = false }: { isRefusal?: boolean } = {}) {
    super(sayIntegration('unexpected_response'), detail)
    this.isRefusal = isRefusal
  }
}

/** The tokens cannot be refreshed; the user has to connect again. */
export class RefreshImpossible extends AppError {
  readonly status = 409

  /** @param why the user has to */
  constructor(detail: string, why?: Sentence) {
    super(
      why ? sayIntegration('refresh_impossible.reconnect', { why }) : sayIntegration('refresh_impossible'),
      detail,
    )
  }
}
