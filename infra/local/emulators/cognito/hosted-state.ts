import { Challenges } from './challenges.ts'

/** The page's request when it redirected a user to the hosted sign-in. */
export interface HostedRequest {
  redirectUri: string
  state: string | undefined
  codeChallenge: string
}

/** A user's identity at Google. */
export interface GoogleProfile {
  email: string
  /** Google's `email_verified` */
  emailVerified: boolean
  name: string
}

/** Pending hosted sign-ins, in memory: after a restart users have to start again. */
export interface HostedState {
  requests: Challenges<HostedRequest>
  /** Google's codes for the pool */
  googleCodes: Challenges<GoogleProfile>
  /** the pool's codes for the page */
  codes: Challenges<HostedRequest & { sub: string }>
  /** by the value of the hosted pages' cookie */
  sessions: Challenges<{ sub: string }>
}

const CODE_MS = 5 * 60_000
const HOSTED_SESSION_MS = 3_600_000

export const newHostedState = (): HostedState => ({
  requests: new Challenges(),
  googleCodes: new Challenges(CODE_MS),
  codes: new Challenges(CODE_MS),
  sessions: new Challenges(HOSTED_SESSION_MS),
})
