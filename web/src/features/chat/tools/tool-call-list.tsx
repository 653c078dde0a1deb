import { plural, t } from '@lingui/core/macro'
import clsx from 'clsx'
import { ChevronRight, CircleCheck, CircleMinus, CircleX } from 'lucide-react'
import { type ReactNode, Suspense, useId, useState } from 'react'
import type { ResultExtras, ToolCall } from '#shared/contracts/chat.ts'
import { isDenied } from '#shared/denied-call.ts'
import { isCallEnded, type ReplyCall, toToolCall } from '#shared/reply/reply-state.ts'
import { findQueryError, listShownCalls } from '#shared/table-result.ts'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { formatServerText } from '../../../lib/text/hidden-characters.ts'
import { translateSentence } from '../../../lib/text/translate.ts'
import { parseMemoryChange } from '../calls/memory-calls.ts'
import { parseScheduleResult } from '../calls/schedule-calls.ts'
import { formatToolName, summariseToolCall } from '../calls/tool-summary.ts'
import { WebPageItem } from '../markdown/web-page-item.tsx'

function formatCallCount(count: number, failed: number, denied: number): string {
  const used = plural(count, { one: 'Used # tool', other: 'Used # tools' })
  if (failed > 0 && denied > 0) return t`${used}, ${failed} failed, ${denied} denied`
  if (failed > 0) return t`${used}, ${failed} failed`
  return denied > 0 ? t`${used}, ${denied} denied` : used
}

const ToolDetails = lazyComponent(() => import('./tool-details.tsx'), 'ToolDetails')

const MemoryLine = lazyComponent(() => import('./memory-line.tsx'), 'MemoryLine', <div className="h-8" />)

const ScheduleLine = lazyComponent(
  () => import('./schedule-line.tsx'),
  'ScheduleLine',
  <div className="h-8" />,
)

/** Loaded with the first of them: most replies have none. */
const QueryTableList = lazyComponent(
  () => import('../query/query-table-list.tsx'),
  'QueryTableList',
  <div className="h-40" />,
)

const AppCard = lazyComponent(() => import('../apps/app-card.tsx'), 'AppCard', <div className="h-8" />)

/** More calls are collapsed into one line. */
const maxUnfolded = 3

/** The tool calls of a finished reply, one line each; many are collapsed into one line. Below them stand links, apps, memories and schedules. */
export function ToolCallList({
  calls,
  showsOnlyTables = false,
}: {
  calls: readonly ToolCall[]
  /**
   * renders only the tables of results, which stand below the reply's text. Not a component of its own, because the first page would have to list
   * its chunk.
   */
  showsOnlyTables?: boolean
}) {
  if (calls.length === 0) return null
  const callsWithTable = new Set(listShownCalls(calls))
  if (showsOnlyTables) return callsWithTable.size > 0 ? <QueryTableList calls={calls} /> : null
  const changes = calls.flatMap((call) => parseMemoryChange(call) ?? [])
  const schedules = calls.flatMap((call) => parseScheduleResult(call) ?? [])
  const toolCalls = calls.filter((call) => !parseMemoryChange(call) && !parseScheduleResult(call))
  const items = toolCalls.map((call, index) => (
    <ToolCallItem key={index} call={call} isTableShown={callsWithTable.has(call)} />
  ))
  return (
    <List>
      {items.length <= maxUnfolded ? items : <FoldedCalls calls={toolCalls}>{items}</FoldedCalls>}
      <ResultExtrasList results={toolCalls.map(({ result }) => result)} />
      {toolCalls.map(
        (call, index) =>
          call.result.app && <AppCard key={index} call={call} mcpId={call.result.app.mcp_id} />,
      )}
      {changes.map((change, index) => (
        <MemoryLine key={index} change={change} />
      ))}
      {schedules.map((result, index) => (
        <ScheduleLine key={index} result={result} />
      ))}
    </List>
  )
}

/** One line that says how many calls there are and how they ended; pressed, it shows their items. */
function FoldedCalls({ calls, children }: { calls: readonly ToolCall[]; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const deniedCount = calls.filter(({ result }) => isDenied(result)).length
  const failedCount = calls.filter(({ result }) => !result.success).length - deniedCount
  const isOk = failedCount === 0
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className={getItemClass(isOk ? 'ok' : 'bad')}
      >
        {isOk ? <CircleCheck aria-hidden size={16} /> : <CircleX aria-hidden size={16} />}
        {formatCallCount(calls.length, failedCount, deniedCount)}
        <ExpandIcon isOpen={isOpen} />
      </button>
      {isOpen && children}
    </>
  )
}

