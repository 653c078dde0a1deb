import { plural, t } from '@lingui/core/macro'
import { formatCount, formatList } from '../../../lib/locale.ts'

export const question = t`Question to the table`
export const notChanged = t`The file was not changed.`
export const fromSources = (sources: string) => t`From ${sources}.`
export const inSheet = (file: string, sheet: string) => t`${file}, sheet “${sheet}”`
export const rows = (count: number) => plural(count, { one: '# row', other: '# rows' })
export const rowsOf = (shown: number, total: number) => t`${formatCount(shown)} of ${formatCount(total)} rows`
export const tableOf = (name: string) => t`Table: ${name}`
export const result = t`Result`
export const noRows = t`No rows`
export const copy = t`Copy`
export const copyTable = t`Copy table`
export const csv = t`CSV`
export const downloadCsv = t`Download as CSV`
export const showMore = (count: number) => t`Show ${formatCount(count)} more`
export const noMore = (shown: number) => t`More than ${formatCount(shown)} rows are in the CSV.`
export const csvHas = (count: number) =>
  plural(count, { one: 'The CSV has # row.', other: 'The CSV has # rows.' })
export const csvHasSome = (count: number, total: number) =>
  t`The CSV has ${formatCount(count)} of ${formatCount(total)} rows.`
export const restIsMissing = t`The other rows are not stored here.`
export const csvLimit = t`A CSV has at most 100,000 rows.`
export const notLoaded = t`The rows could not be loaded. Please try again.`
export const empty = t`empty`
export const joined = (names: readonly string[]) => formatList(names)
