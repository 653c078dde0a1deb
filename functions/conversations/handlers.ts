import * as z from 'zod'
import { sessionsContracts } from '#shared/contracts/sessions.ts'
import { sharesContracts } from '#shared/contracts/shares.ts'
import { sharesPerDay } from '#shared/limits.ts'
import { conversationFiles } from '../files/conversation-files.ts'
import { apiFunction } from '../platform/http/api-function.ts'
import { parseEnv } from '../platform/env.ts'
import { requestGuards } from '../platform/http/request-guards.ts'
import { openObjectStore } from '../platform/s3/object-store.ts'
import type { Budget } from '../platform/http/rate-limit.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { SharingOff, ShareNotFound, TooManySharesToday } from '../shares/errors.ts'
import { sharing } from '../shares/sharing.ts'
import { deleteSession } from './delete-conversation.ts'
import { exportSession } from './export-conversation.ts'
import { rateMessage } from './rate-message.ts'
import { readSession } from './read-conversation.ts'
import { searchCorpus } from './search-corpus.ts'
import { pageOfSessions } from './conversation-page.ts'
import { shareSession } from './share-conversation.ts'
import { showVersion } from './show-version.ts'
import { openStores } from './stores.ts'

const env = parseEnv({ TABLE_NAME: z.string(), UPLOADS_BUCKET: z.string(), SHARING: sharing })
const table = openTable(env.TABLE_NAME)
const stores = openStores(table, {
  files: conversationFiles(table),
  store: openObjectStore(env.UPLOADS_BUCKET),
})

const shareBudget: Budget = {
  name: 'shares',
  max: sharesPerDay,
  windowSeconds: 86_400,
  limitError: (retryAfterSeconds) => new TooManySharesToday('links of the day used up', retryAfterSeconds),
}

export const handler = apiFunction(
  'sessions',
  { ...sessionsContracts, ...sharesContracts },
  {
    'sessions.list': async ({ user, query }) => pageOfSessions(await stores.sessions.list(user.sub), query),

    'sessions.read': ({ user, params, query }) =>
      readSession(stores, { sub: user.sub, sessionId: params.sessionId, before: query.before }),

    'sessions.update': async ({ user, params, body }) => ({
      success: true as const,
      session: await stores.sessions.change(user.sub, params.sessionId, body),
    }),

    'sessions.showVersion': ({ user, params, body }) =>
      showVersion(stores, {
        sub: user.sub,
        sessionId: params.sessionId,
        messageId: body.message_id,
        version: body.version,
      }),

    'messages.rate': async ({ user, params, body }) => {
      await rateMessage(stores, { sub: user.sub, ...params }, body.rating)
      return { success: true as const }
    },

    'sessions.export': ({ user, params, query }) =>
      exportSession(stores, { sub: user.sub, sessionId: params.sessionId }, query),

    'sessions.corpus': ({ user, query }) => searchCorpus(stores, user.sub, query),

    'sessions.delete': async ({ user, params }) => {
      await deleteSession(stores, { sub: user.sub, sessionId: params.sessionId })
      return { success: true as const }
    },

    'shares.create': async ({ user: { sub }, params: { sessionId }, body: { days } }) => {
      if (env.SHARING === 'off') throw new SharingOff('switched off by the operator')
      await requestGuards().limits.countIn(sub, shareBudget)
      return { success: true as const, share: await shareSession(stores, { sub, sessionId, days }) }
    },

    'shares.list': async ({ user }) => ({ shares: await stores.shares.list(user.sub, Date.now()) }),

    'shares.revoke': async ({ user, params }) => {
      if (!(await stores.shares.revoke(user.sub, params.shareId))) throw new ShareNotFound(params.shareId)
      return { success: true as const }
    },
  },
)
