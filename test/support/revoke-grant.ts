import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LocalStack } from './local-stack.ts'

interface StoredGrants {
  grants: Record<string, { provider: string; refreshToken?: string }>
}

/** Revokes the newest grant at the provider, as the user would. */
export async function revokeNewestGrant(stack: LocalStack, provider: string): Promise<void> {
  const file = await readFile(join(stack.dataDir, 'providers.json'), 'utf8')
  const { grants } = JSON.parse(file) as StoredGrants
  const token = Object.values(grants).findLast((grant) => grant.provider === provider)?.refreshToken
  if (token === undefined) throw new Error(`nothing was granted at ${provider}`)
  const { providers = '' } = await stack.endpoints()
  const response = await fetch(`${providers}/${provider}/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ token }),
  })
  if (response.status !== 200) throw new Error(`not revoked: ${response.status}`)
}
