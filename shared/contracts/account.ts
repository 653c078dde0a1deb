import * as z from 'zod'
import { exportLanguage } from '#shared/contracts/export-language.ts'
import { proofFields } from '#shared/contracts/two-factor.ts'
import { maxAvatarBytes, maxDisplayNameCharacters, maxInstructionCharacters } from '#shared/limits.ts'
import { usageRead } from '#shared/contracts/usage.ts'
import { success } from '#shared/contracts/success.ts'

/** What the product itself knows of a person; the e-mail is the user pool's. */
const profile = z.object({
  /** what the assistant calls the user; empty when they want no name */
  display_name: z.string(),
  /** names the picture that `account.avatar` gives; null for initials */
  avatar_id: z.string().nullable(),
})
export type Profile = z.infer<typeof profile>

export const themeChoice = z.enum(['system', 'light', 'dark'])

/** When nothing is sent, by the clock of a time zone; `from` may be later than `to`: then over midnight. */
const clockTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
const timeZone = z
  .string()
  .max(64)
  .refine((name) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
    } catch {
      return false
    }
  })
const quietHours = z.strictObject({ from: clockTime, to: clockTime, time_zone: timeZone })
export type QuietHours = z.infer<typeof quietHours>

/** What the user is told while no page is open; by push to the browsers that subscribed. */
export const notificationSettings = z.strictObject({
  /** a reply waits for the user; absent: on */
  waiting: z.boolean().optional(),
  /** a reply has ended; absent: on */
  ended: z.boolean().optional(),
  /** a scheduled run has ended; absent: on */
  scheduled: z.boolean().optional(),
  /** also by mail; absent: off */
  mail: z.boolean().optional(),
  /** absent or null: none */
  quiet_hours: quietHours.nullable().optional(),
})
export type NotificationSettings = z.infer<typeof notificationSettings>

export const settings = z.object({
  /** off: new chats are never written to the history */
  keep_conversations: z.boolean(),
  /** off: a file is removed when the reply that read it is done */
  store_uploads: z.boolean(),
  /** null until one was chosen anywhere */
  theme: themeChoice.nullable(),
  /** of the page, such as `pt-BR`; absent or empty: the browser's */
  language: z.string().optional(),
  /** what the user wants of every reply; absent or empty: nothing */
  instructions: z.string().optional(),
  /** replies know the user's memories and may add to them; absent: off */
  memory: z.boolean().optional(),
  /** absent: the defaults; checked when they are stored */
  notifications: z.custom<NotificationSettings>().optional(),
})
export type Settings = z.infer<typeof settings>

export const accountRead = z.object({
  profile,
  settings,
  /** only of administrators, with their groups */
  is_admin: z.literal(true).optional(),
  groups: z.array(z.string()).optional(),
  /** id of the model that an administrator has set as the default; absent: as configured */
  default_model: z.string().optional(),
  /** something is sent to the user while no page of theirs is open, so pages tell that they are; absent: nothing is */
  is_notified: z.literal(true).optional(),
  /** what the caller's groups allow; an absent field: everything */
  limits: z
    .object({
      models: z.array(z.string()).optional(),
      /** models whose price is not known may not be chosen */
      priced_models_only: z.boolean().optional(),
      /** as in the limits of groups */
      tools: z.enum(['all', 'catalogue', 'built_in', 'none']).optional(),
      // rights that the caller does not have
      publish: z.literal(false).optional(),
      share_links: z.literal(false).optional(),
      upload: z.literal(false).optional(),
      memory: z.literal(false).optional(),
      temporary_chats: z.literal(false).optional(),
      schedules: z.literal(false).optional(),
      web_pages: z.literal(false).optional(),
      /** how many schedules at most; absent: as many as everybody may have */
      max_schedules: z.number().int().min(0).optional(),
    })
    .optional(),
})
export type AccountRead = z.infer<typeof accountRead>

const avatarId = z.string().regex(/^[0-9a-f-]{36}$/)

