import { expect, it } from 'vitest'
import type { Model } from '../models/model.ts'
import { modelErrors, ModelError } from '../models/model-errors.ts'
import { rejectionError } from '../models/request-errors.ts'
import { readRejection } from '../models/server-rejection.ts'
import { explainToAdministrator } from './administrator-errors.ts'

/** What an administrator gets of a model that fails. */
async function fail(error: unknown): Promise<unknown> {
  const model = { complete: () => Promise.reject(error) } as unknown as Model
  return explainToAdministrator(model, 'gpt-x')
    .complete({} as never)
    .then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
}
const reject = (status: number, message: string) =>
  rejectionError(readRejection({ error: { message } }, { status, retryAfter: '7' }), false)

it.each([
  [
    404,
    'The model `gpt-x` does not exist',
    /does not know the model “gpt-x”\. Correct OPENAI_MODEL or MODELS/,
  ],
  [401, 'Wrong words', /^The model server refused the request: .*Wrong words/],
  [403, 'You do not have access to model', /^The model server refused the request: .*You do not have access/],
  [400, 'Odd parameter', /^The model server refused the request: .*Odd parameter/],
])('an administrator learns why the server has answered %i: %s', async (status, message, expected) => {
  const cause = reject(status, message)
  const shown = await fail(cause)
  expect(shown).toBeInstanceOf(ModelError)
  expect(shown).toMatchObject({
    userMessage: expect.stringMatching(expected),
    message: cause.message,
    status: cause.status,
    retryAfterSeconds: 7,
    rejection: cause.rejection,
    cause,
  })
  expect(cause.userMessage).not.toMatch(expected)
})

it.each<[string, unknown]>([
  ['that everybody can do something about', reject(429, 'Too many requests')],
  ['without words of the server', new ModelError(modelErrors.key, 'no key')],
  ['of the product', new TypeError('x')],
])('an error %s is the same for an administrator', async (_, error) => {
  expect(await fail(error)).toBe(error)
})

it('an answer is the same for an administrator', async () => {
  const answer = { text: 'Hello' }
  const model = { complete: async () => answer } as unknown as Model
  expect(await explainToAdministrator(model, 'gpt-x').complete({} as never)).toBe(answer)
})
