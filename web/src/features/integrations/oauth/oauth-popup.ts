import { readStored } from '../../../lib/storage.ts'

/** OAUTH-03, LIM-19 */
const popup = { name: 'oauth_popup', width: 600, height: 800 }
/** OAUTH-04, LIM-19 */
export const popupPollMs = 500
/** DEC-087: as long as the server keeps a state. */
const stateLifetimeMs = 10 * 60_000

/** OAUTH-22 */
export const popupBlocked = 'Failed to open OAuth popup. Please allow popups for this site.'

/**
 * Opens the empty window; to be called in the click itself, before anything is awaited, or browsers block it (DEC-092).
 * @returns null when it was blocked
 */
export function openPopup(): Window | null {
  const left = Math.max(0, Math.round(screenX + (outerWidth - popup.width) / 2))
  const top = Math.max(0, Math.round(screenY + (outerHeight - popup.height) / 2))
  const features = `width=${popup.width},height=${popup.height},left=${left},top=${top}`
  const opened = open('', popup.name, features)
  if (opened) {
    cutOpener(opened)
    markPopup(opened)
    sayOneMoment(opened)
  }
  return opened
}

/** Pages of strangers are shown in the window: none of them may send the tab behind it anywhere. */
function cutOpener(window: Window): void {
  try {
    window.opener = null
  } catch {
    // one that is at a provider already was cut when it was opened
  }
}

/** A server may have to be asked several things before it is known where the window goes. */
export function sayOneMoment(window: Window): void {
  try {
    const { document } = window
    const text = document.createElement('p')
    text.textContent = 'One moment, the way to the sign-in is being looked up...'
    text.style.cssText = 'margin: 2rem; font: 1rem/1.5 system-ui, sans-serif'
    document.documentElement.style.colorScheme = matchMedia('(prefers-color-scheme: dark)').matches
      ? 'dark'
      : 'light'
    document.title = 'Connecting...'
    document.body.replaceChildren(text)
  } catch {
    // a window of this name that is at a provider already cannot be written into
  }
}

const popupMark = 'oauth-popup'

/** Marks the window as one that a page waits for: it has no link to that page, but what it stores for this origin stays. */
function markPopup(window: Window): void {
  try {
    window.sessionStorage.setItem(popupMark, '1')
  } catch {
    // then it leads on to the main screen
  }
}

/** Whether a page waits for this window. */
export function isPopup(): boolean {
  return readStored('session', popupMark) !== null
}

/** What the callback page tells the page that waits: no code, no token (DEC-094). */
export type OAuthMessage =
  { type: 'oauth-success'; state: string } | { type: 'oauth-error'; state: string; error: string }

/** How a flow ended; `closed` says nothing about the connection (DEC-093). */
export type PopupOutcome = { kind: 'success' } | { kind: 'error'; error: string } | { kind: 'closed' }

const oauthChannel = 'oauth'

/** Tells how a flow ended, to whoever waits for it on this origin. */
export function tellOutcome(message: OAuthMessage): void {
  const channel = new BroadcastChannel(oauthChannel)
  channel.postMessage(message)
  channel.close()
}

export function isOAuthMessage(data: unknown): data is OAuthMessage {
  if (typeof data !== 'object' || data === null || !('type' in data) || !('state' in data)) return false
  if (typeof data.state !== 'string') return false
  return (
    data.type === 'oauth-success' ||
    (data.type === 'oauth-error' && 'error' in data && typeof data.error === 'string')
  )
}

/**
 * Waits until the flow of one state has ended: by a message of the callback page, over a channel of this origin, about that very
 * state, or by the closing of the window, which is looked at every 500 ms. Some providers cut the link to the window, which then
 * reads closed at once; what comes later is told to `onLate`, for as long as the state lives.
 */
export function popupOutcome(
  window: Window,
  state: string,
  onLate: (outcome: PopupOutcome) => void,
): Promise<PopupOutcome> {
  return new Promise((resolve) => {
    let ended = false
    const channel = new BroadcastChannel(oauthChannel)
    const hear = (data: unknown) => {
      if (!isOAuthMessage(data) || data.state !== state) return
      const outcome: PopupOutcome =
        data.type === 'oauth-success' ? { kind: 'success' } : { kind: 'error', error: data.error }
      stopHearing()
      if (ended) onLate(outcome)
      else end(outcome)
    }
    const end = (outcome: PopupOutcome) => {
      ended = true
      clearInterval(poll)
      resolve(outcome)
    }
    const stopHearing = () => {
      clearTimeout(lifetime)
      channel.close()
    }
    const poll = setInterval(() => {
      if (window.closed) end({ kind: 'closed' })
    }, popupPollMs)
    const lifetime = setTimeout(() => {
      stopHearing()
      if (!ended) end({ kind: 'closed' })
    }, stateLifetimeMs)
    channel.addEventListener('message', (event: MessageEvent) => hear(event.data))
  })
}