/** Absent fields stay as they are. */
export const profileChange = z.strictObject({
  display_name: z.string().max(maxDisplayNameCharacters).optional(),
  /** the name that the sender has seen; another one is stored meanwhile: 409 `changed_elsewhere` */
  display_name_seen: z.string().optional(),
  avatar_id: avatarId.nullable().optional(),
})
export const settingsChange = z.strictObject({
  keep_conversations: z.boolean().optional(),
  store_uploads: z.boolean().optional(),
  theme: themeChoice.optional(),
  language: z
    .string()
    .regex(/^(?:[a-z]{2}(?:-[A-Z]{2})?)?$/)
    .optional(),
  instructions: z.string().trim().max(maxInstructionCharacters).optional(),
  /** the instructions that the sender has seen, as `display_name_seen` */
  instructions_seen: z.string().optional(),
  memory: z.boolean().optional(),
  /** all of them */
  notifications: notificationSettings.optional(),
})

/** The picture that the browser has cropped. */
export const avatarUpload = z.strictObject({
  data: z
    .string()
    .regex(/^[A-Za-z0-9+/]+={0,2}$/)
    .max(Math.ceil(maxAvatarBytes / 3) * 4),
})
export const avatarUploaded = z.object({ avatar_id: avatarId })
export const avatarRead = z.object({ type: z.enum(['image/webp', 'image/jpeg']), data: z.string() })

/** How many items of each kind are stored of a user. */
export const dataCounts = z.object({
  conversations: z.number().int(),
  messages: z.number().int(),
  files: z.number().int(),
  integrations: z.number().int(),
  credentials: z.number().int(),
  /** removed ones too: their rows stay */
  custom_tools: z.number().int(),
  /** entries of the ledger */
  tool_calls: z.number().int(),
  memories: z.number().int(),
  projects: z.number().int(),
})
export type DataCounts = z.infer<typeof dataCounts>

/** The counts of a user without data. */
export const emptyDataCounts: Readonly<DataCounts> = {
  conversations: 0,
  messages: 0,
  files: 0,
  integrations: 0,
  credentials: 0,
  custom_tools: 0,
  tool_calls: 0,
  memories: 0,
  projects: 0,
}

/**
 * POST /api/account/export: may take minutes; the response starts with whitespace as a keep-alive, so `success` carries the outcome. The
 * archive can be downloaded from `url` until `ends_at`, without a token.
 */
export const exportQuery = z.object({ language: exportLanguage })
export const exportResponse = z.discriminatedUnion('success', [
  z.object({
    success: z.literal(true),
    file_name: z.string(),
    /** bytes */
    size: z.number().int(),
    url: z.string(),
    ends_at: z.string(),
  }),
  z.object({ success: z.literal(false), error: z.string(), code: z.string(), requestId: z.string() }),
])

export const conversationsDeleted = z.object({ deleted: z.number().int(), remaining: z.number().int() })

/**
 * The word that the user has to type, against deletion by mistake; and, with two-factor on, a code unless the sign-in is at most five
 * minutes old.
 */
export const eraseRequest = z.strictObject({ confirm: z.literal('DELETE'), ...proofFields })
export const eraseResponse = z.object({
  success: z.literal(true),
  /** false when there was more than one call could do: call again */
  done: z.boolean(),
  receipt: z.object({
    held: dataCounts,
    asked_at: z.string(),
    /** when the database's last backup that may hold something of it ends; absent where it has none */
    backups_end_at: z.string().optional(),
  }),
})
export type EraseResponse = z.infer<typeof eraseResponse>

export const accountContracts = {
  'account.read': { response: accountRead },
  'account.save': { request: profileChange, response: accountRead },
  'account.settings': { request: settingsChange, response: accountRead },
  'account.avatar': { response: avatarRead },
  'account.uploadAvatar': { request: avatarUpload, response: avatarUploaded },
  'account.usage': { response: usageRead },
  'account.storedData': { response: dataCounts },
  'account.export': { query: exportQuery, response: exportResponse },
  'account.forgetConversations': { response: conversationsDeleted },
  'account.signOutEverywhere': { response: success },
  'account.erase': { request: eraseRequest, response: eraseResponse },
} as const
