import * as z from 'zod'
import {
  accountRead,
  avatarRead,
  avatarUpload,
  avatarUploaded,
  conversationsForgotten,
  eraseRequest,
  eraseResponse,
  heldCounts,
  profileChange,
  settingsChange,
} from '#shared/contracts/account.ts'
import { chatRequest, chatResponse } from '#shared/contracts/chat.ts'
import { analyzeRequest, analyzeResponse } from '#shared/contracts/documents.ts'
import { attachmentResponse, linkResponse, listQuery, listResponse } from '#shared/contracts/files.ts'
import { presignRequest, presignResponse } from '#shared/contracts/files.ts'
import {
  cleanupAnswer,
  connectRequest,
  credentialAnswer,
  credentialRequest,
  customToolAnswer,
  customToolList,
  customToolRequest,
  customToolTestAnswer,
  customToolTestRequest,
  disconnectAnswer,
  integrationAnswer,
  integrationList,
  oauthAnswer,
  oauthRequest,
} from '#shared/contracts/integrations.ts'
import {
  registryEntry,
  registryPage,
  registryPageQuery,
  registryRefreshRequest,
  registrySearchQuery,
  registrySyncRequest,
  syncResult,
  syncStatus,
} from '#shared/contracts/registry.ts'
import { answerRequest, stopRequest, stopResponse } from '#shared/contracts/runs.ts'
import { corpusQuery, corpusResponse, exportQuery, exportResponse } from '#shared/contracts/sessions.ts'
import { renameRequest, renameResponse, sessionList, sessionRead } from '#shared/contracts/sessions.ts'
import {
  setupTwoFactorRequest,
  setupTwoFactorResponse,
  twoFactorStatus,
  verifyTwoFactorRequest,
  verifyTwoFactorResponse,
} from '#shared/contracts/two-factor.ts'
import type { RouteName } from '#shared/routes.ts'

/** What a route takes and answers; the browser imports these as types only. */
export interface RouteContract {
  /** the JSON body; absent where a route takes none */
  readonly request?: z.ZodType
  /** the query string; absent where a route reads none. Unknown parameters are ignored. */
  readonly query?: z.ZodType
  /** the JSON answer; fields it does not name are stripped */
  readonly response: z.ZodType
}

const success = z.object({ success: z.literal(true) })

export const routeContracts = {
  'chat.send': { request: chatRequest, response: chatResponse },
  'runs.events': { response: z.never() },
  'runs.stop': { request: stopRequest, response: stopResponse },
  'runs.answer': { request: answerRequest, response: chatResponse },
  'sessions.list': { response: sessionList },
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
  'sessions.rename': { request: renameRequest, response: renameResponse },
  'sessions.export': { query: exportQuery, response: exportResponse },
  'sessions.corpus': { query: corpusQuery, response: corpusResponse },
  'files.presign': { request: presignRequest, response: presignResponse },
  'files.complete': { response: attachmentResponse },
  'files.link': { response: linkResponse },
  'files.list': { query: listQuery, response: listResponse },
  'files.delete': { response: success },
  'documents.analyze': { request: analyzeRequest, response: analyzeResponse },
  'credentials.manage': { request: credentialRequest, response: credentialAnswer },
  'oauth.handle': { request: oauthRequest, response: oauthAnswer },
  'registry.sync': { request: registrySyncRequest, response: syncResult },
  'registry.refresh': { request: registryRefreshRequest, response: syncResult },
  'registry.page': { query: registryPageQuery, response: registryPage },
  'registry.search': { query: registrySearchQuery, response: registryPage },
  'registry.status': { response: syncStatus },
  'registry.one': { response: z.object({ entry: registryEntry }) },
  'integrations.list': { response: integrationList },
  'integrations.cleanup': { request: z.strictObject({}), response: cleanupAnswer },
  'integrations.connect': { request: connectRequest, response: integrationAnswer },
  'integrations.disconnect': { request: z.strictObject({}), response: disconnectAnswer },
  'integrations.refresh': { request: z.strictObject({}), response: integrationAnswer },
  'customTools.list': { response: customToolList },
  'customTools.add': { request: customToolRequest, response: customToolAnswer },
  'customTools.test': { request: customToolTestRequest, response: customToolTestAnswer },
  'customTools.remove': { response: success },
  'account.read': { response: accountRead },
  'account.save': { request: profileChange, response: accountRead },
  'account.settings': { request: settingsChange, response: accountRead },
  'account.avatar': { response: avatarRead },
  'account.uploadAvatar': { request: avatarUpload, response: avatarUploaded },
  'account.held': { response: heldCounts },
  'account.export': { response: z.never() },
  'account.forgetConversations': { response: conversationsForgotten },
  'account.signOutEverywhere': { response: success },
  'account.erase': { request: eraseRequest, response: eraseResponse },
  'mfa.setup': { request: setupTwoFactorRequest, response: setupTwoFactorResponse },
  'mfa.verify': { request: verifyTwoFactorRequest, response: verifyTwoFactorResponse },
  'mfa.status': { response: twoFactorStatus },
  health: { response: z.object({ ok: z.literal(true), version: z.string() }) },
} as const satisfies Record<RouteName, RouteContract>

type Contracts = typeof routeContracts
type Infer<Contract, Key extends string> =
  Contract extends Record<Key, infer Schema extends z.ZodType> ? z.output<Schema> : undefined

export type RouteRequest<Name extends RouteName> = Infer<Contracts[Name], 'request'>
export type RouteQuery<Name extends RouteName> = Infer<Contracts[Name], 'query'>
export type RouteResponse<Name extends RouteName> = Infer<Contracts[Name], 'response'>
