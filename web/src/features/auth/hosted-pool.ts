import type { AppConfig } from '../../lib/config.ts'

/** The configuration of a product that has Google sign-in: `oauthDomain` is the hosted pages' whole origin. */
export type HostedPool = AppConfig & { oauthDomain: string }

export const hasHostedSignIn = (config: AppConfig): config is HostedPool => Boolean(config.oauthDomain)

/** Where the hosted pages lead back to; registered there letter by letter. */
export const returnAddress = (): string => `${location.origin}/auth`

/** Where the browser goes to sign out of the hosted pages as well, which would sign in again without a word. */
export const hostedSignOutAddress = ({ oauthDomain, userPoolClientId }: HostedPool): string =>
  `${oauthDomain}/logout?${new URLSearchParams({ client_id: userPoolClientId, logout_uri: returnAddress() })}`
