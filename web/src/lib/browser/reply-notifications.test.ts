import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { showReplyNotification, getReplyNotifications, setReplyNotifications } from './reply-notifications.ts'

/** The notifications that were created. */
let notifications: {
  title: string
  options: NotificationOptions | undefined
  notification: EventTarget & { close: () => void }
}[]
/** Fakes the Notification API with this permission, and the user's response to a request for it. */
function fakeNotifications(
  permission: NotificationPermission,
  response: NotificationPermission = permission,
) {
  class FakeNotification extends EventTarget {
    static permission = permission
    static requestPermission = vi.fn<() => Promise<NotificationPermission>>(async () => {
      FakeNotification.permission = response
      return response
    })
    close = vi.fn<() => void>()
    constructor(title: string, options?: NotificationOptions) {
      super()
      notifications.push({ title, options, notification: this })
    }
  }
  vi.stubGlobal('Notification', FakeNotification)
  return FakeNotification
}

beforeEach(() => {
  notifications = []
  localStorage.clear()
})
afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

describe('reply notifications', () => {
  it('are unsupported in a browser without notifications', async () => {
    vi.stubGlobal('Notification', undefined)
    Reflect.deleteProperty(globalThis, 'Notification')
    expect(getReplyNotifications()).toBe('unsupported')
    await showReplyNotification('Juno', 'ready', 'c1', 'https://juno.example/?c=c1')
  })

  it('are blocked if the user has blocked them in the browser', () => {
    fakeNotifications('denied')
    expect(getReplyNotifications()).toBe('blocked')
  })

  it('are off until switched on, even if the browser allows them', () => {
    fakeNotifications('granted')
    expect(getReplyNotifications()).toBe('off')
  })

  it('can be switched on for this browser, and off again', async () => {
    const browser = fakeNotifications('default', 'granted')
    await setReplyNotifications(true)
    expect(getReplyNotifications()).toBe('on')
    expect(localStorage.getItem('juno.reply-notifications')).toBe('on')
    await setReplyNotifications(false)
    expect(getReplyNotifications()).toBe('off')
    // switching them off does not request the permission
    expect(browser.requestPermission).toHaveBeenCalledTimes(1)
  })

  it('stay off when the user does not grant the permission', async () => {
    fakeNotifications('default')
    await setReplyNotifications(true)
    expect(getReplyNotifications()).toBe('off')
    expect(localStorage).toHaveLength(0)
  })

  it('are off if the permission was revoked since', async () => {
    const browser = fakeNotifications('granted')
    await setReplyNotifications(true)
    browser.permission = 'default'
    expect(getReplyNotifications()).toBe('off')
  })
})

describe('a finished reply', () => {
  it('shows a notification without its text, one per conversation', async () => {
    fakeNotifications('granted')
    await setReplyNotifications(true)
    await showReplyNotification('Juno', 'ready', 'c1', 'https://juno.example/?c=c1')
    expect(notifications).toMatchObject([
      { title: 'Juno', options: { body: 'Your reply is ready.', tag: 'c1' } },
    ])
    expect(notifications[0]?.options?.data).toBe('https://juno.example/?c=c1')
  })

  it.each([
    ['unfinished', 'Your reply could not be finished.'],
    ['waiting', 'A reply is waiting for you.'],
  ] as const)('that is %s is not said to be ready', async (state, body) => {
    fakeNotifications('granted')
    await setReplyNotifications(true)
    await showReplyNotification('Juno', state, 'c1', 'https://juno.example/?c=c1')
    expect(notifications).toMatchObject([{ options: { body } }])
  })

  it('shows no notification if notifications are off', async () => {
    fakeNotifications('granted')
    await showReplyNotification('Juno', 'ready', 'c1', 'https://juno.example/?c=c1')
    expect(notifications).toEqual([])
  })

  it('focuses the page and closes the notification on a click', async () => {
    fakeNotifications('granted')
    const focusSpy = vi.spyOn(window, 'focus').mockImplementation(() => undefined)
    await setReplyNotifications(true)
    await showReplyNotification('Juno', 'ready', 'c1', 'https://juno.example/?c=c1')
    const notification = notifications[0]?.notification
    notification?.dispatchEvent(new Event('click'))
    expect(focusSpy).toHaveBeenCalledTimes(1)
    expect(notification?.close).toHaveBeenCalledTimes(1)
  })

  it('shows the notification with the service worker if there is one', async () => {
    fakeNotifications('granted')
    const showNotification = vi.fn<(title: string, options: object) => Promise<void>>(async () => undefined)
    const getRegistration = async () => ({ active: {}, showNotification })
    Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: { getRegistration } })
    await setReplyNotifications(true)
    await showReplyNotification('Juno', 'ready', 'c1', 'https://juno.example/?c=c1')
    expect(showNotification).toHaveBeenCalledWith('Juno', expect.objectContaining({ tag: 'c1' }))
    expect(notifications).toEqual([])
  })
})
