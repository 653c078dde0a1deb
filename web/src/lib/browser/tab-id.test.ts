import { beforeEach, expect, it, vi } from 'vitest'

const loadTabId = async () => {
  vi.resetModules()
  return (await import('./tab-id.ts')).tabId
}
const leavePage = () => dispatchEvent(new PageTransitionEvent('pagehide'))

beforeEach(() => sessionStorage.clear())

it('a tab has the same ID after a reload', async () => {
  const idBefore = await loadTabId()
  leavePage()
  expect(await loadTabId()).toBe(idBefore)
})

it('a duplicated tab, which starts with a copy of the storage, has its own ID', async () => {
  const originalId = await loadTabId()
  expect(await loadTabId()).not.toBe(originalId)
})

it('holds a lock while the page is open, and releases it when the page is left or cached', async () => {
  const locks: { name: string; done: Promise<void> }[] = []
  vi.stubGlobal('navigator', {
    locks: { request: (name: string, work: () => Promise<void>) => locks.push({ name, done: work() }) },
  })
  const id = await loadTabId()
  expect(locks.map(({ name }) => name)).toEqual([`juno.tab.${id}`])
  leavePage()
  await locks[0]?.done
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  expect(locks.at(-1)?.name).toBe(`juno.tab.${id}`)
  expect(sessionStorage.length).toBe(0)
  leavePage()
  await locks.at(-1)?.done
  vi.unstubAllGlobals()
})
