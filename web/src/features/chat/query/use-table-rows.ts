import { plural, t } from '@lingui/core/macro'
import { formatCount } from '../../../lib/text/locale.ts'
import { useState } from 'react'
import { byteOrderMark, formatCsv } from '#shared/format-csv.ts'
import { maxCsvRows } from '#shared/limits.ts'
import type { TableResult } from '#shared/table-result.ts'
import { useActionMutation } from '../../../components/use-action.ts'
import { ApiError } from '../../../lib/api/api-errors.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { hasErrorCode } from '../../../lib/api/has-error-code.ts'
import { downloadBlob, downloadFile } from '../../../lib/browser/download.ts'
import { toFileName } from '../../../lib/browser/file-name.ts'

/** How many rows are shown at first: about as many as fit beside the reply. */
const firstRowCount = 12
/** How many rows each press shows more. */
const moreRowCount = 50
/** More would slow the page down. */
const maxShownRows = 1_000
/** Long: the service reads the tables from their files before it repeats the query. */
const timeoutMs = 30_000

/**
 * The rows of a result that are shown, and how to get the others: the service repeats the query, if its sources are stored files.
 * @returns `loaded`: all rows that this page has; `activity`: what is being loaded, if anything; `note`: what the last action has
 * done, for the user; `showMore`: undefined if there are no more rows, or as many are shown as may be; `isLimited` tells the latter; `moreCount`:
 * how many rows it shows
 */
export function useTableRows(result: TableResult) {
  const { sql, columns, total } = result
  const [loaded, setLoaded] = useState(result.rows)
  const [shownCount, setShownCount] = useState(firstRowCount)
  /** whether the rest cannot be loaded any more, because a source was deleted */
  const [isGone, setGone] = useState(false)
  const [note, setNote] = useState('')
  const tables = result.sources.flatMap(({ table, file_id, key }) =>
    file_id === undefined || key === undefined ? [] : [{ table, file_id, key }],
  )
  const fileName = `${toFileName(result.sources[0]?.table ?? '') ?? 'table'}.csv`
  const isComplete = loaded.length >= total
  const canRepeat = !isGone && sql !== '' && tables.length > 0 && tables.length === result.sources.length

  /** Shows an error. @returns its text, if the rest of the rows cannot be loaded any more */
  const reportError = (error: unknown): string | undefined => {
    const message =
      error instanceof ApiError ? error.userMessage : t`The rows could not be loaded. Please try again.`
    setNote(message)
    if (!hasErrorCode(error, 'table_file_gone')) return undefined
    setGone(true)
    return message
  }

  const saveLoaded = () => saveRows({ columns, rows: loaded, total }, fileName)
  const showNext = () => setShownCount(Math.min(shownCount + moreRowCount, total, maxShownRows))
  const keys = tables.map(({ key }) => key).join(' ')
  const { activity, start } = useActionMutation(`query ${keys} ${sql}`, {
    describe: (format: 'rows' | 'csv') => format,
    isQueued: true,
    failureTitle: t`The rows could not be loaded. Please try again.`,
    run: (format) => {
      const from = format === 'rows' ? loaded.length : 0
      return callApi('documents.query', { body: { sql, tables, format, from } }, { timeoutMs })
    },
    onSuccess: (answer) => {
      if ('rows' in answer) {
        setLoaded([...loaded, ...answer.rows])
        setNote('')
        showNext()
      } else if ('url' in answer) {
        downloadFile(answer.url, fileName)
        setNote(describeCsv(answer.csv_rows, answer.total_rows))
      }
    },
    onError: (error, format) => {
      const goneText = reportError(error)
      if (format === 'rows') showNext()
      else if (goneText !== undefined) setNote(`${goneText} ${saveLoaded()}`)
    },
  })
  const showMore = () => {
    if (shownCount + moreRowCount > loaded.length && loaded.length < total && canRepeat) start('rows')
    else showNext()
  }
  const saveCsv = () => {
    if (isComplete || !canRepeat) setNote(saveLoaded())
    else start('csv')
  }

  const rows = loaded.slice(0, shownCount)
  const hasMore = rows.length < total && (rows.length < loaded.length || canRepeat)
  return {
    rows,
    loaded,
    activity,
    note,
    saveCsv,
    showMore: hasMore && shownCount < maxShownRows ? showMore : undefined,
    moreCount: Math.min(
      moreRowCount,
      (canRepeat ? total : loaded.length) - rows.length,
      maxShownRows - rows.length,
    ),
    isLimited: hasMore && shownCount >= maxShownRows,
  }
}

/** Downloads rows of a result as CSV. @returns how many the file has, for the user */
function saveRows(
  { columns, rows, total }: Pick<TableResult, 'columns' | 'rows' | 'total'>,
  fileName: string,
) {
  const csv = byteOrderMark + formatCsv([columns, ...rows])
  downloadBlob(new Blob([csv], { type: 'text/csv' }), fileName)
  if (rows.length >= total) return describeCsv(total, total)
  const part = t`The CSV has ${{ count: formatCount(rows.length) }} of ${formatCount(total)} rows.`
  return `${part} ${t`The other rows are not stored here.`}`
}

/** Says how many of a result's rows a CSV has, and why not all if there is a limit. */
const describeCsv = (rows: number, total: number) =>
  rows === total
    ? plural({ count: total }, { one: 'The CSV has # row.', other: 'The CSV has # rows.' })
    : [
        t`The CSV has ${{ count: formatCount(rows) }} of ${{ total: formatCount(total) }} rows.`,
        ...(rows === maxCsvRows ? [t`A CSV has at most ${{ count: formatCount(maxCsvRows) }} rows.`] : []),
      ].join(' ')
