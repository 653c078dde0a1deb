import { useSyncExternalStore } from 'react'
import { readStored, removeStored, writeStored } from './storage.ts'

/** Of this browser, as the permission is. */
const storageKey = 'juno.reply-notifications'

/** `blocked`: the person, or the system, has told the browser to show none. */
export type ReplyNotifications = 'unsupported' | 'blocked' | 'on' | 'off'

const listeners = new Set<() => void>()

export function replyNotifications(): ReplyNotifications {
  if (!('Notification' in globalThis)) return 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  return Notification.permission === 'granted' && readStored('local', storageKey) === 'on' ? 'on' : 'off'
}

export function useReplyNotifications(): ReplyNotifications {
  return useSyncExternalStore((changed) => {
    listeners.add(changed)
    // the permission is changed elsewhere, in the browser's settings
    document.addEventListener('visibilitychange', changed)
    return () => {
      listeners.delete(changed)
      document.removeEventListener('visibilitychange', changed)
    }
  }, replyNotifications)
}

/** Switches them on, which asks for the permission where it is not given yet, or off. */
export async function switchReplyNotifications(on: boolean): Promise<void> {
  if (!on) removeStored('local', storageKey)
  else if ((await Notification.requestPermission()) === 'granted') writeStored('local', storageKey, 'on')
  for (const changed of listeners) changed()
}

/**
 * Tells that a reply is there, without a word of it: notifications are read over shoulders and on locked screens.
 * @param tag notifications with the same one replace each other
 */
export async function notifyOfReply(brandName: string, tag: string): Promise<void> {
  if (replyNotifications() !== 'on') return
  const options = { body: 'Your reply is ready.', icon: '/icons/icon-192.png', tag, data: location.href }
  // phones show only those of a service worker
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined)
  if (worker?.active) return worker.showNotification(brandName, options)
  try {
    const notification = new Notification(brandName, options)
    notification.addEventListener('click', () => {
      window.focus()
      notification.close()
    })
  } catch {
    // a browser that shows none without a service worker
  }
}
