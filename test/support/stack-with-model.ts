import { afterAll, beforeEach } from 'vitest'
import { says, startFakeModel } from './fake-model-server.ts'
import { startStack } from './local-stack.ts'
import { openStackTable } from './stack-table.ts'

/**
 * A separate product for a test file, with a scripted model and direct access to its table. Await it at the top of the file; all
 * of it is stopped after the file.
 * @param text the model's reply at the start of each test
 * @param env overrides the stack's environment
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
