import type * as z from 'zod'
import { chatContracts } from '#shared/contracts/chat.ts'
import { runsContracts } from '#shared/contracts/runs.ts'
import { sessionsContracts } from '#shared/contracts/sessions.ts'
import { importsContracts } from '#shared/contracts/imports.ts'
import { assistantsContracts } from '#shared/contracts/assistants.ts'
import { projectsContracts } from '#shared/contracts/projects.ts'
import { sharedContracts, sharesContracts } from '#shared/contracts/shares.ts'
import { waitingContracts } from '#shared/contracts/waiting.ts'
import { speechContracts } from '#shared/contracts/speech.ts'
import { fileDeletionContracts, filesContracts } from '#shared/contracts/files.ts'
import { documentsContracts } from '#shared/contracts/documents.ts'
import { integrationsContracts, oauthContracts } from '#shared/contracts/integrations.ts'
import { manualSyncContracts, registryContracts } from '#shared/contracts/registry.ts'
import { schedulesContracts } from '#shared/contracts/schedules.ts'
import { toolsContracts } from '#shared/contracts/tools.ts'
import { appsContracts } from '#shared/contracts/apps.ts'
import { driveContracts } from '#shared/contracts/drive.ts'
import { accountContracts } from '#shared/contracts/account.ts'
import { memoryContracts } from '#shared/contracts/memory.ts'
import { pushContracts } from '#shared/contracts/push.ts'
import { mfaContracts } from '#shared/contracts/two-factor.ts'
import {
  adminAppContracts,
  adminContracts,
  adminErasureContracts,
  adminFactorContracts,
} from '#shared/contracts/admin.ts'
import { adminScheduleContracts } from '#shared/contracts/admin-schedules.ts'
import { adminSiteContracts, siteContracts } from '#shared/contracts/site.ts'
import { healthContracts } from '#shared/contracts/health.ts'
import type { RouteName } from '#shared/routes.ts'

/** The request and response of a route. The browser imports these as types only. */
export interface RouteContract {
  /** the JSON body; absent where a route takes none */
  readonly request?: z.ZodType
  /** the query string; absent where a route reads none. Unknown parameters are ignored. */
  readonly query?: z.ZodType
  /** the JSON response; fields it does not name are stripped */
  readonly response: z.ZodType
}

/** The contracts of all routes. A function imports only those of its own routes, to keep its bundle small. */
export const routeContracts = {
  ...chatContracts,
  ...runsContracts,
  ...speechContracts,
  ...sessionsContracts,
  ...importsContracts,
  ...projectsContracts,
  ...assistantsContracts,
  ...sharesContracts,
  ...waitingContracts,
  ...sharedContracts,
  ...filesContracts,
  ...fileDeletionContracts,
  ...documentsContracts,
  ...integrationsContracts,
  ...oauthContracts,
  ...manualSyncContracts,
  ...registryContracts,
  ...accountContracts,
  ...memoryContracts,
  ...pushContracts,
  ...mfaContracts,
  ...toolsContracts,
  ...schedulesContracts,
  ...adminContracts,
  ...adminAppContracts,
  ...adminFactorContracts,
  ...adminErasureContracts,
  ...adminScheduleContracts,
  ...adminSiteContracts,
  ...siteContracts,
  ...appsContracts,
  ...driveContracts,
  ...healthContracts,
} as const satisfies Record<RouteName, RouteContract>

type Contracts = typeof routeContracts
type Infer<Contract, Key extends string> =
  Contract extends Record<Key, infer Schema extends z.ZodType> ? z.output<Schema> : undefined

export type RouteRequest<Name extends RouteName> = Infer<Contracts[Name], 'request'>
export type RouteQuery<Name extends RouteName> = Infer<Contracts[Name], 'query'>
export type RouteResponse<Name extends RouteName> = Infer<Contracts[Name], 'response'>
