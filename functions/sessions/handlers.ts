import * as z from 'zod'
import { apiFunction } from '../platform/api-function.ts'
import { parseEnv } from '../platform/env.ts'
import { openTable } from '../platform/table.ts'
import { deleteSession } from './delete-session.ts'
import { readSession } from './read-session.ts'
import { openStores } from './stores.ts'

const env = parseEnv({ TABLE_NAME: z.string() })
const stores = openStores(openTable(env.TABLE_NAME))

export const handler = apiFunction('sessions', {
  'sessions.list': async ({ user }) => ({ sessions: await stores.sessions.list(user.sub) }),

  'sessions.read': ({ user, params, query }) =>
    readSession(stores, { sub: user.sub, sessionId: params.sessionId, before: query.before }),

  'sessions.delete': async ({ user, params }) => {
    await deleteSession(stores, { sub: user.sub, sessionId: params.sessionId })
    return { success: true as const }
  },
})
