import { ExpiringEntries } from './expiring-entries.ts'

/** The page's request when it redirected a user to the hosted sign-in. */
export interface AuthorizationRequest {
  redirectUri: string
  state: string | undefined
  codeChallenge: string
  scopes: string[]
}

/** A user's identity at Google. */
interface GoogleProfile {
  email: string
  /** Google's `email_verified` */
  emailVerified: boolean
  name: string
}

/** Pending hosted sign-ins, in memory: after a restart users have to start again. */
export interface HostedState {
  /** sign-ins that were sent to the provider of this name */
  requests: ExpiringEntries<AuthorizationRequest & { provider: string }>
  googleCodes: ExpiringEntries<GoogleProfile>
  /** the pool's codes for the page */
  codes: ExpiringEntries<AuthorizationRequest & { sub: string }>
  /** by the value of the hosted pages' cookie */
  sessions: ExpiringEntries<{ sub: string }>
}

/**
 * https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-oidc-flow.html: a sign-in at a provider is cancelled after 5
 * minutes
 */
const REQUEST_MS = 5 * 60_000
const CODE_MS = 5 * 60_000
const HOSTED_SESSION_MS = 3_600_000

export const newHostedState = (): HostedState => ({
  requests: new ExpiringEntries(REQUEST_MS),
  googleCodes: new ExpiringEntries(CODE_MS),
  codes: new ExpiringEntries(CODE_MS),
  sessions: new ExpiringEntries(HOSTED_SESSION_MS),
})
