import { t } from '@lingui/core/macro'
import { showToast } from '../../components/ui/toast.ts'
import { isErrorDetails, type ErrorDetails } from '../../lib/api/error-details.ts'
import { readStoredJson, removeStored, writeStored } from '../../lib/browser/storage.ts'
import type { AppConfig } from '../../lib/api/config.ts'

/** Signing out of the hosted UI leaves this page; the toast is shown when it returns. */
const storageKey = 'juno.signed-out'

/** A toast that outlives a navigation to another site. */
export interface ToastMessage {
  kind: 'success' | 'error'
  title: string
  description: string
  /** of an error */
  cause?: ErrorDetails
}

/** The toast after a sign-out. */
export const signedOutMessage: ToastMessage = {
  kind: 'success',
  title: t`Signed out`,
  description: t`You have been successfully signed out.`,
}

/** Stores the toast and goes to the hosted sign-out. */
export function redirectWithToast(url: string, message: ToastMessage | null): void {
  if (message) writeStored('session', storageKey, JSON.stringify(message))
  location.assign(url)
}

/** Shows the toast of a sign-out. */
export const showToastMessage = ({ kind, title, description, cause }: ToastMessage) =>
  showToast(kind, title, { description, cause: isErrorDetails(cause) ? cause : undefined })

/** Shows the toast stored before the page was left, once. */
export function showPendingToast(): void {
  const message = readStoredJson('session', storageKey)
  removeStored('session', storageKey)
  if (isToastMessage(message)) showToastMessage(message)
}

function isToastMessage(value: unknown): value is ToastMessage {
  if (typeof value !== 'object' || value === null) return false
  const { kind, title, description } = value as Record<string, unknown>
  return (
    (kind === 'success' || kind === 'error') && typeof title === 'string' && typeof description === 'string'
  )
}

/** The configuration when an identity provider is set up: `oauthDomain` is the origin of the hosted UI. */
export type HostedUiConfig = AppConfig & { oauthDomain: string }

/** Whether an identity provider is set up. */
export const hasHostedUi = (config: AppConfig): config is HostedUiConfig => Boolean(config.oauthDomain)

/** The redirect URI registered with the hosted UI. */
export const getRedirectUri = (): string => `${location.origin}/auth`

/** The hosted UI keeps its own cookie and would sign in again silently, so it has to sign out too. */
export const buildHostedSignOutUrl = ({ oauthDomain, userPoolClientId }: HostedUiConfig): string =>
  `${oauthDomain}/logout?${new URLSearchParams({ client_id: userPoolClientId, logout_uri: getRedirectUri() })}`
