import { showToast } from '../../components/ui/toast.ts'
import { readStoredJson, removeStored, writeStored } from '../../lib/storage.ts'
import type { AppConfig } from '../../lib/config.ts'

/** Signing out of the hosted pages leaves this page; what there is to say is said when it comes back. */
const storageKey = 'juno.signed-out'

export interface Notice {
  kind: 'success' | 'error'
  title: string
  description: string
}

export const signedOutNotice: Notice = {
  kind: 'success',
  title: 'Signed out',
  description: 'You have been successfully signed out.',
}

/** Leaves for the hosted sign-out, with what to say afterwards. */
export function leaveWithNotice(address: string, notice: Notice | null): void {
  if (notice) writeStored('session', storageKey, JSON.stringify(notice))
  location.assign(address)
}

/** Says what was left to say before the page was left, once. */
export function sayLeftNotice(): void {
  const notice = readStoredJson('session', storageKey)
  removeStored('session', storageKey)
  if (isNotice(notice)) showToast(notice.kind, notice.title, { description: notice.description })
}

function isNotice(value: unknown): value is Notice {
  if (typeof value !== 'object' || value === null) return false
  const { kind, title, description } = value as Record<string, unknown>
  return (
    (kind === 'success' || kind === 'error') && typeof title === 'string' && typeof description === 'string'
  )
}

/** The configuration of a product that has Google sign-in: `oauthDomain` is the hosted pages' whole origin. */
export type HostedPool = AppConfig & { oauthDomain: string }

export const hasHostedSignIn = (config: AppConfig): config is HostedPool => Boolean(config.oauthDomain)

/** Where the hosted pages lead back to; registered there letter by letter. */
export const returnAddress = (): string => `${location.origin}/auth`

/** Where the browser goes to sign out of the hosted pages as well, which would sign in again without a word. */
export const hostedSignOutAddress = ({ oauthDomain, userPoolClientId }: HostedPool): string =>
  `${oauthDomain}/logout?${new URLSearchParams({ client_id: userPoolClientId, logout_uri: returnAddress() })}`
