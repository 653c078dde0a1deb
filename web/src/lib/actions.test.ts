import { QueryClient } from '@tanstack/react-query'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createActions } from './actions.ts'

const create = () => {
  const actions = createActions(new QueryClient())
  onTestFinished(actions.close)
  return actions
}

it('runs one action of a key at a time, which is known until it ends', async () => {
  const actions = create()
  const run = vi.fn<() => Promise<string>>()
  const { promise, reject } = Promise.withResolvers<string>()
  run.mockReturnValueOnce(promise).mockResolvedValueOnce('done')
  const first = actions.start('copy a', run)
  expect(actions.start('copy a', run)).toBeUndefined()
  expect([...actions.running.getState()]).toEqual([['copy a', 'running']])
  reject(new Error('lost'))
  await expect(first).rejects.toThrow('lost')
  expect(actions.running.getState().size).toBe(0)
  expect(await actions.start('copy a', run)).toBe('done')
})

it('runs what is enqueued one after the other, also after a failure, and is busy until the last one ends', async () => {
  const actions = create()
  const begun: string[] = []
  const work = (name: string) => async () => {
    begun.push(name)
    if (name === 'a') throw new Error('lost')
    return name
  }
  const results = Promise.allSettled(['a', 'b', 'c'].map((name) => actions.enqueue('save', work(name), name)))
  expect([begun, actions.running.getState().get('save')]).toEqual([['a'], 'a'])
  expect(actions.start('save', work('d'))).toBeUndefined()
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect([begun, actions.running.getState().size]).toEqual([['a', 'b', 'c'], 0])
})

it.each([
  ['committed', (actions: ReturnType<typeof create>) => actions.commit('b'), ['b']],
  ['undone', (actions: ReturnType<typeof create>) => actions.undo('b'), []],
  ['undone as the newest', (actions: ReturnType<typeof create>) => actions.undoLast(), []],
  ['begun because the page goes', () => dispatchEvent(new Event('pagehide')), ['a', 'b']],
  ['begun because the user signs out', (actions: ReturnType<typeof create>) => actions.close(), ['a', 'b']],
])('a postponed action is known at once, and is %s', async (_name, end, begun) => {
  const actions = create()
  const runs: string[] = []
  const onUndo = vi.fn<() => void>()
  for (const key of ['a', 'b']) actions.postpone(key, { run: async () => void runs.push(key), undo: onUndo })
  expect([...actions.running.getState().keys()]).toEqual(['a', 'b'])
  end(actions)
  end(actions)
  expect(onUndo).toHaveBeenCalledTimes(begun.length === 0 ? onUndo.mock.calls.length : 0)
  await vi.waitFor(() => expect(actions.running.getState().has('b')).toBe(false))
  expect(runs).toEqual(begun)
})