/** The tool calls of a streaming reply; running ones have a spinner. */
export function LiveToolCallList({ calls }: { calls: readonly ReplyCall[] }) {
  if (calls.length === 0) return null
  return (
    <List>
      {calls.map((call, index) => {
        const { id, name, status, activity } = call
        // models may use the id of an ended call again
        const key = `${id} ${calls.slice(0, index).filter((one) => one.id === id).length}`
        const change = status === 'done' ? parseMemoryChange(toToolCall(call)) : undefined
        if (change) return <MemoryLine key={key} change={change} />
        const schedule = status === 'done' ? parseScheduleResult(toToolCall(call)) : undefined
        if (schedule) return <ScheduleLine key={key} result={schedule} />
        if (isCallEnded(call)) return <ToolCallItem key={key} call={toToolCall(call)} />
        return (
          <span key={key} className={getItemClass('plain')}>
            <Spinner />
            <span className="truncate">
              {activity?.integration !== undefined && <>{formatServerText(activity.integration)} · </>}
              {formatServerText(formatToolName(name, activity?.title))}
            </span>
          </span>
        )
      })}
      <ResultExtrasList results={calls.map(({ extras }) => extras ?? {})} />
    </List>
  )
}

function List({ children }: { children: ReactNode }) {
  return <div className="grid grid-cols-1 justify-items-start gap-1.5">{children}</div>
}

/** How the outcomes of calls look. Denied calls, and queries that the database refused, are neither green nor red. */
const outcomes = {
  succeeded: {
    label: t`Succeeded`,
    Icon: CircleCheck,
    color: 'ok',
    border: '[--hairline:var(--color-success-line)]',
  },
  failed: { label: t`Failed`, Icon: CircleX, color: 'bad', border: '[--hairline:var(--color-danger-line)]' },
  denied: { label: t`Denied`, Icon: CircleMinus, color: 'plain', border: undefined },
  /** the model reads the error of SQLite and usually tries another query */
  queryRefused: { label: t`Failed`, Icon: CircleMinus, color: 'plain', border: undefined },
} as const

function getOutcome(call: ToolCall) {
  if (findQueryError(call)) return outcomes.queryRefused
  if (call.result.success) return outcomes.succeeded
  return isDenied(call.result) ? outcomes.denied : outcomes.failed
}

const colorClasses = {
  ok: 'bg-success-soft text-success-ink',
  bad: 'bg-danger-soft text-danger-ink',
  plain: 'bg-surface-hover text-ink-muted',
}

function getItemClass(color: keyof typeof colorClasses): string {
  return clsx(
    'inline-flex min-h-8 max-w-full items-center gap-2 rounded-sm pe-2 ps-2.5 text-start text-sm font-medium max-sm:min-h-9',
    colorClasses[color],
  )
}

function ExpandIcon({ isOpen }: { isOpen: boolean }) {
  return (
    <ChevronRight
      aria-hidden
      size={16}
      className={clsx(
        'ms-auto shrink-0 transition-transform duration-(--duration-fast)',
        isOpen && 'rotate-90 rtl:-rotate-90',
      )}
    />
  )
}

/** @param isTableShown whether the table of the call's result stands below the reply's text */
function ToolCallItem({ call, isTableShown = false }: { call: ToolCall; isTableShown?: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { label, Icon, color, border } = getOutcome(call)
  const { integrationName, toolTitle, outcome } = summariseToolCall(call)
  return (
    <div
      className={clsx(
        isOpen && 'w-full overflow-hidden rounded-md bg-surface-raised hairline',
        isOpen && border,
        !isOpen && 'max-w-full',
      )}
    >
      <button
        type="button"
        data-success={call.result.success}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        className={clsx(getItemClass(color), isOpen && 'w-full rounded-b-none')}
      >
        <Icon aria-label={label} size={16} className="shrink-0" />
        <span className="min-w-0 truncate">
          {[integrationName, toolTitle, outcome]
            .filter((part) => part !== '')
            .map(formatServerText)
            .join(' · ')}
        </span>
        <ExpandIcon isOpen={isOpen} />
      </button>
      {isOpen && (
        <div id={id} className="grid gap-3 px-3.5 pt-3 pb-3.5 text-sm">
          <Suspense>
            <ToolDetails call={call} isTableShown={isTableShown} />
          </Suspense>
        </div>
      )}
    </div>
  )
}

/** The links that tools returned, each with its host, and notes on what was left out of their results. */
function ResultExtrasList({ results }: { results: readonly ResultExtras[] }) {
  const links = results.flatMap((result) => result.links ?? [])
  const notes = results.flatMap(({ notes: sentences = [], noteCodes = [] }) =>
    sentences.map((text, index) => translateSentence({ ...noteCodes[index], text })),
  )
  if (links.length + notes.length === 0) return null
  return (
    <div className="grid max-w-full grid-cols-1 gap-1 text-sm">
      {links.length > 0 && (
        <ul aria-label={t`Links of tools`} className="grid grid-cols-1 gap-1">
          {links.map(({ url, title }, index) => (
            <WebPageItem key={index} url={url} title={title} />
          ))}
        </ul>
      )}
      {notes.map((note, index) => (
        <p key={index} className="wrap-anywhere text-ink-muted">
          {formatServerText(note)}
        </p>
      ))}
    </div>
  )
}
