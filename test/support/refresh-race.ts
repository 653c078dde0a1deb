import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { credentialRepository } from '../../functions/integrations/store/credential-repository.ts'
import { registeredClientRepository } from '../../functions/integrations/store/client-repository.ts'
import { connectionRepository } from '../../functions/integrations/store/connection-repository.ts'
import { refresh, type RefreshDeps } from '../../functions/integrations/credentials/refresh.ts'
import { unsealTokens, sealTokens } from '../../functions/integrations/credentials/seal-tokens.ts'
import { resolveProviderServer } from '../../functions/integrations/credentials/authorization-server.ts'
import { sealer } from '../../functions/platform/secrets/seal.ts'
import type { Table } from '../../functions/platform/dynamodb/table.ts'
import { findProvider } from '../../functions/providers/built-in.ts'

const mcpId = 'zoom'
const connectionInput = { environment: 'production' as const, parameters: {} }
const json = (status: number, value: object) => ({
  status,
  headers: new Headers(),
  text: JSON.stringify(value),
})

/** A provider with strict rotation: a refresh token works once, and using one twice revokes the grant. */
function createRotatingProvider() {
  const current = new Map<string, string>()
  const ended = new Set<string>()
  return {
    current,
    ended,
    begin(user: string): string {
      const token = `${user} 0`
      current.set(user, token)
      return token
    },
    async respond(body: string) {
      await sleep(Math.random() * 4)
      const refreshToken = new URLSearchParams(body).get('refresh_token') ?? ''
      const [user = '', count] = refreshToken.split(' ')
      if (ended.has(user) || current.get(user) !== refreshToken) {
        ended.add(user)
        return json(400, { error: 'invalid_grant' })
      }
      const next = `${user} ${Number(count) + 1}`
      current.set(user, next)
      await sleep(Math.random() * 4)
      return json(200, { access_token: `access ${next}`, refresh_token: next, expires_in: 3_600 })
    },
  }
}

/**
 * Three callers, such as two tabs and a schedule, refresh the same tokens at the same moment, repeatedly, each with its own instance,
 * for several users in parallel.
 * @returns the number of refreshes; at least one per round
 * @throws Error when a caller failed, or the stored token is not the provider's current one
 */
export async function runRefreshRaces(
  table: Table,
  { users, rounds }: { users: number; rounds: number },
): Promise<{ tries: number; refreshes: number }> {
  const provider = createRotatingProvider()
  const instance = (): RefreshDeps => ({
    integrations: connectionRepository(table),
    credentials: credentialRepository(table),
    clients: registeredClientRepository(table),
    sealer: sealer({ read: async () => 'a key for tests' }, 'name'),
    http: { text: (_, init) => provider.respond(init?.body ?? '') },
    // no credentials to read
    vault: { read: () => Promise.reject(new Error('no secret is stored')) },
  })
  const instances = [instance(), instance(), instance()] as const
  const [first] = instances

  async function connect(sub: string) {
    const authorizationServer = resolveProviderServer(
      findProvider(mcpId),
      connectionInput,
    )?.authorizationServer
    if (!authorizationServer) throw new Error('the provider has no sign-in')
    const granted = {
      accessToken: 'access',
      refreshToken: provider.begin(sub),
      instanceUrl: undefined,
      expiresInSeconds: 3_600,
      grantExpiresInSeconds: undefined,
    }
    const tokens = await sealTokens(first.sealer, { sub, mcpId }, granted, {
      authorizationServer,
      carriedOver: {},
      now: new Date(),
    })
    const { access_expires_at: _, expires_at: __, ...sealed } = tokens
    await first.credentials.replace(sub, mcpId, {
      ...sealed,
      status: 'active',
      masks: {},
      client_id: 'app',
      updated_at: '',
    })
    await first.integrations.connect(
      sub,
      mcpId,
      {
        mcp_name: 'Zoom',
        token_status: 'active',
        auth_type: 'oauth2',
        provider: 'Zoom',
        open_url: null,
        ...connectionInput,
      },
      new Date().toISOString(),
    )
  }

  async function race(sub: string) {
    await connect(sub)
    for (let round = 0; round < rounds; round += 1) {
      await Promise.all(
        instances.map(async (stores) => {
          await sleep(Math.random() * 3)
          await refresh(stores, sub, mcpId)
        }),
      )
      const row = await first.credentials.find(sub, mcpId)
      const stored = row && (await unsealTokens(first.sealer, { sub, mcpId }, row))
      const expectedToken = provider.current.get(sub)
      if (provider.ended.has(sub) || stored?.refreshToken !== expectedToken || row?.status !== 'active')
        throw new Error(
          `Lost in round ${round}: ${String(stored?.refreshToken)} for ${String(expectedToken)}`,
        )
    }
  }

  const subs = Array.from({ length: users }, () => randomUUID())
  await Promise.all(subs.map(race))
  const refreshes = subs.reduce((sum, sub) => sum + Number(provider.current.get(sub)?.split(' ')[1]), 0)
  return { tries: users * rounds, refreshes }
}
