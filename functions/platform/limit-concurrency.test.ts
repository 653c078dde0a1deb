import { expect, it } from 'vitest'
import { limitConcurrency } from './limit-concurrency.ts'

it('runs only so many at once for a key, the rest in order, also after a failure', async () => {
  const run = limitConcurrency(2)
  const started: string[] = []
  const ends = new Map<string, (hasFailed?: boolean) => void>()
  const start = (key: string, name: string) =>
    run(key, () => {
      started.push(name)
      return new Promise<string>((resolve, reject) => {
        ends.set(name, (hasFailed) => (hasFailed ? reject(new Error(name)) : resolve(name)))
      })
    })
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => start('ann', name))
  const bobs = start('bob', 'other')
  expect(started).toEqual(['a', 'b', 'other'])
  ends.get('a')?.(true)
  await expect(a).rejects.toThrow('a')
  expect(started).toEqual(['a', 'b', 'other', 'c'])
  ends.get('c')?.()
  expect(await c).toBe('c')
  expect(started).toEqual(['a', 'b', 'other', 'c', 'd'])
  for (const name of ['b', 'd', 'other']) ends.get(name)?.()
  expect(await Promise.all([b, d, bobs])).toEqual(['b', 'd', 'other'])
  void start('ann', 'again')
  expect(started).toContain('again')
})
