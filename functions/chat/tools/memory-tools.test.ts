import { sayAccount } from '#shared/sentences/account.ts'
import { expect, it, vi } from 'vitest'
import { maxMemoryCharacters } from '#shared/limits.ts'
import { BadRequest } from '../../platform/errors.ts'
import type { MemoryRepository } from '../../settings/memory-repository.ts'
import { memoryTools } from './memory-tools.ts'

const { signal } = new AbortController()
const knownMemory = { id: 'm1', text: 'Likes Tea', version: 1, created_at: '2026-11-22T00:00:00.000Z' }

function open() {
  const repository = {
    add: vi.fn<MemoryRepository['add']>(async (_sub, { id, text }) => ({ ...knownMemory, id, text })),
    remove: vi.fn<MemoryRepository['remove']>(async () => undefined),
  }
  const [remember, forget] = memoryTools(repository, 'ann', [knownMemory])
  if (!remember || !forget) throw new Error('two tools')
  return { ...repository, remember, forget }
}

it('both tools write, are private and check their arguments', () => {
  const { remember, forget } = open()
  const common = { writes: true, isPrivate: true, activity: 'other', timeoutMs: 10_000 }
  expect(remember).toMatchObject({ ...common, name: 'remember', title: 'Remember' })
  expect(forget).toMatchObject({ ...common, name: 'forget', title: 'Forget' })
  expect(remember.parameters.check({ text: ' Has a cat ' })).toEqual({ input: { text: 'Has a cat' } })
  expect(remember.parameters.check({ text: ' ' })).toHaveProperty('problem')
  const longest = { text: 'x'.repeat(maxMemoryCharacters) }
  expect(remember.parameters.check(longest)).toEqual({ input: longest })
  expect(remember.parameters.check({ text: `${longest.text}x` })).toHaveProperty('problem')
  expect(forget.parameters.check({ id: 'm1', text: 'Likes Tea' })).toHaveProperty('input')
  expect(forget.parameters.check({ id: 'm1' })).toHaveProperty('problem')
})

it('a fact is added once, whatever its case', async () => {
  const { remember, forget, add } = open()
  expect(await remember.run({ text: ' likes tea' }, signal)).toEqual({ text: 'Likes Tea', wasKnown: true })
  expect(add).not.toHaveBeenCalled()
  const added = await remember.run({ text: 'Has a cat' }, signal)
  const id = expect.stringMatching(/^.{8}$/) as string
  expect(added).toEqual({ id, text: 'Has a cat' })
  expect(add.mock.calls).toEqual([['ann', { id, text: 'Has a cat' }, signal]])
  expect(await remember.run({ text: 'has a cat' }, signal)).toMatchObject({ wasKnown: true })
  expect(await forget.run(added as Record<string, unknown>, signal)).toEqual(added)
})

it('a memory is deleted once by its id and text', async () => {
  const { forget, remember, remove, add } = open()
  const unknown = 'There is no memory with this id and text.'
  await expect(forget.run({ id: 'm1', text: 'Likes' }, signal)).rejects.toThrow(unknown)
  await expect(forget.run({ id: 'm2', text: 'Likes Tea' }, signal)).rejects.toThrow(unknown)
  expect(remove).not.toHaveBeenCalled()
  expect(await forget.run({ id: 'm1', text: 'likes tea ' }, signal)).toEqual({ id: 'm1', text: 'Likes Tea' })
  expect(remove.mock.calls).toEqual([['ann', 'm1']])
  await expect(forget.run({ id: 'm1', text: 'Likes Tea' }, signal)).rejects.toThrow(unknown)
  await remember.run({ text: 'Likes Tea' }, signal)
  expect(add).toHaveBeenCalledTimes(1)
})

it('the reason why a memory was not changed is returned', async () => {
  const { remember, forget, add, remove } = open()
  const refusal = new BadRequest(sayAccount('bad_request.empty_memory'))
  add.mockRejectedValueOnce(refusal)
  await expect(remember.run({ text: 'x' }, signal)).rejects.toBe(refusal)
  const fault = new Error('the table is down')
  remove.mockRejectedValueOnce(fault)
  await expect(forget.run({ id: 'm1', text: 'Likes Tea' }, signal)).rejects.toBe(fault)
})
