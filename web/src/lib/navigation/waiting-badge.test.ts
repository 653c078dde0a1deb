import { afterEach, expect, it, vi } from 'vitest'
import { titleCount } from './use-document-title.ts'
import { showWaitingCount } from './waiting-badge.ts'

const readIcon = () => document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href ?? ''

afterEach(() => {
  showWaitingCount(0)
  document.head.replaceChildren()
  vi.unstubAllGlobals()
})

it('a count stands in the title, on the icon and on the app, and nothing of it is left at 0', async () => {
  document.head.innerHTML = '<link rel="icon" href="/favicon.svg" type="image/svg+xml">'
  const setAppBadge = vi.fn<(count: number) => Promise<void>>(() =>
    Promise.reject(new Error('not installed')),
  )
  const clearAppBadge = vi.fn<() => Promise<void>>(() => Promise.resolve())
  vi.stubGlobal('navigator', { setAppBadge, clearAppBadge })
  const svg = '<svg viewBox="0 0 24 24"><g/></svg>'
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(svg)))
  showWaitingCount(2)
  await vi.waitFor(() => expect(decodeURIComponent(readIcon())).toContain('>2</text>'))
  expect(titleCount.getState()).toBe(2)
  expect(setAppBadge).toHaveBeenLastCalledWith(2)
  showWaitingCount(12)
  await vi.waitFor(() => expect(decodeURIComponent(readIcon())).toContain('>9+</text>'))
  expect(decodeURIComponent(readIcon())).not.toContain('>2</text>')
  // the answer of an earlier count must not come back
  showWaitingCount(3)
  showWaitingCount(0)
  await Promise.resolve()
  await vi.waitFor(() => expect(readIcon()).toMatch(/\/favicon\.svg$/))
  expect(titleCount.getState()).toBe(0)
  expect(clearAppBadge).toHaveBeenCalled()
})
