import { t } from '@lingui/core/macro'
import { useSyncExternalStore } from 'react'
import { readStored, removeStored, writeStored } from './storage.ts'

/** Per browser, like the permission. */
const storageKey = 'juno.reply-notifications'

/** `blocked`: notifications of this site are denied in the browser or the system. */
type ReplyNotifications = 'unsupported' | 'blocked' | 'on' | 'off'

const listeners = new Set<() => void>()

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange)
  // the permission can change in the browser's settings, which nothing tells
  document.addEventListener('visibilitychange', onChange)
  return () => {
    listeners.delete(onChange)
    document.removeEventListener('visibilitychange', onChange)
  }
}

/** Whether this browser notifies of replies, by its permission and the user's choice here. */
export function getReplyNotifications(): ReplyNotifications {
  if (!('Notification' in globalThis)) return 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  return Notification.permission === 'granted' && readStored('local', storageKey) === 'on' ? 'on' : 'off'
}

/** As `getReplyNotifications`, up to date. */
export const useReplyNotifications = (): ReplyNotifications =>
  useSyncExternalStore(subscribe, getReplyNotifications)

/** Turns notifications on, asking for the permission if needed, or off. They stay off without the permission. */
export async function setReplyNotifications(isOn: boolean): Promise<void> {
  if (!isOn) removeStored('local', storageKey)
  else if ((await Notification.requestPermission()) === 'granted') writeStored('local', storageKey, 'on')
  for (const listener of listeners) listener()
}

/** What became of a reply. `unfinished`: it failed, or is not complete; `waiting`: for the user. */
export type ReplyNews = 'ready' | 'unfinished' | 'waiting'

function describeNews(news: ReplyNews): string {
  switch (news) {
    case 'ready':
      return t`Your reply is ready.`
    case 'unfinished':
      return t`Your reply could not be finished.`
    case 'waiting':
      return t`A reply is waiting for you.`
  }
}

/**
 * Shows what became of a reply, without its text: others may see the screen. Does nothing while notifications are off.
 * @param tag notifications with the same tag replace each other
 * @param address opened by a click, if a service worker shows the notification; without one, a click brings this tab to the front
 */
export async function showReplyNotification(
  brandName: string,
  news: ReplyNews,
  tag: string,
  address: string,
): Promise<void> {
  if (getReplyNotifications() !== 'on') return
  const options = { body: describeNews(news), icon: '/icons/icon-192.png', tag, data: address }
  // phones require a service worker
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined)
  if (worker?.active) return worker.showNotification(brandName, options)
  try {
    const notification = new Notification(brandName, options)
    notification.addEventListener('click', () => {
      window.focus()
      notification.close()
    })
  } catch {
    // browsers may require a service worker
  }
}
