import { expect, it, vi } from 'vitest'
import { maxRunTokens } from '#shared/limits.ts'
import { RunBudgetUsedUp } from '../../chat/errors.ts'
import type { Reservation } from '../../chat/reply-budget.ts'
import { limitRun } from './limit-run.ts'

it('a run has the tokens of all its requests and answers, and its reservation counts them', async () => {
  const reserve = vi.fn<Reservation['reserve']>(async () => undefined)
  const spend = vi.fn<Reservation['spend']>()
  const limited = limitRun({ reserve, spend } as unknown as Reservation)
  await limited.reserve(maxRunTokens)
  await expect(limited.reserve(maxRunTokens + 1)).rejects.toBeInstanceOf(RunBudgetUsedUp)
  const usage = { inputTokens: 20_000, outputTokens: 7_000, cost: undefined }
  limited.spend(usage)
  const price = { input: 1, output: 2 }
  await limited.reserve(maxRunTokens - 27_000, price)
  await expect(limited.reserve(maxRunTokens - 26_999)).rejects.toBeInstanceOf(RunBudgetUsedUp)
  expect(reserve.mock.calls).toEqual([[maxRunTokens], [maxRunTokens - 27_000, price]])
  expect(spend).toHaveBeenCalledExactlyOnceWith(usage)
})
