import * as z from 'zod'
import {
  corpusQuery,
  corpusResponse,
  exportQuery,
  exportResponse,
  ratingRequest,
  sessionChanged,
  sessionChanges,
  sessionList,
  sessionListQuery,
  sessionRead,
  showVersionRequest,
} from '#shared/contracts/sessions.ts'
import { shareCreated, shareList, shareRequest } from '#shared/contracts/shares.ts'
import { success } from '#shared/contracts/success.ts'

/** What the routes of the function 'sessions' take and answer. */
export const sessionsContracts = {
  'sessions.list': { query: sessionListQuery, response: sessionList },
  'sessions.read': {
    query: z.object({
      before: z
        .string()
        .regex(/^\d{6}#[123]$/)
        .optional(),
    }),
    response: sessionRead,
  },
  'sessions.delete': { response: success },
  'sessions.update': { request: sessionChanges, response: sessionChanged },
  'sessions.showVersion': { request: showVersionRequest, response: sessionRead },
  'messages.rate': { request: ratingRequest, response: success },
  'sessions.export': { query: exportQuery, response: exportResponse },
  'sessions.corpus': { query: corpusQuery, response: corpusResponse },
  'shares.create': { request: shareRequest, response: shareCreated },
  'shares.list': { response: shareList },
  'shares.revoke': { response: success },
} as const
