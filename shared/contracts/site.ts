import * as z from 'zod'
import { signUpPolicy, formatSignUpPolicy } from '#shared/sign-up-policy.ts'
import { adminGroup } from '#shared/user-pool.ts'
import { groupName } from '#shared/contracts/group-name.ts'

export const maxNoticeCharacters = 200
export const maxHouseInstructions = 4_000

/** What is blank is not set. */
const text = (maxCharacters: number) =>
  z
    .string()
    .trim()
    .max(maxCharacters)
    .transform((value) => (value === '' ? null : value))

const siteNotice = z.strictObject({
  text: z.string().trim().min(1).max(maxNoticeCharacters),
  kind: z.enum(['info', 'warning']).default('info'),
  /** ISO 8601; after it nobody sees the notice. Absent: until it is removed */
  until: z.iso
    .datetime({ offset: true })
    .transform((time) => new Date(time).toISOString())
    .optional(),
})
export type SiteNotice = z.output<typeof siteNotice>

const blankIsNull = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? null : value)

/**
 * The settings of the site by name. `null`: as the deployment has configured it. Amounts are positive: no reply at all is `replies`.
 */
const settings = {
  /** as SIGN_UP: `open`, `closed`, or e-mail domains with commas between them */
  signUp: z.preprocess(blankIsNull, signUpPolicy.transform(formatSignUpPolicy).nullable()),
  siteTokensPerDay: z.number().int().min(1).max(1e12).nullable(),
  /** USD */
  siteCostPerDay: z.number().min(0.01).max(1e9).nullable(),
  /** of a user without a group that says otherwise */
  tokensPerDay: z.number().int().min(1).max(1e12).nullable(),
  /** id of a model */
  defaultModel: text(200).nullable(),
  /** which new accounts join */
  defaultGroup: z.preprocess(
    blankIsNull,
    groupName.refine((name) => name !== adminGroup, 'everybody would be an administrator').nullable(),
  ),
  /** for every reply, before the user's own */
  instructions: text(maxHouseInstructions).nullable(),
  notice: siteNotice.nullable(),
  /** `off`: no new reply begins */
  replies: z.enum(['on', 'off']).nullable(),
  /** `off`: no run of a schedule begins; one that has begun goes on */
  schedules: z.enum(['on', 'off']).nullable(),
  /** `ask`: every page that a reply wants to read waits for approval; `off`: replies read and search none */
  webPages: z.enum(['on', 'ask', 'off']).nullable(),
} as const

export const siteSettingNames = Object.keys(settings) as (keyof typeof settings)[]
export type SiteSettingName = keyof typeof settings

/** Absent settings stay as they are. */
export const siteChange = z.strictObject(settings).partial()
export type SiteChange = z.output<typeof siteChange>

/** The settings that are set; the others are as configured. */
export type SiteSettings = { readonly [Name in SiteSettingName]?: NonNullable<SiteChange[Name]> }

const setting = <Value extends z.ZodType>(value: Value) => z.object({ value, configured: value })
const storedNotice = z.object({
  text: z.string(),
  kind: z.enum(['info', 'warning']),
  until: z.string().optional(),
})

const stop = z.object({ at: z.string(), by: z.string() })

export const adminSite = z.object({
  /** `value` null: as configured; `configured` null: the deployment sets none */
  settings: z.object({
    signUp: setting(z.string().nullable()),
    siteTokensPerDay: setting(z.number().nullable()),
    siteCostPerDay: setting(z.number().nullable()),
    tokensPerDay: setting(z.number().nullable()),
    defaultModel: setting(z.string().nullable()),
    defaultGroup: setting(z.string().nullable()),
    instructions: setting(z.string().nullable()),
    notice: setting(storedNotice.nullable()),
    replies: setting(z.enum(['on', 'off']).nullable()),
    schedules: setting(z.enum(['on', 'off']).nullable()),
    webPages: setting(z.enum(['on', 'ask', 'off']).nullable()),
  }),
  /** who stopped the replies, and when; absent while they are on */
  stopped: stop.optional(),
  /** the same of the schedules */
  schedules_stopped: stop.optional(),
  /** what only a deployment changes, by name; null: not set */
  deployment: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})
export type AdminSite = z.infer<typeof adminSite>

export const publicSite = z.object({
  /** null: none, or its time is over */
  notice: storedNotice.nullable(),
  /** without the domains, which are nobody's business */
  signUp: z.enum(['open', 'closed', 'domains']),
  replies: z.enum(['on', 'off']),
  /** present while administrators have stopped all schedules */
  schedules: z.literal('off').optional(),
})

export const adminSiteContracts = {
  'admin.site': { response: adminSite },
  'admin.updateSite': { request: siteChange, response: adminSite },
} as const

export const siteContracts = { 'site.read': { response: publicSite } } as const
