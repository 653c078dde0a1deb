import { showToast } from '../../components/ui/toast.ts'
import { readStoredJson, removeStored, writeStored } from '../../lib/storage.ts'
import type { AppConfig } from '../../lib/config.ts'

/** Signing out of the hosted pages leaves this page; what there is to say is said when it comes back. */
const storageKey = 'juno.signed-out'

export interface ToastMessage {
  kind: 'success' | 'error'
  title: string
  description: string
}

export const signedOutMessage: ToastMessage = {
  kind: 'success',
  title: 'Signed out',
  description: 'You have been successfully signed out.',
}

/** Leaves for the hosted sign-out, with what to say afterwards. */
export function redirectWithToast(url: string, message: ToastMessage | null): void {
  if (message) writeStored('session', storageKey, JSON.stringify(message))
  location.assign(url)
}

/** Says what was left to say before the page was left, once. */
export function showPendingToast(): void {
  const message = readStoredJson('session', storageKey)
  removeStored('session', storageKey)
  if (isToastMessage(message)) showToast(message.kind, message.title, { description: message.description })
}

function isToastMessage(value: unknown): value is ToastMessage {
  if (typeof value !== 'object' || value === null) return false
  const { kind, title, description } = value as Record<string, unknown>
  return (
    (kind === 'success' || kind === 'error') && typeof title === 'string' && typeof description === 'string'
  )
}

/** The configuration of a product that has Google sign-in: `oauthDomain` is the hosted pages' whole origin. */
export type HostedUiConfig = AppConfig & { oauthDomain: string }

export const hasHostedUi = (config: AppConfig): config is HostedUiConfig => Boolean(config.oauthDomain)

/** Where the hosted pages lead back to; registered there letter by letter. */
export const getRedirectUri = (): string => `${location.origin}/auth`

/** Where the browser goes to sign out of the hosted pages as well, which would sign in again without a word. */
export const buildHostedSignOutUrl = ({ oauthDomain, userPoolClientId }: HostedUiConfig): string =>
  `${oauthDomain}/logout?${new URLSearchParams({ client_id: userPoolClientId, logout_uri: getRedirectUri() })}`
