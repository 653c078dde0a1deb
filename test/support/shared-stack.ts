import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach } from 'vitest'
import { says, startFakeModel } from './fake-model-server.ts'
import { startStack, type LocalStack } from './local-stack.ts'
import { openStackTable } from './stack-table.ts'

/**
 * Products that API and browser tests share. Each worker starts its own on first use and stops it at its exit. Files of a worker run one
 * after another, and each test has separate users; a file that needs other settings, or stops the product, calls `startStack`
 * instead.
 */

const env = { RATE_LIMIT_FACTOR: '100' }

interface SharedStacks {
  demo?: LocalStack
  scripted?: Awaited<ReturnType<typeof startScripted>>
}

// once a process: each file of the API tests loads this module anew
const key = Symbol.for('juno.shared-stacks')
const shared = (Reflect.get(globalThis, key) ?? {}) as SharedStacks
if (!Reflect.has(globalThis, key)) {
  Reflect.set(globalThis, key, shared)
  // this signal stops a worker: its exit stops the browser and the products
  process.once('SIGTERM', () => process.exit())
}

/** The product with the demo model and an identity provider to try. Await it at the top of a file. */
export async function demoStack(): Promise<LocalStack> {
  shared.demo ??= await startForWorker({ ...env, IDENTITY_PROVIDERS: 'demo' })
  return shared.demo
}

/**
 * The product with a scripted model and direct access to its table. Await it at the top of a file.
 * @param text the model's reply at the start of each test
 */
export async function scriptedStack(text: string) {
  shared.scripted ??= await startScripted()
  const { model, stack, table } = shared.scripted
  beforeEach(() => model.behave(says(text)))
  return { model, stack, table }
}

async function startScripted() {
  const model = await startFakeModel(says(''))
  const stack = await startForWorker({ ...env, OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: 'fake' })
  return { model, stack, table: await openStackTable(stack) }
}

/** Its folder is removed when all workers have ended: a worker has only half a second to exit. */
function startForWorker(settings: Record<string, string>): Promise<LocalStack> {
  const dataDir = join(process.env['TEST_SCRATCH'] ?? tmpdir(), randomUUID())
  return startStack({ env: settings, dataDir })
}
