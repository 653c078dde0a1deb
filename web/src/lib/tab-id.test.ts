import { beforeEach, expect, it, vi } from 'vitest'

const load = async () => {
  vi.resetModules()
  return (await import('./tab-id.ts')).tabId
}
const leave = () => dispatchEvent(new PageTransitionEvent('pagehide'))

beforeEach(() => sessionStorage.clear())

it('a tab has the same id after a reload', async () => {
  const before = await load()
  leave()
  expect(await load()).toBe(before)
})

it('a duplicate of an open tab, which starts with a copy of its storage, has its own id', async () => {
  const original = await load()
  expect(await load()).not.toBe(original)
})

it('holds a lock while the page is open, and releases it when the page is left or cached', async () => {
  const locks: { name: string; done: Promise<void> }[] = []
  vi.stubGlobal('navigator', {
    locks: { request: (name: string, work: () => Promise<void>) => locks.push({ name, done: work() }) },
  })
  const id = await load()
  expect(locks.map(({ name }) => name)).toEqual([`juno.tab.${id}`])
  leave()
  await locks[0]?.done
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  expect(locks.at(-1)?.name).toBe(`juno.tab.${id}`)
  expect(sessionStorage.length).toBe(0)
  leave()
  await locks.at(-1)?.done
  vi.unstubAllGlobals()
})
