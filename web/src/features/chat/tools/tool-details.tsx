import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import type { ReactNode } from 'react'
import type { ResultExtras, ToolCall } from '#shared/contracts/chat.ts'
import type { ElicitedInput } from '#shared/contracts/elicitation.ts'
import { maskSecrets } from '#shared/mask-secrets.ts'
import { isTableQuery } from '#shared/table-result.ts'
import { formatServerText, revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import { formatCount } from '../../../lib/text/locale.ts'
import { translateData } from '../../../lib/text/translate-data.ts'
import { translateSentences } from '../../../lib/text/translate-sentences.ts'
import { ArgumentList, LongText } from '../calls/argument-list.tsx'
import { isReadPage } from '../calls/page-calls.ts'
import { findResultList, formatValue } from '../calls/tool-summary.ts'
import { CopyableTable } from '../markdown/copyable-table.tsx'
import { LinkNote } from '../markdown/link-note.tsx'
import { findOtherTarget } from '../markdown/link-target.ts'
import { QueryDetails } from '../query/query-details.tsx'
import { summariseRow } from './summarise-row.ts'

type Row = Readonly<Record<string, unknown>>

/** A tool's result as a table. */
interface ResultTableData {
  /** in the order of their first occurrence in the rows */
  columns: readonly string[]
  rows: readonly Row[]
}

/** Data with more columns is shown as JSON, which is easier to read then. */
const maxColumns = 30

const isScalar = (value: unknown) => value === null || typeof value !== 'object'
const isFlatRow = (row: unknown): row is Row =>
  typeof row === 'object' && row !== null && !Array.isArray(row) && Object.values(row).every(isScalar)

/** Converts a list of flat objects, or an object with one such list and otherwise scalars, to a table. @returns undefined for other data */
function toTable(data: unknown): ResultTableData | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const values = Array.isArray(data) ? [data] : Object.values(data)
  const lists = values.filter((value) => !isScalar(value))
  const rows: unknown = lists.length === 1 ? lists[0] : undefined
  if (!Array.isArray(rows) || rows.length === 0 || !rows.every(isFlatRow)) return undefined
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return columns.length > 0 && columns.length <= maxColumns ? { columns, rows } : undefined
}

/** How many results are listed; further ones are only counted. */
const maxRows = 20

/**
 * The arguments and the result of a call, and what the user was asked during it. Secrets are masked and hidden characters revealed. The rows of a
 * table query are shown as the reply shows them, with secrets.
 */
export function ToolDetails({ call, isTableShown }: { call: ToolCall; isTableShown: boolean }) {
  const { parameters, result, elicited, integration } = call
  if (isTableQuery(call)) return <QueryDetails call={call} isTableShown={isTableShown} />
  if (isReadPage(call) && result.success)
    return <PageDetails page={translateData(result.data, result.sentences)} />
  return (
    <>
      <Section title={t`Arguments`}>
        {Object.keys(parameters).length === 0 ? (
          <p className="text-ink-muted">{t({ message: 'None', context: 'arguments' })}</p>
        ) : (
          <ArgumentList value={maskSecrets(parameters) as Record<string, unknown>} />
        )}
      </Section>
      {elicited?.map((input, index) => (
        <Section key={index} title={describeElicited(integration, input)}>
          <p dir="auto" className="wrap-anywhere text-ink-muted">
            {t`“${{ name: formatServerText(input.message) }}”`}
          </p>
          {input.content && <ArgumentList value={maskSecrets(input.content) as Record<string, unknown>} />}
        </Section>
      ))}
      <Section title={result.success ? t`Result` : t`Error`}>
        {result.success ? (
          <ResultValue value={maskSecrets(translateData(result.data, result.sentences))} {...result} />
        ) : (
          <p className="wrap-anywhere text-danger-ink">
            {formatServerText(translateSentences(result.error ?? '', result.codes)) || t`The call failed.`}
          </p>
        )}
      </Section>
    </>
  )
}

/** Where a page is from, what it is called, and what became of its text. */
function PageDetails({ page }: { page: unknown }) {
  const { url, title, note } = (page ?? {}) as { url?: unknown; title?: unknown; note?: unknown }
  return (
    <>
      <Section title={t`Address`}>
        <span dir="ltr" className="font-mono text-[13px] wrap-anywhere">
          {revealHiddenCharacters(formatValue(url))}
        </span>
      </Section>
      <Section title={t`Title`}>
        <span dir="auto" className="wrap-anywhere">
          {formatServerText(formatValue(title))}
        </span>
      </Section>
      <Section title={t`Kept`}>
        {t`The text, with this chat. Deleted with it.`}
        {note !== undefined && (
          <p className="wrap-anywhere text-ink-muted">{formatServerText(formatValue(note))}</p>
        )}
      </Section>
    </>
  )
}

/** What the user answered when the server asked something during the call. */
function describeElicited(serverName: string | undefined, { action, host }: ElicitedInput): string {
  const server = serverName === undefined ? t`The server` : formatServerText(serverName)
  if (action === 'decline') return t`${server} asked, and you declined`
  if (action === 'cancel') return t`${server} asked, and you cancelled`
  return host === undefined
    ? t`${server} asked, and you sent`
    : t`${server} asked, and you said that you were done at ${host}`
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="min-w-0">
      <h3 className="mb-1 text-xs font-medium text-ink-faint">{title}</h3>
      {children}
    </section>
  )
}

