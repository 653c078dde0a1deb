import clsx from 'clsx'
import type { ReactNode } from 'react'
import type { ToolCall } from '#shared/contracts/chat.ts'
import { maskSecrets } from '#shared/mask-secrets.ts'
import { ArgumentList, LongText } from './argument-list.tsx'
import { rowParts } from './summarize-row.ts'
import { rowsOf, shortValue } from './tool-summary.ts'

const maxRows = 20

/** What a call was given, and what came back, as readable as it can be made without knowing the tool; secrets are not shown. */
export function ToolDetails({ call: { parameters, result } }: { call: ToolCall }) {
  return (
    <>
      <Part title="Arguments">
        {Object.keys(parameters).length === 0 ? (
          <p className="text-ink-muted">None</p>
        ) : (
          <ArgumentList value={maskSecrets(parameters) as Record<string, unknown>} />
        )}
      </Part>
      <Part title={result.success ? 'Result' : 'Error'}>
        {result.success ? (
          <Value value={maskSecrets(result.data)} />
        ) : (
          <p className="[overflow-wrap:anywhere] text-danger-ink">
            {shortValue(maskSecrets(result.error)) || 'The call failed.'}
          </p>
        )}
      </Part>
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="min-w-0">
      <h3 className="mb-1 text-xs font-medium text-ink-faint">{title}</h3>
      {children}
    </section>
  )
}

function Value({ value }: { value: unknown }) {
  const rows = rowsOf(value)
  if (rows) return <Rows rows={rows} />
  if (typeof value === 'object' && value !== null)
    return <ArgumentList value={value as Record<string, unknown>} />
  return <LongText text={shortValue(value) || 'Done'} />
}

function Rows({ rows }: { rows: readonly unknown[] }) {
  if (rows.length === 0) return <p className="text-ink-muted">Nothing found</p>
  return (
    <ul className="divide-y divide-line">
      {rows.slice(0, maxRows).map((row, index) => (
        <Row key={index} row={row} />
      ))}
      {rows.length > maxRows && <li className="py-1.5 text-ink-muted">and {rows.length - maxRows} more</li>}
    </ul>
  )
}

function Row({ row }: { row: unknown }) {
  const { title, text, aside, link, strong } = rowParts(row)
  return (
    <li className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] gap-x-4 py-1.5 max-sm:grid-cols-[minmax(0,1fr)_auto]">
      <span className={clsx('truncate', strong ? 'font-semibold' : 'font-medium')}>
        {link === undefined ? (
          title
        ) : (
          <a href={link} target="_blank" rel="noopener noreferrer" className="link">
            {title}
          </a>
        )}
      </span>
      <span className="truncate text-ink-muted max-sm:col-span-2 max-sm:row-start-2">{text}</span>
      <span className="text-right whitespace-nowrap text-ink-faint">{aside}</span>
    </li>
  )
}
