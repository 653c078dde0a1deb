import { afterAll, beforeEach } from 'vitest'
import { says, startFakeModel } from './fake-model-server.ts'
import { startStack } from './local-stack.ts'
import { openStackTable } from './stack-table.ts'

/**
 * A test file's own product, with a model that the tests tell what to do, and its table seen from outside. To be awaited at the
 * top of the file; everything ends with it.
 * @param text what the model says at the beginning of each test
 * @param env over that of the stack
 */
export async function stackWithModel(text: string, env: Record<string, string> = {}) {
  const model = await startFakeModel(says(text))
  const stack = await startStack({ env: { OPENAI_BASE_URL: model.baseUrl, ...env } })
  const table = await openStackTable(stack)
  beforeEach(() => model.behave(says(text)))
  afterAll(async () => {
    table.close()
    await stack.stop()
    model.close()
  })
  return { model, stack, table }
}
