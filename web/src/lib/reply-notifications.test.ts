import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { showReplyNotification, getReplyNotifications, setReplyNotifications } from './reply-notifications.ts'

/** What the browser was asked to show. */
let shown: {
  title: string
  options: NotificationOptions | undefined
  notification: EventTarget & { close: () => void }
}[]
/** A browser whose user has decided so, and decides so when asked. */
function browserWith(permission: NotificationPermission, answer: NotificationPermission = permission) {
  class Shown extends EventTarget {
    static permission = permission
    static requestPermission = vi.fn<() => Promise<NotificationPermission>>(async () => {
      Shown.permission = answer
      return answer
    })
    close = vi.fn<() => void>()
    constructor(title: string, options?: NotificationOptions) {
      super()
      shown.push({ title, options, notification: this })
    }
  }
  vi.stubGlobal('Notification', Shown)
  return Shown
}

beforeEach(() => {
  shown = []
  localStorage.clear()
})
afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

describe('notifications of replies', () => {
  it('are not there in a browser without them, and none is shown', async () => {
    vi.stubGlobal('Notification', undefined)
    Reflect.deleteProperty(globalThis, 'Notification')
    expect(getReplyNotifications()).toBe('unsupported')
    await showReplyNotification('Juno', 'c1')
  })

  it('are blocked where the person has told the browser so', () => {
    browserWith('denied')
    expect(getReplyNotifications()).toBe('blocked')
  })

  it('are off until switched on, even if the browser allows them', () => {
    browserWith('granted')
    expect(getReplyNotifications()).toBe('off')
  })

  it('are switched on for this browser, and off again', async () => {
    const browser = browserWith('default', 'granted')
    await setReplyNotifications(true)
    expect(getReplyNotifications()).toBe('on')
    expect(localStorage.getItem('juno.reply-notifications')).toBe('on')
    await setReplyNotifications(false)
    expect(getReplyNotifications()).toBe('off')
    // who switches them off is asked nothing
    expect(browser.requestPermission).toHaveBeenCalledTimes(1)
  })

  it('stay off when the user refuses', async () => {
    browserWith('default')
    await setReplyNotifications(true)
    expect(getReplyNotifications()).toBe('off')
    expect(localStorage).toHaveLength(0)
  })

  it('are off where the permission was taken back since', async () => {
    const browser = browserWith('granted')
    await setReplyNotifications(true)
    browser.permission = 'default'
    expect(getReplyNotifications()).toBe('off')
  })
})

describe('a reply that is there', () => {
  it('is reported without a word of it, one notification a conversation', async () => {
    browserWith('granted')
    await setReplyNotifications(true)
    await showReplyNotification('Juno', 'c1')
    expect(shown).toMatchObject([{ title: 'Juno', options: { body: 'Your reply is ready.', tag: 'c1' } }])
    expect(shown[0]?.options?.data).toBe(location.href)
  })

  it('is not reported when notifications are off', async () => {
    browserWith('granted')
    await showReplyNotification('Juno', 'c1')
    expect(shown).toEqual([])
  })

  it('opens the page and closes the notification on a click', async () => {
    browserWith('granted')
    const focused = vi.spyOn(window, 'focus').mockImplementation(() => undefined)
    await setReplyNotifications(true)
    await showReplyNotification('Juno', 'c1')
    const notification = shown[0]?.notification
    notification?.dispatchEvent(new Event('click'))
    expect(focused).toHaveBeenCalledTimes(1)
    expect(notification?.close).toHaveBeenCalledTimes(1)
  })

  it('is reported by the service worker where there is one', async () => {
    browserWith('granted')
    const showNotification = vi.fn<(title: string, options: object) => Promise<void>>(async () => undefined)
    const getRegistration = async () => ({ active: {}, showNotification })
    Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: { getRegistration } })
    await setReplyNotifications(true)
    await showReplyNotification('Juno', 'c1')
    expect(showNotification).toHaveBeenCalledWith('Juno', expect.objectContaining({ tag: 'c1' }))
    expect(shown).toEqual([])
  })
})