function ResultValue({
  value,
  structured = false,
  totalRows,
}: { value: unknown } & Pick<ResultExtras, 'structured' | 'totalRows'>) {
  const table = structured ? toTable(value) : undefined
  if (table)
    return (
      <ResultWithFields data={value} list={table.rows}>
        <ResultTable table={table} totalRows={totalRows} />
      </ResultWithFields>
    )
  if (structured && isNested(value)) return <LongText text={JSON.stringify(value, null, 2)} />
  const results = findResultList(value)
  if (results)
    return (
      <ResultWithFields data={value} list={results}>
        <ResultRows rows={results} />
        <SingleRowFields rows={results} />
      </ResultWithFields>
    )
  if (typeof value === 'object' && value !== null)
    return <ArgumentList value={value as Record<string, unknown>} />
  return <LongText text={formatValue(value) || t`Done`} />
}

/** The list of a result, and below it the other fields of its object that are not empty. */
function ResultWithFields({
  data,
  list,
  children,
}: {
  data: unknown
  list: readonly unknown[]
  children: ReactNode
}) {
  const fields = data === list ? [] : Object.entries(data as object)
  const others = fields.filter(([, value]) => value !== list && formatValue(value) !== '')
  return (
    <div className="grid grid-cols-1 gap-2">
      {children}
      {others.length > 0 && <ArgumentList value={Object.fromEntries(others)} />}
    </div>
  )
}

/** Whether a value has nested values: one line per field would be hard to read. */
const isNested = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).some((field) => typeof field === 'object' && field !== null)

function ResultRows({ rows }: { rows: readonly unknown[] }) {
  if (rows.length === 0) return <p className="text-ink-muted">{t`Nothing found`}</p>
  return (
    <ul className="divide-y divide-line">
      {rows.slice(0, maxRows).map((row, index) => (
        <ResultRow key={index} row={row} />
      ))}
      {rows.length > maxRows && (
        <li className="py-1.5 text-ink-muted">{t`and ${{ count: formatCount(rows.length - maxRows) }} more`}</li>
      )}
    </ul>
  )
}

/** Longer texts are cut off in a line. */
const maxLineCharacters = 120

const formatFields = (row: object) =>
  Object.entries(row)
    .map(([name, value]) => `${name}: ${formatValue(value)}`)
    .join(', ')

/** A value that has no room in a line, as text: a list has a line for each entry. @returns undefined for others, and for an empty list */
function formatLong(value: unknown): string | undefined {
  if (Array.isArray(value))
    return value.length > 0
      ? value
          .map((one: unknown) =>
            typeof one === 'object' && one !== null ? formatFields(one) : formatValue(one),
          )
          .join('\n')
      : undefined
  const isLong = typeof value === 'string' && (value.length > maxLineCharacters || value.includes('\n'))
  return isLong ? value : undefined
}

/** What a line has no room for, such as the text of an e-mail and its attachments, if there is one result alone. */
function SingleRowFields({ rows }: { rows: readonly unknown[] }) {
  const [row, ...others] = rows
  if (typeof row !== 'object' || row === null || others.length > 0) return null
  const fields = Object.entries(row).flatMap(([name, value]: [string, unknown]) => {
    const text = formatLong(value)
    return text === undefined ? [] : [[name, text] as const]
  })
  return fields.length > 0 ? <ArgumentList value={Object.fromEntries(fields)} /> : null
}

function ResultRow({ row }: { row: unknown }) {
  const { link, isUnread, ...summary } = summariseRow(row)
  const [title = '', text, meta] = [summary.title, summary.text, summary.meta].map(revealHiddenCharacters)
  const otherTarget = link === undefined ? undefined : findOtherTarget(link, title)
  return (
    <li className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] gap-x-4 py-1.5 max-sm:grid-cols-[minmax(0,1fr)_auto]">
      <span
        dir="auto"
        className={clsx(
          // the host of a link whose title has another one is never cut off
          otherTarget === undefined ? 'truncate' : 'flex min-w-0 gap-1.5',
          isUnread ? 'font-semibold' : 'font-medium',
        )}
      >
        {link === undefined ? (
          title
        ) : (
          <a
            href={link}
            target="_blank"
            rel="noopener noreferrer"
            className={clsx('link', otherTarget !== undefined && 'min-w-0 truncate')}
          >
            {title}
          </a>
        )}
        {otherTarget !== undefined && <LinkNote>{otherTarget}</LinkNote>}
      </span>
      <span dir="auto" className="truncate text-ink-muted max-sm:col-span-2 max-sm:row-start-2">
        {text}
      </span>
      <span className="text-end whitespace-nowrap text-ink-faint">{meta}</span>
    </li>
  )
}

/** More rows would slow the page down. */
const maxShownRows = 200

/** The structured result of a tool as a table that can be copied; only its first rows if there are many. */
function ResultTable({
  table: { columns, rows },
  totalRows = rows.length,
}: {
  table: ResultTableData
  /** how many rows the tool returned, of which the conversation may have stored only some */
  totalRows?: number | undefined
}) {
  const shownRows = rows.slice(0, maxShownRows)
  return (
    <div className="prose [--scroll-surface:var(--color-surface-raised)]">
      <CopyableTable>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {revealHiddenCharacters(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shownRows.map((row, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column}>
                  {revealHiddenCharacters(formatValue(Object.hasOwn(row, column) ? row[column] : ''))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </CopyableTable>
      {shownRows.length < totalRows && (
        <p className="text-ink-muted">{t`${{ shown: formatCount(shownRows.length) }} of ${{ total: formatCount(totalRows) }} rows`}</p>
      )}
    </div>
  )
}
