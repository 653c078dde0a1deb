import * as z from 'zod'
import { sharedContracts } from '#shared/contracts/shares.ts'
import { siteContracts } from '#shared/contracts/site.ts'
import { signUpPolicy } from '#shared/sign-up-policy.ts'
import { ownerViewsPerMinute, shareViewsPerMinute } from '../platform/limits.ts'
import { apiFunction } from '../platform/http/api-function.ts'
import { parseEnv } from '../platform/env.ts'
import { rateLimit, type Budget } from '../platform/http/rate-limit.ts'
import { findSignUpPolicy } from '../platform/sign-up-policy.ts'
import { findCurrentNotice, siteSettingsReader } from '../platform/site-settings.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { LinkTooBusy, OwnerTooBusy, ShareNotFound } from './errors.ts'
import { sharing } from './sharing.ts'
import { hashSecret, snapshotReader } from './snapshot-reader.ts'

const env = parseEnv({
  TABLE_NAME: z.string(),
  RATE_LIMIT_FACTOR: z.coerce.number().positive().default(1),
  SHARING: sharing,
  SIGN_UP: signUpPolicy,
})
const table = openTable(env.TABLE_NAME)
const loadSiteSettings = siteSettingsReader(table)
const snapshots = snapshotReader(table)
const limits = rateLimit(table, env.RATE_LIMIT_FACTOR)

const viewBudget: Budget = {
  name: 'views',
  max: shareViewsPerMinute,
  windowSeconds: 60,
  limitError: (retryAfterSeconds) => new LinkTooBusy('opened too often', retryAfterSeconds),
}

/** All links of one person together: the operator pays for what is transferred. */
const ownerBudget: Budget = {
  name: 'views',
  max: ownerViewsPerMinute,
  windowSeconds: 60,
  limitError: (retryAfterSeconds) => new OwnerTooBusy('links opened too often', retryAfterSeconds),
}

/**
 * Tells the page about the site, and shows a shared conversation to those whom its link is for. A link that is unknown, or not for the
 * caller, costs one read and is not counted.
 */
export const handler = apiFunction(
  'shared',
  { ...sharedContracts, ...siteContracts },
  {
    'site.read': async () => {
      const settings = await loadSiteSettings()
      return {
        notice: findCurrentNotice(settings, Date.now()),
        signUp: findSignUpPolicy(settings, env.SIGN_UP).mode,
        replies: settings.replies ?? 'on',
        ...(settings.schedules === 'off' && { schedules: settings.schedules }),
      }
    },

    'shares.view': async ({ user, body: { secret, page } }) => {
      const viewer = { nowMs: Date.now(), isSignedIn: user !== undefined }
      const head = env.SHARING === 'on' ? await snapshots.find(secret, viewer) : undefined
      if (!head || page > head.pages) throw new ShareNotFound('no such link')
      await limits.countIn(`share:${hashSecret(secret)}`, viewBudget)
      if (head.owner !== undefined) await limits.countIn(`share:of:${head.owner}`, ownerBudget)
      const messages = await snapshots.loadPage(secret, page)
      if (!messages) throw new ShareNotFound('revoked while it was read')
      const { title, created_at: shared_at, ends_at, pages } = head
      return { title, shared_at, ends_at, messages, next: page < pages ? page + 1 : null }
    },
  },
)
