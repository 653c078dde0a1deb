/** @module-tag long */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { findOnlyEvent, ask } from '../support/read-along.ts'
import { says, type ModelBehaviour } from '../support/fake-model-server.ts'
import { stackWithModel } from '../support/stack-with-model.ts'

const { model, stack } = await stackWithModel('Hello.', {
  FIRST_ADMINISTRATOR: 'on',
  RATE_LIMIT_FACTOR: '10',
})
const unknownModel: ModelBehaviour = (response) => {
  response.writeHead(404, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({ error: { message: 'The model `llama` does not exist', code: 'model_not_found' } }),
  )
}
const message = () => ({
  sessionId: randomUUID(),
  messageId: randomUUID(),
  messages: [{ role: 'user' as const, content: 'Hi' }],
})

it('offers the models that its server lists, the first as the default, and names one only to administrators', async () => {
  model.list({ data: [{ id: 'text-embedding-3' }, { id: 'llama', max_model_len: 8_192 }, { id: 'qwen' }] })
  await stack.restart()
  expect(stack.output()).toContain('The default model is llama.')
  const offered = [
    { id: 'llama', name: 'llama', isDefault: true, vision: true, efforts: [], contextTokens: 8_192 },
    { id: 'qwen', name: 'qwen', isDefault: false, vision: true, efforts: [] },
  ]
  const config = (await (await fetch(`${stack.origin}/config.json`)).json()) as { models: unknown }
  expect(config.models).toEqual(offered)

  const [administrator, other] = [await stack.newUser(), await stack.newUser()]
  expect(await other.call('models.list', {})).toEqual({ models: offered })
  model.behave(says('Hello.'))
  await ask(other, message()).finished
  await ask(other, { ...message(), model: 'qwen' }).finished
  expect(model.requests.map((request) => request.model)).toEqual(['llama', 'qwen'])

  model.behave(unknownModel)
  const readError = async (user: typeof other) => {
    return findOnlyEvent(await ask(user, message()).finished, 'error').errorText
  }
  expect(await readError(other)).toContain(
    'The configured model does not exist. Please tell the people who run this assistant.',
  )
  expect(await readError(administrator)).toContain(
    'The model server does not know the model “llama”. Correct OPENAI_MODEL or MODELS',
  )

  // Portkey's gateway
  model.behave((response) => {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(
      '{"status":"failure","message":"Either x-portkey-config or x-portkey-provider header is required"}',
    )
  })
  expect(await readError(other)).toBe(
    "Service error: The assistant's model did not accept this request. Please try again, or tell the people who run this assistant.",
  )
  expect(await readError(administrator)).toBe(
    'Service error: The model server refused the request: the model answered 400, type failure: Either x-portkey-config or x-portkey-provider header is required',
  )
})

it('says at the start which models the server has instead of the one that is named', async () => {
  model.list({ data: [{ id: 'llama' }, { id: 'qwen' }] })
  await stack.restart({ OPENAI_MODEL: 'gpt-unknown' })
  expect(stack.output()).toContain('does not list gpt-unknown. It lists llama, qwen.')
})

it.each([
  [401, 'did not list its models: it answered with 401. It may want a key in OPENAI_API_KEY.'],
  [500, 'did not list its models: it answered with 500.'],
])('says at the start why there is no list (%s)', async (status, reason) => {
  model.refuseList(status)
  await stack.restart()
  expect(stack.output()).toContain(`${model.baseUrl} ${reason}`)
  expect(stack.output()).toContain('Set OPENAI_MODEL to the name of one')
})
