import { afterEach, expect, it, vi } from 'vitest'
import { Refusal } from './refusals.ts'
import { trigger } from './trigger.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

const event = { triggerSource: 'TokenGeneration_Authentication' }

it.each<[what: string, decide: () => Promise<typeof event>, failed: number]>([
  ['a decision', async () => event, 0],
  ['a refusal', () => Promise.reject(new Refusal('sign_up_closed', 'Sign-up is by invitation')), 0],
  ['an error', () => Promise.reject(new Error('no table')), 1],
])('%s is counted, and comes through unchanged', async (_, decide, failed) => {
  vi.stubEnv('METRICS_NAMESPACE', 'juno-dev')
  const lines: unknown[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(JSON.parse(String(line))) > 0)
  const [direct, outcome] = await Promise.allSettled([decide(), trigger(decide)(event)])
  expect(outcome).toEqual(direct)
  expect(lines.filter((line) => Object.hasOwn(line as object, '_aws'))).toEqual([
    expect.objectContaining({ FailedTriggers: failed }),
  ])
})
