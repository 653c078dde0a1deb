import { plural, t } from '@lingui/core/macro'
import type { AuditEntry, GroupLimits } from '#shared/contracts/admin.ts'
import type { PublicModel } from '#shared/models.ts'
import { formatDate } from '../../../lib/text/dates.ts'
import { formatCount, formatList } from '../../../lib/text/locale.ts'
import { fieldNames, describeSignUp, webPagesTexts } from '../site/site-form.ts'
import { describeLimits } from '../describe-limits.ts'
import { storedItemFormatters } from '../../../components/format-stored-data.ts'

/** The labels of details, by their names in an entry. */
const detailLabels = {
  user: t`User ID`,
  added: t`Added`,
  removed: t`Removed`,
  groups: t`Groups`,
  changed: t`Changed`,
  failed: t`Failed`,
  backups_end_at: t`Backups end`,
  project: t`Project ID`,
  assistant: t`Assistant ID`,
  everyone: t`Everyone here`,
}

/** The labels of the settings of the site. The two stops have buttons instead of fields, and so no name in the form. */
const siteLabels = { ...fieldNames, replies: t`Stop all replies`, schedules: t`Stop all schedules` }

/** The fields that a change of a group names. */
const groupFieldLabels = { description: t`Description`, limits: t`Limits` }

type Detail = NonNullable<AuditEntry['details']>[string]

/** The details of an entry as short phrases. Empty values and zeros are left out, except in limits and settings of the site. */
export function describeDetails(
  { action, details = {} }: Pick<AuditEntry, 'action' | 'details'>,
  models?: readonly PublicModel[],
): string[] {
  const { failed, ...others } = details
  return [
    ...describeChange(action, others, models),
    // each action may have it, beside what was to change
    ...describeEach({ failed }),
  ]
}

function describeChange(
  action: string,
  details: Readonly<Record<string, Detail>>,
  models: readonly PublicModel[] | undefined,
): string[] {
  if (action === 'site.updated') return describeSettings(details)
  if (action !== 'group.created' && action !== 'group.updated') return describeEach(details)
  // the other details are the limits, under their own names
  const { changed } = details
  return [...describeLimits(details as GroupLimits, models), ...describeEach({ changed })]
}

/** Each setting with its new value. The service writes `-` for the value of the deployment. */
const describeSettings = (details: Readonly<Record<string, Detail>>): string[] =>
  Object.entries(details).map(([name, value]) => {
    const label = isKey(siteLabels, name) ? siteLabels[name] : name
    return t`${{ name: label }}: ${{ value: formatSetting(name, value) }}`
  })

function formatSetting(name: string, value: Detail): string {
  if (name === 'replies' || name === 'schedules') return value === 'off' ? t`yes` : t`no`
  if (value === '-') return t`as deployed`
  if (name === 'webPages' && typeof value === 'string' && isKey(webPagesTexts, value))
    return webPagesTexts[value]
  return name === 'signUp' && typeof value === 'string' ? describeSignUp(value) : formatDetail(name, value)
}

function describeEach(details: Readonly<Record<string, Detail | undefined>>): string[] {
  return Object.entries(details).flatMap(([name, value]) => {
    if (value === undefined || value === 0 || value === '' || (Array.isArray(value) && value.length === 0))
      return []
    if (typeof value === 'number' && name === 'days')
      return [plural({ days: value }, { one: 'Valid for # day', other: 'Valid for # days' })]
    if (typeof value === 'number' && isKey(storedItemFormatters, name))
      return [storedItemFormatters[name](value)]
    const label = isKey(detailLabels, name) ? detailLabels[name] : name.replaceAll('_', ' ')
    return [t`${{ name: label }}: ${{ value: formatDetail(name, value) }}`]
  })
}

/** Whether a name is known to this release. Stored entries may have names of earlier releases. */
const isKey = <Known extends object>(known: Known, name: string): name is Extract<keyof Known, string> =>
  Object.hasOwn(known, name)

function formatDetail(name: string, value: Detail): string {
  if (Array.isArray(value)) return formatList(name === 'changed' ? value.map(translateField) : value)
  if (typeof value === 'boolean') return value ? t`yes` : t`no`
  if (typeof value === 'number') return formatCount(value)
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? formatDate(new Date(value)) : value
}

const translateField = (field: string) => (isKey(groupFieldLabels, field) ? groupFieldLabels[field] : field)
