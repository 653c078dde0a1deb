import { expect, it, vi } from 'vitest'
import { endIterators, type DynaliteStore } from './dynalite.ts'

it('gives iterators the end by which dynalite ends them', async () => {
  const close = vi.fn<() => Promise<void>>(async () => undefined)
  const db = { keys: () => ({ close }), values: () => ({ close }) } as unknown as DynaliteStore['db']
  endIterators({ db })
  await db.keys().return?.()
  await db.values({ limit: 1 }).return?.()
  expect(close).toHaveBeenCalledTimes(2)
})
