import { mkdtemp, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEndpoints } from './endpoints.ts'
import { readSettings } from '../../infra/local/settings.ts'
import { startLocal } from '../../infra/local/start-local.ts'
import './metered-table.ts'
import './model-server/server.ts'
import './user-pool/account-operations.ts'
import './provider-contracts/doubles.ts'
import { signUpUser, type StackUser } from './stack-user.ts'

/**
 * The whole product without its page in this process, so that tests can observe and change the calls between its parts. One per
 * process: handlers read their environment when they load.
 */
export async function startInProcessProduct(env: Record<string, string>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'juno-here-'))
  const settings = readSettings({ PORT: '0', FIRST_ADMINISTRATOR: 'off', ...env, LOCAL_DATA_DIR: dataDir })
  const product = await startLocal(settings, {
    page: async () => async (_, response) => void response.writeHead(404).end(),
  })
  const endpoints = await readEndpoints(dataDir)
  return {
    origin: product.origin,
    dataDir,
    endpoints: async () => endpoints,
    /** functions that have not ended, some after their response, or in the background */
    countRunning: () => product.countRunning(),
    /** Begins the next attempt of functions that have failed in the background. */
    retryNow: () => product.retryNow(),
    newUser: (): Promise<StackUser> =>
      signUpUser(
        {
          origin: product.origin,
          cognito: endpoints.cognito,
          mail: async (to) => product.mailbox.list().filter((one) => one.to === to),
        },
        { name: 'Ann Example', email: `${randomUUID()}@example.com` },
      ),
    async stop() {
      await product.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export type InProcessProduct = Awaited<ReturnType<typeof startInProcessProduct>>
