import type { IntegrationDeps } from '../integrations/deps.ts'

export type ConnectedStores = {
  [Store in 'integrations' | 'credentials']: Pick<IntegrationDeps[Store], 'list'>
} & { tools: Pick<IntegrationDeps['tools'], 'all'> }

/**
 * What a person has connected and added, faulty and removed rows included, field by field: no secret, no mask of one, and no
 * name by which one is found.
 */
export async function connectedServices({ integrations, credentials, tools }: ConnectedStores, sub: string) {
  const [rows, held, own] = await Promise.all([integrations.list(sub), credentials.list(sub), tools.all(sub)])
  return {
    integrations: rows.map((row) => {
      const credential = held.get(row.mcp_id)
      return {
        ...row,
        credential: credential
          ? {
              status: credential.status,
              expires_at: credential.expires_at ?? null,
              updated_at: credential.updated_at,
            }
          : null,
      }
    }),
    custom_tools: own.map(({ id, name, description, server_url, is_active, created_at }) => ({
      id,
      name,
      description,
      server_url,
      is_active,
      created_at,
    })),
  }
}
