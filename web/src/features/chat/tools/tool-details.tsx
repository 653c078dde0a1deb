import type { ReactNode } from 'react'
import type { ToolCall } from '#shared/contracts/chat.ts'
import { rowsOf, shortValue } from './tool-summary.ts'

const maxRows = 20
const maxColumns = 3
const maxCharacters = 4_000

/** What a call was given, and what came back, as readable as it can be made without knowing the tool. */
export function ToolDetails({ call: { parameters, result } }: { call: ToolCall }) {
  return (
    <>
      <Part title="Arguments">
        {Object.keys(parameters).length === 0 ? (
          <p className="text-ink-muted">None</p>
        ) : (
          <Fields value={parameters} />
        )}
      </Part>
      <Part title={result.success ? 'Result' : 'Error'}>
        {result.success ? (
          <Value value={result.data} />
        ) : (
          <p className="[overflow-wrap:anywhere] text-danger-ink">{result.error ?? 'The call failed.'}</p>
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
  if (typeof value === 'object' && value !== null) return <Fields value={value as Record<string, unknown>} />
  return <Text text={shortValue(value) || 'Done'} />
}

function Fields({ value }: { value: Record<string, unknown> }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 font-mono text-[12.5px]">
      {Object.entries(value).map(([name, each]) => (
        <div key={name} className="contents">
          <dt className="text-ink-muted">{name}</dt>
          <dd className="[overflow-wrap:anywhere]">
            <Text text={shortValue(each)} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Rows({ rows }: { rows: readonly unknown[] }) {
  if (rows.length === 0) return <p className="text-ink-muted">Nothing found</p>
  return (
    <ul className="divide-y divide-line">
      {rows.slice(0, maxRows).map((row, index) => (
        <li key={index} className="flex gap-4 py-1.5 max-sm:flex-col max-sm:gap-0">
          {cellsOf(row).map((cell, column) => (
            <span
              key={column}
              className={
                column === 0
                  ? 'min-w-0 flex-1 truncate font-medium'
                  : 'min-w-0 flex-1 truncate text-ink-muted'
              }
            >
              {cell}
            </span>
          ))}
        </li>
      ))}
      {rows.length > maxRows && <li className="py-1.5 text-ink-muted">and {rows.length - maxRows} more</li>}
    </ul>
  )
}

/** The texts and numbers of a row say more than its ids and inner objects. */
function cellsOf(row: unknown): string[] {
  if (typeof row !== 'object' || row === null) return [shortValue(row)]
  const plain = Object.entries(row).filter(
    ([name, value]) =>
      (typeof value === 'string' || typeof value === 'number') && !/^id$|_id$|Id$/.test(name),
  )
  const cells = plain.slice(0, maxColumns).map(([, value]) => shortValue(value))
  return cells.length > 0 ? cells : [JSON.stringify(row)]
}

function Text({ text }: { text: string }) {
  const cut = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}...` : text
  return <span className="max-h-60 overflow-y-auto whitespace-pre-wrap [overflow-wrap:anywhere]">{cut}</span>
}
