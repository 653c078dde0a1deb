import * as z from 'zod'
import { apiFunction } from '../platform/api-function.ts'
import { parseEnv } from '../platform/env.ts'
import { openTable } from '../platform/table.ts'
import { logRepository } from '../runs/log-repository.ts'
import { runRepository } from '../runs/run-repository.ts'
import { deleteSession } from './delete-session.ts'
import { messageRepository } from './message-repository.ts'
import { readSession } from './read-session.ts'
import { sessionRepository } from './session-repository.ts'

const env = parseEnv({ TABLE_NAME: z.string() })
const table = openTable(env.TABLE_NAME)
const stores = {
  sessions: sessionRepository(table),
  messages: messageRepository(table),
  runs: runRepository(table),
  logs: logRepository(table),
}

export const handler = apiFunction('sessions', {
  'sessions.list': async ({ user }) => ({ sessions: await stores.sessions.list(user.sub) }),

  'sessions.read': ({ user, params, query }) =>
    readSession(stores, { sub: user.sub, sessionId: params.sessionId, before: query.before }),

  'sessions.delete': async ({ user, params }) => {
    await deleteSession(stores, { sub: user.sub, sessionId: params.sessionId })
    return { success: true as const }
  },
})
