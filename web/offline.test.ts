import { expect, it } from 'vitest'
import script from './public/offline.js?raw'

/** The script on the page that is shown offline. `tick` is its timer and `goOnline` the browser's event; each resolves when the site has answered. */
function openOfflinePage() {
  const site = { isUp: false, asked: 0 }
  let reloads = 0
  const callbacks: Record<string, () => void> = {}
  const settle = async (name: string) => {
    callbacks[name]?.()
    await new Promise((resolve) => setTimeout(resolve))
  }
  const browser = {
    document: { documentElement: { lang: 'en' } },
    location: { reload: () => (reloads += 1) },
    async fetch() {
      site.asked += 1
      if (!site.isUp) throw new TypeError('Failed to fetch')
      return { ok: true }
    },
    addEventListener: (name: string, listener: () => void) => (callbacks[name] = listener),
    setInterval: (callback: () => void) => (callbacks['tick'] = callback),
  }
  // oxlint-disable-next-line no-implied-eval -- a classic script, as the page runs it
  new Function(...Object.keys(browser), script)(...Object.values(browser))
  return {
    site,
    tick: () => settle('tick'),
    goOnline: () => settle('online'),
    countReloads: () => reloads,
  }
}

it('loads what was asked for once the site answers, and is asked again until then', async () => {
  const page = openOfflinePage()
  await page.goOnline()
  await page.tick()
  expect([page.site.asked, page.countReloads()]).toEqual([2, 0])
  page.site.isUp = true
  await page.tick()
  expect(page.countReloads()).toBe(1)
})

it('a page that takes long to load is not begun anew by each tick', async () => {
  const page = openOfflinePage()
  page.site.isUp = true
  await page.goOnline()
  await page.tick()
  await page.tick()
  expect(page.countReloads()).toBe(1)
})
