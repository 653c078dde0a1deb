import { isDeepStrictEqual } from 'node:util'
import type { AuditEntry } from '#shared/contracts/admin.ts'
import {
  siteSettingNames,
  type AdminSite,
  type SiteChange,
  type SiteSettingName,
} from '#shared/contracts/site.ts'
import type { Actor, AuditLog } from '../../platform/audit-log.ts'
import { readRow } from '../../platform/dynamodb/rows.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { updateRow } from '../../platform/dynamodb/update-row.ts'
import { resumedAtName } from '../../platform/schedule-stop.ts'
import { parseSiteSettings, siteSettingsKey } from '../../platform/site-settings.ts'
import { GroupNotFound, UnknownModel } from '../errors.ts'

interface SiteDeps {
  readonly table: Table
  readonly log: AuditLog
  readonly listGroups: () => Promise<readonly string[]>
  /** what the deployment has configured */
  readonly configured: Partial<{ [Name in SiteSettingName]: AdminSite['settings'][Name]['configured'] }>
  readonly deployment: AdminSite['deployment']
  /** ids that may become the default; undefined where the models' server lists them, so that any id is accepted */
  readonly models: readonly string[] | undefined
}

type Row = Record<string, unknown>

/**
 * Reads and changes the settings of the whole site. Each setting is an attribute of its own, so that two administrators can change different
 * ones at the same time.
 */
export const siteAdministration = (deps: SiteDeps) => {
  const { table, log, configured, deployment } = deps

  function toAdminSite(row: Row = {}): AdminSite {
    const settings = parseSiteSettings(row)
    const shown = siteSettingNames.map((name) => [
      name,
      { value: settings[name] ?? null, configured: configured[name] ?? null },
    ])
    return {
      settings: Object.fromEntries(shown) as AdminSite['settings'],
      ...(settings.replies === 'off' && toStop('stopped', row['stopped_at'], row['stopped_by'])),
      ...(settings.schedules === 'off' &&
        toStop('schedules_stopped', row['schedules_stopped_at'], row['schedules_stopped_by'])),
      deployment,
    }
  }

  const load = () => readRow(table, siteSettingsKey)

  /** @throws GroupNotFound, UnknownModel */
  async function requireKnown({ defaultGroup, defaultModel }: SiteChange): Promise<void> {
    if (defaultGroup && !(await deps.listGroups()).includes(defaultGroup))
      throw new GroupNotFound(`no group ${defaultGroup}`)
    if (defaultModel && deps.models && !deps.models.includes(defaultModel))
      throw new UnknownModel(`no model ${defaultModel}`)
  }

  return {
    /** Reads all settings, with the defaults of the deployment. */
    read: async (): Promise<AdminSite> => toAdminSite(await load()),

    /** Changes the named settings, and records it in the audit log; null resets one. @throws GroupNotFound, UnknownModel */
    async update(actor: Actor, change: SiteChange, nowMs: number): Promise<AdminSite> {
      await requireKnown(change)
      const row = await load()
      const before = toAdminSite(row).settings
      const changed = siteSettingNames.filter(
        (name) => change[name] !== undefined && !isDeepStrictEqual(change[name], before[name].value),
      )
      if (changed.length === 0) return toAdminSite(row)
      const values: Row = Object.fromEntries(changed.map((name) => [name, change[name]]))
      const by = 'email' in actor ? actor.email : ''
      if (changed.includes('replies')) Object.assign(values, toStopAttributes('', change.replies, by, nowMs))
      if (changed.includes('schedules'))
        Object.assign(values, {
          ...toStopAttributes('schedules_', change.schedules, by, nowMs),
          // the lag of runs that were due during the stop is counted from here
          ...(change.schedules !== 'off' && { [resumedAtName]: nowMs }),
        })
      const event = {
        actor,
        action: 'site.updated' as const,
        target: '',
        details: toDetails(change, changed),
      }
      return log.record(event, async () => toAdminSite(await save(table, values)))
    },
  }
}

/** Who stopped replies or schedules, and when. @returns undefined for a row without it */
const toStop = (name: 'stopped' | 'schedules_stopped', at: unknown, by: unknown) =>
  typeof at === 'string' && typeof by === 'string' ? { [name]: { at, by } } : undefined

/** The attributes that say who stopped replies or schedules, and when; null after the stop. */
const toStopAttributes = (
  prefix: '' | 'schedules_',
  value: SiteChange['replies'],
  by: string,
  nowMs: number,
): Row => {
  const isStopped = value === 'off'
  return {
    [`${prefix}stopped_at`]: isStopped ? new Date(nowMs).toISOString() : null,
    [`${prefix}stopped_by`]: isStopped ? by : null,
  }
}

/** Updates attributes of the settings' row. @param values null removes an attribute. @returns the whole row */
async function save(table: Table, values: Row): Promise<Row> {
  const names = Object.keys(values)
  const set = names.filter((name) => values[name] !== null)
  const removed = names.filter((name) => values[name] === null)
  const clauses = [
    set.length > 0 && `SET ${set.map((name) => `#${name} = :${name}`).join(', ')}`,
    removed.length > 0 && `REMOVE ${removed.map((name) => `#${name}`).join(', ')}`,
  ]
  const { attributes = {} } = await updateRow(table, siteSettingsKey, {
    update: clauses.filter(Boolean).join(' '),
    ...(set.length > 0 && { values: Object.fromEntries(set.map((name) => [`:${name}`, values[name]])) }),
    returns: 'ALL_NEW',
  })
  return attributes
}

/** The new values for the audit log, by name; a setting that was reset has the value `-`. */
function toDetails(change: SiteChange, changed: readonly SiteSettingName[]): AuditEntry['details'] {
  const details: NonNullable<AuditEntry['details']> = {}
  for (const name of changed) {
    const value = change[name] ?? '-'
    details[name] = typeof value === 'object' ? value.text : value
  }
  return details
}
