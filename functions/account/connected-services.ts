import type { Stores } from '../integrations/stores.ts'

export type ConnectedRepositories = {
  [Store in 'integrations' | 'credentials']: Pick<Stores[Store], 'list'>
} & { tools: Pick<Stores['tools'], 'all'> }

/**
 * What a person has connected and added, faulty and removed rows included, field by field: no secret, no mask of one, and no
 * name by which one is found.
 */
export async function loadConnectedServices(
  { integrations, credentials, tools }: ConnectedRepositories,
  sub: string,
) {
  const [rows, credentialsById, own] = await Promise.all([
    integrations.list(sub),
    credentials.list(sub),
    tools.all(sub),
  ])
  return {
    integrations: rows.map((row) => {
      const credential = credentialsById.get(row.mcp_id)
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
