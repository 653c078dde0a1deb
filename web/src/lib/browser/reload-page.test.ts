import { beforeEach, expect, it, vi } from 'vitest'

const reload = vi.fn<() => void>()
/** a page that is being left is gone by then */
const reloadDelayMs = 1_000

/** The module as a fresh page loads it. Each earlier page's listeners are gone with its window's. */
async function openPage() {
  vi.resetModules()
  const listeners: [string, EventListener][] = []
  const add = vi
    .spyOn(globalThis, 'addEventListener')
    .mockImplementation(
      (type: string, listener: unknown) => void listeners.push([type, listener as EventListener]),
    )
  const module = await import('./reload-page.ts')
  module.watchFailedImports()
  add.mockRestore()
  const dispatch = (event: Event) => {
    for (const [type, listener] of listeners) if (type === event.type) listener(event)
  }
  return {
    ...module,
    fail: (message: string) =>
      dispatch(Object.assign(new Event('vite:preloadError'), { payload: new Error(message) })),
    dispatch,
  }
}

const chromium = 'Failed to fetch dynamically imported module: https://juno.example/assets/files-a1.js'
const firefox = 'error loading dynamically imported module: https://juno.example/assets/files-a1.js'
const webkit = 'Importing a module script failed.'
const style = 'Unable to preload CSS for /assets/files-b2.css'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('location', { reload })
  sessionStorage.clear()
  reload.mockReset()
  return () => vi.useRealTimers()
})

it.each([chromium, firefox, webkit, style])(
  'after a deployment the page reloads once: %s',
  async (message) => {
    const page = await openPage()
    page.fail(message)
    expect(reload).not.toHaveBeenCalled()
    vi.advanceTimersByTime(reloadDelayMs)
    expect(reload).toHaveBeenCalledOnce()

    // the file is still missing
    const reloaded = await openPage()
    reloaded.fail(message)
    vi.advanceTimersByTime(reloadDelayMs)
    expect(reload).toHaveBeenCalledOnce()
  },
)

it('reloads again for another file, once for several that fail together, and never in turns', async () => {
  const first = await openPage()
  first.fail(chromium)
  first.fail(style)
  vi.advanceTimersByTime(reloadDelayMs)
  expect(reload).toHaveBeenCalledOnce()
  const failures = [chromium, style, chromium.replace('files', 'admin'), style, chromium]
  for (const message of failures) {
    const page = await openPage()
    page.fail(message)
    vi.advanceTimersByTime(reloadDelayMs)
  }
  expect(reload).toHaveBeenCalledTimes(2)
})

it('reloads again after a pause where the browser does not name the file', async () => {
  const page = await openPage()
  page.fail(webkit)
  vi.advanceTimersByTime(reloadDelayMs)
  const stillBroken = await openPage()
  vi.advanceTimersByTime(5 * 60_000 - 2 * reloadDelayMs)
  stillBroken.fail(webkit)
  vi.advanceTimersByTime(reloadDelayMs)
  expect(reload).toHaveBeenCalledOnce()
  const deployed = await openPage()
  deployed.fail(webkit)
  vi.advanceTimersByTime(reloadDelayMs)
  expect(reload).toHaveBeenCalledTimes(2)
})

it.each(['beforeunload', 'pagehide'])('does not cancel a navigation of the user: %s', async (type) => {
  const page = await openPage()
  // Firefox rejects the imports while the page is left
  page.dispatch(new Event(type))
  page.fail(firefox)
  vi.advanceTimersByTime(9_500)
  page.fail(webkit)
  vi.advanceTimersByTime(5_000)
  expect(reload).not.toHaveBeenCalled()
  // the user stayed: a later failure counts
  page.fail(firefox)
  vi.advanceTimersByTime(reloadDelayMs)
  expect(reload).toHaveBeenCalledOnce()
})

it('does not cancel a navigation that begins just after the failure', async () => {
  const page = await openPage()
  page.fail(webkit)
  page.dispatch(new Event('beforeunload'))
  vi.advanceTimersByTime(60_000)
  expect(reload).not.toHaveBeenCalled()
  expect(sessionStorage).toHaveLength(0)
})

it('does not reload while offline, or if work would be lost', async () => {
  const page = await openPage()
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  page.fail(chromium)
  vi.advanceTimersByTime(reloadDelayMs)
  vi.restoreAllMocks()
  const keep = (event: Event) => event.preventDefault()
  addEventListener('beforeunload', keep)
  page.fail(chromium)
  vi.advanceTimersByTime(reloadDelayMs)
  removeEventListener('beforeunload', keep)
  expect(reload).not.toHaveBeenCalled()
})

it('asking whether a reload would lose work does not count as leaving', async () => {
  const page = await openPage()
  vi.spyOn(globalThis, 'dispatchEvent').mockImplementation((event) => {
    page.dispatch(event)
    return true
  })
  expect(page.canReloadSilently()).toBe(true)
  page.fail(chromium)
  vi.advanceTimersByTime(reloadDelayMs)
  vi.restoreAllMocks()
  expect(reload).toHaveBeenCalledOnce()
})
