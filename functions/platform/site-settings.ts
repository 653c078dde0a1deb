import { GetCommand } from '@aws-sdk/lib-dynamodb'
import type { GroupLimits } from '#shared/contracts/admin.ts'
import type { SiteNotice, SiteSettingName, SiteSettings } from '#shared/contracts/site.ts'
import type { Table } from './dynamodb/table.ts'

/** The key of the one row with what administrators have set for the whole site, an attribute for each setting. */
export const siteSettingsKey = { PK: 'SETTINGS', SK: 'SITE' } as const

/** A change counts everywhere within a minute. */
const cacheMs = 30_000

const isText = (value: unknown) => typeof value === 'string' && value !== ''
const isAmount = (value: unknown) => typeof value === 'number' && value > 0
const isSwitch = (value: unknown) => value === 'on' || value === 'off'
const isNotice = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && 'text' in value && isText(value.text)
/** A kind that this release does not know is shown as information. */
const toNotice = ({ text, kind, until }: Record<string, unknown>) => ({
  text,
  kind: kind === 'warning' ? kind : 'info',
  ...(isText(until) && { until }),
})

const checks: Readonly<Record<SiteSettingName, (value: unknown) => boolean>> = {
  signUp: isText,
  siteTokensPerDay: isAmount,
  siteCostPerDay: isAmount,
  tokensPerDay: isAmount,
  defaultModel: isText,
  defaultGroup: isText,
  instructions: isText,
  notice: isNotice,
  replies: isSwitch,
  schedules: isSwitch,
  webPages: (value) => isSwitch(value) || value === 'ask',
}

/**
 * Reads a stored row, which the contract has checked when it was written (shared/contracts/site.ts): without a schema, because the
 * chat's start loads this.
 * @returns the settings that are set; one that cannot be read is as configured
 */
export function parseSiteSettings(row: Readonly<Record<string, unknown>> = {}): SiteSettings {
  const valid = Object.entries(checks).flatMap(([name, isValid]) =>
    isValid(row[name]) ? [[name, row[name]] as const] : [],
  )
  const { notice } = row
  return {
    ...Object.fromEntries(valid),
    ...(isNotice(notice) && { notice: toNotice(notice) }),
  } as SiteSettings
}

/** Reads the settings of the site, at most once in 30 seconds; failures are not cached. */
export function siteSettingsReader({ client, name: TableName }: Table) {
  let cached: { settings: Promise<SiteSettings>; untilMs: number } | undefined

  const read = async () => {
    const { Item } = await client.send(new GetCommand({ TableName, Key: siteSettingsKey }))
    return parseSiteSettings(Item)
  }

  return (): Promise<SiteSettings> => {
    if (cached && Date.now() < cached.untilMs) return cached.settings
    const entry = { settings: read(), untilMs: Date.now() + cacheMs }
    cached = entry
    entry.settings.catch(() => {
      if (cached === entry) cached = undefined
    })
    return entry.settings
  }
}

/** The deployment's limits with those of the site: a group's own limits count over both. */
export const withSiteLimits = (limits: GroupLimits, { tokensPerDay }: SiteSettings): GroupLimits => ({
  ...limits,
  ...(tokensPerDay !== undefined && { tokens_per_day: tokensPerDay }),
})

/** The notice, unless its time is over. */
export const findCurrentNotice = ({ notice }: SiteSettings, nowMs: number): SiteNotice | null =>
  notice && (notice.until === undefined || Date.parse(notice.until) > nowMs) ? notice : null
