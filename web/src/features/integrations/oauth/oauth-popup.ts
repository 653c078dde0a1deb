import { t } from '@lingui/core/macro'
import { isErrorDetails, type ErrorDetails } from '../../../lib/api/error-details.ts'
import { readStored } from '../../../lib/browser/storage.ts'

/** Large enough for the sign-in pages of providers, and smaller than the page, which stays in sight. */
const popupOptions = { name: 'oauth_popup', width: 600, height: 800 }
/** How often the page looks whether the popup is closed: there is no event for it. */
export const popupPollMs = 500
/** The server deletes a state after this time. */
const stateLifetimeMs = 10 * 60_000

/**
 * Opens an empty popup. Call it in the click handler before anything is awaited, or browsers block it.
 * @returns null when it was blocked
 */
export function openPopup(): Window | null {
  const left = Math.max(0, Math.round(screenX + (outerWidth - popupOptions.width) / 2))
  const top = Math.max(0, Math.round(screenY + (outerHeight - popupOptions.height) / 2))
  const features = `width=${popupOptions.width},height=${popupOptions.height},left=${left},top=${top}`
  const popup = open('', popupOptions.name, features)
  if (popup) {
    clearOpener(popup)
    setPopupFlag(popup)
    showLoadingMessage(popup)
  }
  return popup
}

/** The popup shows third-party pages, which must not navigate this tab. */
function clearOpener(window: Window): void {
  try {
    window.opener = null
  } catch {
    // a popup at a provider has no opener already
  }
}

/** Shows a message in the popup while the authorization URL is being requested. */
export function showLoadingMessage(window: Window): void {
  try {
    const { document } = window
    const { lang, dir } = globalThis.document.documentElement
    Object.assign(document.documentElement, { lang, dir })
    const text = document.createElement('p')
    text.textContent = t`Opening the sign-in page…`
    text.style.cssText = 'margin: 2rem; font: 1rem/1.5 system-ui, sans-serif'
    document.documentElement.style.colorScheme = matchMedia('(prefers-color-scheme: dark)').matches
      ? 'dark'
      : 'light'
    document.title = t`Connecting…`
    document.body.replaceChildren(text)
  } catch {
    // an earlier popup is reused, and shows a page of a provider, which this page may not change
  }
}

const popupFlagKey = 'oauth-popup'

/** Marks the popup in its own session storage, which outlives navigations. The callback page cannot ask `opener`, which is removed. */
function setPopupFlag(window: Window): void {
  try {
    window.sessionStorage.setItem(popupFlagKey, '1')
  } catch {
    // without the flag the callback page goes to the main screen
  }
}

/** Whether this window is a popup of a waiting page. */
export function isPopup(): boolean {
  return readStored('session', popupFlagKey) !== null
}

/** The callback page's message to the waiting page: no code, no token. */
export type OAuthMessage =
  | { type: 'oauth-success'; state: string }
  | { type: 'oauth-error'; state: string; error: string; cause?: ErrorDetails }

/** The result of a flow. After `closed` nobody knows whether the integration is connected. */
export type OAuthResult =
  | { kind: 'success' }
  | { kind: 'error'; error: string; cause?: ErrorDetails | undefined }
  | { kind: 'closed' }

const oauthChannel = 'oauth'

/** Sends the result of a flow to the waiting page. */
export function broadcastOAuthResult(message: OAuthMessage): void {
  const channel = new BroadcastChannel(oauthChannel)
  channel.postMessage(message)
  channel.close()
}

/** Whether data from the channel is a message of the callback page. */
export function isOAuthMessage(data: unknown): data is OAuthMessage {
  if (typeof data !== 'object' || data === null || !('type' in data) || !('state' in data)) return false
  if (typeof data.state !== 'string') return false
  return (
    data.type === 'oauth-success' ||
    (data.type === 'oauth-error' && 'error' in data && typeof data.error === 'string')
  )
}

/**
 * Waits for the result of a flow: a message of the callback page with its state, or the closing of the popup.
 * Some providers cut the connection to their popup, which then reads as closed although it is open: it counts as closed only once the user is
 * back in this page. Results that come later go to `onLate` while the state is valid.
 */
export function waitForOAuthResult(
  window: Window,
  state: string,
  onLate: (result: OAuthResult) => void,
): Promise<OAuthResult> {
  return new Promise((resolve) => {
    let hasEnded = false
    const channel = new BroadcastChannel(oauthChannel)
    const handleMessage = (data: unknown) => {
      if (!isOAuthMessage(data) || data.state !== state) return
      const result: OAuthResult =
        data.type === 'oauth-success'
          ? { kind: 'success' }
          : { kind: 'error', error: data.error, cause: isErrorDetails(data.cause) ? data.cause : undefined }
      stopListening()
      if (hasEnded) onLate(result)
      else end(result)
    }
    const end = (result: OAuthResult) => {
      hasEnded = true
      clearInterval(poll)
      resolve(result)
    }
    const stopListening = () => {
      clearTimeout(lifetime)
      channel.close()
    }
    const poll = setInterval(() => {
      if (window.closed && document.hasFocus()) end({ kind: 'closed' })
    }, popupPollMs)
    const lifetime = setTimeout(() => {
      stopListening()
      if (!hasEnded) end({ kind: 'closed' })
    }, stateLifetimeMs)
    channel.addEventListener('message', (event: MessageEvent) => handleMessage(event.data))
  })
}
