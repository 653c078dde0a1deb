import type * as z from 'zod'
import { chatContracts } from '#shared/contracts/routes/chat.ts'
import { sessionsContracts } from '#shared/contracts/routes/sessions.ts'
import { sharedContracts } from '#shared/contracts/routes/shared.ts'
import { filesContracts } from '#shared/contracts/routes/files.ts'
import { documentsContracts } from '#shared/contracts/routes/documents.ts'
import { integrationsContracts } from '#shared/contracts/routes/integrations.ts'
import { oauthContracts } from '#shared/contracts/routes/oauth.ts'
import { manualSyncContracts } from '#shared/contracts/routes/manual-sync.ts'
import { toolsContracts } from '#shared/contracts/routes/tools.ts'
import { registryContracts } from '#shared/contracts/routes/registry.ts'
import { accountContracts } from '#shared/contracts/routes/account.ts'
import { mfaContracts } from '#shared/contracts/routes/mfa.ts'
import { healthContracts } from '#shared/contracts/routes/health.ts'
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

/** All of them. A function takes those of its own routes only, so that it does not carry the others' schemas along. */
export const routeContracts = {
  ...chatContracts,
  ...sessionsContracts,
  ...sharedContracts,
  ...filesContracts,
  ...documentsContracts,
  ...integrationsContracts,
  ...oauthContracts,
  ...manualSyncContracts,
  ...registryContracts,
  ...accountContracts,
  ...mfaContracts,
  ...toolsContracts,
  ...healthContracts,
} as const satisfies Record<RouteName, RouteContract>

type Contracts = typeof routeContracts
type Infer<Contract, Key extends string> =
  Contract extends Record<Key, infer Schema extends z.ZodType> ? z.output<Schema> : undefined

export type RouteRequest<Name extends RouteName> = Infer<Contracts[Name], 'request'>
export type RouteQuery<Name extends RouteName> = Infer<Contracts[Name], 'query'>
export type RouteResponse<Name extends RouteName> = Infer<Contracts[Name], 'response'>
