import type {
  AdminUserDetails,
  AuditEntry,
  AdminInvitation,
  Group,
  ProviderApps,
} from '#shared/contracts/admin.ts'
import type { AdminSite } from '#shared/contracts/site.ts'
import type { PersonSchedules } from '#shared/contracts/admin-schedules.ts'
import { ApiError } from '../../web/src/lib/api/api-errors.ts'
import type { RouteHandlers } from './fake-api.ts'

/** An installation with a few users, as the admin API returns it; its state changes with the requests. */

const noUsage = { replies: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, images: 0 }

export const aUser = (id: string, changes: Partial<AdminUserDetails> = {}): AdminUserDetails => ({
  id,
  email: `${id}@roastery.example`,
  name: '',
  status: 'active',
  sign_in: 'password',
  groups: [],
  two_factor: false,
  created_at: '2026-10-01T08:00:00.000Z',
  usage: { today: noUsage, month: noUsage },
  limits: {},
  ...changes,
})

export const aGroup = (name: string, changes: Partial<Group> = {}): Group => ({
  name,
  description: '',
  limits: {},
  members: 0,
  version: 1,
  ...changes,
})

const unset = { value: null, configured: null }
/** A site whose administrators have set nothing. */
export const aSite: AdminSite = {
  settings: {
    signUp: { value: null, configured: 'open' },
    siteTokensPerDay: unset,
    siteCostPerDay: unset,
    tokensPerDay: unset,
    defaultModel: unset,
    defaultGroup: unset,
    instructions: unset,
    notice: unset,
    replies: { value: null, configured: 'on' },
    schedules: { value: null, configured: 'on' },
    webPages: { value: null, configured: 'on' },
  },
  deployment: {},
}

const notFound = () =>
  new ApiError({ status: 404, code: 'user_not_found', userMessage: 'There is no such user.' })

export interface Installation {
  users: AdminUserDetails[]
  groups: Group[]
  invitations: AdminInvitation[]
  entries: AuditEntry[]
  apps?: ProviderApps
  schedules?: PersonSchedules[]
}

/** Two users a page, so that few are enough for several pages. */
const pageSize = 2

/** Handlers of the admin API for an installation, which they change. */
export function createAdminHandlers(installation: Installation): RouteHandlers {
  const findUser = (userId: string) => {
    const user = installation.users.find(({ id }) => id === userId)
    if (!user) throw notFound()
    return user
  }
  const change = (userId: string, changes: Partial<AdminUserDetails>) => ({
    user: Object.assign(findUser(userId), changes),
  })
  return {
    'admin.users': ({ query }) => {
      const from = Number(query.cursor ?? 0)
      const found = installation.users.filter(({ email }) => email.startsWith(query.query ?? ''))
      const end = from + pageSize
      return { users: found.slice(from, end), next_cursor: end < found.length ? String(end) : null }
    },
    'admin.user': ({ params }) => ({ user: findUser(params.userId) }),
    'admin.disableUser': ({ params }) => change(params.userId, { status: 'disabled' }),
    'admin.enableUser': ({ params }) => change(params.userId, { status: 'active' }),
    'admin.signOutUser': ({ params }) => change(params.userId, {}),
    'admin.resetTwoFactor': ({ params }) => {
      change(params.userId, { two_factor: false })
      return { success: true }
    },
    'admin.setGroups': ({ params, body }) => {
      const kept = findUser(params.userId).groups.filter((name) => !body.remove.includes(name))
      return change(params.userId, { groups: [...kept, ...body.add] })
    },
    'admin.groups': () => ({ groups: installation.groups }),
    'admin.site': () => aSite,
    'admin.invitations': () => ({ invitations: installation.invitations }),
    'admin.providerApps': () => installation.apps ?? { problem: null, integrations: [], unknown: [] },
    'admin.feedback': ({ query: { month = '' } }) => ({ month, counts: [], texts: [], older_texts: 0 }),
    'admin.schedules': () => ({ people: installation.schedules ?? [], next_cursor: null }),
    'admin.audit': () => ({ entries: installation.entries, next_cursor: null }),
  }
}
