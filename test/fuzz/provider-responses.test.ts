import { afterAll, beforeAll, expect, it } from 'vitest'
import { cases } from '../support/integration-cases.ts'
import { anyJson, fc, divideRuns, limitCpuTimeAsync, mutatedJson, stringify } from '../support/fuzz.ts'
import { type ProviderHarness, startProviderHarness } from '../support/provider-harness.ts'
import { isDeeperThan, maxUntrustedDepth } from '../../functions/platform/http/json-depth.ts'
import type { ConnectedApi } from '../../functions/providers/api.ts'
import { listCapabilities } from '../../functions/providers/capabilities.ts'

interface RecordedCase {
  name: string
  run: (api: ConnectedApi) => Promise<unknown>
  /** the provider's response to each call, in order */
  answers: unknown[]
}

let harness: ProviderHarness
const recordedCases: RecordedCase[] = []

beforeAll(async () => {
  harness = await startProviderHarness()
  for (const [provider, { roundTrips }] of Object.entries(cases)) {
    const api = await harness.connect(provider)
    for (const [id, { input = {} }] of Object.entries(roundTrips)) {
      const capability = listCapabilities(provider).find((one) => one.id === id)
      if (!capability) throw new Error(`${provider} has no ${id}`)
      const args = capability.parameters.parse(input)
      const signal = new AbortController().signal
      const one: RecordedCase = {
        name: `${provider} ${id}`,
        run: (caseApi) => capability.run(caseApi, args, signal),
        answers: [],
      }
      await one.run({
        async call(...request) {
          const answer = await api.call(...request)
          one.answers.push(answer)
          return answer
        },
      })
      recordedCases.push(one)
    }
  }
})
afterAll(() => harness.close())

/** What `connected-api.ts` lets through: it refuses answers that nest deeper. */
const surprise = anyJson().filter((value) => !isDeeperThan(maxUntrustedDepth, stringify(value)))

/** The JavaScript engine's error messages, which mean nothing to a user or a model. */
const engineErrors = [TypeError, RangeError, SyntaxError, ReferenceError]

it('any response of a provider gives a readable result or an error message', async () => {
  expect(recordedCases.every(({ answers }) => answers.length > 0)).toBe(true)
  for (const { name, run, answers } of recordedCases)
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(...answers.map((answer) => mutatedJson(answer, surprise))),
        fc.nat(answers.length),
        async (changedAnswers, firstChanged) => {
          let at = 0
          // the first responses stay valid, so that the later ones are reached
          const call = async () => {
            const index = Math.min(at++, answers.length - 1)
            return index < firstChanged && firstChanged < answers.length
              ? answers[index]
              : changedAnswers[index]
          }
          try {
            const result = await limitCpuTimeAsync(() => run({ call }))
            JSON.stringify(result)
          } catch (error) {
            if (!(error instanceof Error) || engineErrors.some((fault) => error instanceof fault))
              throw new Error(`${name}: ${String(error)}`, { cause: error })
          }
        },
      ),
      divideRuns(5),
    )
})
