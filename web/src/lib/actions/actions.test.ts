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

it('an action that throws at once has ended', async () => {
  const { start, running } = create()
  const result = start('copy a', () => {
    throw new Error('no clipboard')
  })
  await expect(result).rejects.toThrow('no clipboard')
  expect(running.getState().size).toBe(0)
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

it('what is enqueued behind a postponed action runs after it, also if that is undone', async () => {
  const { postpone, enqueue, running } = create()
  const { undo } = postpone('a', { run: async () => undefined, undo: () => undefined })
  const next = vi.fn<() => Promise<void>>().mockResolvedValue()
  void enqueue('a', next)
  undo()
  expect(next).toHaveBeenCalledOnce()
  await vi.waitFor(() => expect(running.getState().size).toBe(0))
})

it('an action begins when another one with its key is postponed', async () => {
  const { postpone, running } = create()
  const runs: string[] = []
  const action = (name: string) => ({ run: async () => void runs.push(name), undo: () => undefined })
  postpone('a', action('first'))
  const { commit } = postpone('a', action('second'))
  await vi.waitFor(() => expect(running.getState().get('a')).toBe('postponed'))
  expect(runs).toEqual(['first'])
  commit()
  await vi.waitFor(() => expect(running.getState().size).toBe(0))
  expect(runs).toEqual(['first', 'second'])
})

interface PostponedTwo {
  actions: ReturnType<typeof create>
  decisions: ReturnType<ReturnType<typeof create>['postpone']>[]
}

it.each([
  ['committed', ({ decisions }: PostponedTwo) => decisions[1]?.commit(), ['b']],
  ['undone', ({ decisions }: PostponedTwo) => decisions[1]?.undo(), []],
  ['undone as the newest', ({ actions }: PostponedTwo) => actions.undoLast(), []],
  ['begun because the page goes', () => dispatchEvent(new Event('pagehide')), ['a', 'b']],
  ['begun because the user signs out', ({ actions }: PostponedTwo) => actions.close(), ['a', 'b']],
])('a postponed action is known at once, and is %s', async (_name, end, begun) => {
  const actions = create()
  const runs: string[] = []
  const onUndo = vi.fn<() => void>()
  const decisions = ['a', 'b'].map((key) =>
    actions.postpone(key, { run: async () => void runs.push(key), undo: onUndo }),
  )
  expect([...actions.running.getState().keys()]).toEqual(['a', 'b'])
  end({ actions, decisions })
  end({ actions, decisions })
  expect(onUndo).toHaveBeenCalledTimes(begun.length === 0 ? onUndo.mock.calls.length : 0)
  await vi.waitFor(() => expect(actions.running.getState().has('b')).toBe(false))
  expect(runs).toEqual(begun)
})

it.each(['commit', 'undo'] as const)(
  'a decision that comes late, after a %s, decides nothing about the next postponed action of the same key',
  async (end) => {
    const { postpone, running } = create()
    const run = vi.fn<() => Promise<void>>().mockResolvedValue()
    const next = { run: vi.fn<() => Promise<void>>().mockResolvedValue(), undo: vi.fn<() => void>() }
    const first = postpone('a', { run, undo: () => undefined })
    first[end]()
    const second = postpone('a', next)
    await vi.waitFor(() => expect(running.getState().get('a')).toBe('postponed'))
    // the toast of the first one is gone now
    first.commit()
    first.undo()
    expect([next.run.mock.calls.length, next.undo.mock.calls.length]).toEqual([0, 0])
    expect(running.getState().get('a')).toBe('postponed')
    second.commit()
    await vi.waitFor(() => expect(running.getState().size).toBe(0))
    expect(next.run).toHaveBeenCalledOnce()
  },
)
