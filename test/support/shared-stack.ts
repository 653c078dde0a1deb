import { rmSync } from 'node:fs'
import { beforeEach } from 'vitest'
import { says, startFakeModel } from './fake-model-server.ts'
import { startStack, type LocalStack } from './local-stack.ts'
import { openStackTable } from './stack-table.ts'

/**
 * Products that browser tests share. Each worker starts its own when a file first asks for it, and ends it with itself. Files of a
 * worker run one after another, and each test has users of its own; a file that needs other settings, or ends the product, starts
 * one by `startStack`.
 */

const env = { RATE_LIMIT_FACTOR: '10' }

let demo: Promise<LocalStack> | undefined

/** The product with the demo model. To be awaited at the top of a file. */
export function demoStack(): Promise<LocalStack> {
  demo ??= startForWorker(env)
  return demo
}

let scripted: ReturnType<typeof startScripted> | undefined

/**
 * The product with a model that the tests script, and its table seen from outside. To be awaited at the top of a file.
 * @param text what the model says at the beginning of each test
 */
export async function scriptedStack(text: string) {
  scripted ??= startScripted()
  const { model, stack, table } = await scripted
  beforeEach(() => model.behave(says(text)))
  return { model, stack, table }
}

async function startScripted() {
  const model = await startFakeModel(says(''))
  const stack = await startForWorker({ ...env, OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: 'fake' })
  return { model, stack, table: await openStackTable(stack) }
}

async function startForWorker(settings: Record<string, string>): Promise<LocalStack> {
  const stack = await startStack({ env: settings })
  process.once('exit', () => rmSync(stack.dataDir, { recursive: true, force: true }))
  return stack
}

// a worker is ended by this signal: its exit ends the browser and the products
process.once('SIGTERM', () => process.exit())
