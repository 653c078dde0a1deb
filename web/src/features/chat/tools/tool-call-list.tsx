import clsx from 'clsx'
import { ChevronRight, CircleCheck, CircleMinus, CircleX } from 'lucide-react'
import { Suspense, useId, useState, type ReactNode } from 'react'
import { deferred } from '../../../components/lazy-component.tsx'
import type { ToolCall } from '#shared/contracts/chat.ts'
import { isDenied } from '#shared/chat-texts.ts'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { toolCallOf, type ShownTool } from './live-tool-calls.ts'
import { nameOf, summaryOf } from './tool-summary.ts'

const { Deferred: ToolDetails } = deferred(() =>
  import('./tool-details.tsx').then((module) => module.ToolDetails),
)

/** More than this many calls fold into one line. */
const unfolded = 3

/** The calls of a finished reply, one line each, green or red (CHAT-14). */
export function ToolCalls({ calls }: { calls: readonly ToolCall[] }) {
  const [open, setOpen] = useState(false)
  if (calls.length === 0) return null
  const lines = calls.map((call, index) => <ToolLine key={index} call={call} />)
  if (calls.length <= unfolded) return <Lines>{lines}</Lines>
  const denied = calls.filter(({ result }) => isDenied(result)).length
  const failed = calls.filter(({ result }) => !result.success).length - denied
  const ok = failed === 0
  return (
    <Lines>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className={lineLook(ok ? 'ok' : 'bad')}
      >
        {ok ? <CircleCheck aria-hidden size={16} /> : <CircleX aria-hidden size={16} />}
        Used {calls.length} tools{ok ? '' : `, ${failed} failed`}
        {denied > 0 && `, ${denied} denied`}
        <Chevron open={open} />
      </button>
      {open && lines}
    </Lines>
  )
}

/** The calls of a reply that is being written; what runs turns. */
export function ToolLines({ tools }: { tools: readonly ShownTool[] }) {
  if (tools.length === 0) return null
  return (
    <Lines>
      {tools.map((tool) => {
        const { id, name, status, activity } = tool
        if (status !== 'running') return <ToolLine key={id} call={toolCallOf(tool)} />
        return (
          <span key={id} className={lineLook('plain')}>
            <Spinner />
            <span className="truncate">
              {activity?.integration !== undefined && <>{activity.integration} · </>}
              {nameOf(name, activity?.title)}
            </span>
          </span>
        )
      })}
    </Lines>
  )
}

function Lines({ children }: { children: ReactNode }) {
  return <div className="grid grid-cols-1 justify-items-start gap-1.5">{children}</div>
}

/** What the user did not want is neither green nor red. */
const looks = {
  ok: { label: 'Succeeded', Icon: CircleCheck, line: '[--hairline:var(--color-success-line)]' },
  bad: { label: 'Failed', Icon: CircleX, line: '[--hairline:var(--color-danger-line)]' },
  plain: { label: 'Denied', Icon: CircleMinus, line: undefined },
}

const tones = {
  ok: 'bg-success-soft text-success-ink',
  bad: 'bg-danger-soft text-danger-ink',
  plain: 'bg-surface-hover text-ink-muted',
}

function lineLook(tone: keyof typeof tones): string {
  return clsx(
    'inline-flex min-h-8 max-w-full items-center gap-2 rounded-sm pr-2 pl-2.5 text-left text-sm font-medium max-sm:min-h-9',
    tones[tone],
  )
}

function Chevron({ open }: { open: boolean }) {
  return (
    <ChevronRight
      aria-hidden
      size={16}
      className={clsx(
        'ml-auto shrink-0 transition-transform duration-(--duration-fast)',
        open && 'rotate-90',
      )}
    />
  )
}

function ToolLine({ call }: { call: ToolCall }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const { success } = call.result
  const tone = success ? 'ok' : isDenied(call.result) ? 'plain' : 'bad'
  const { label, Icon, line } = looks[tone]
  const { service, action, outcome } = summaryOf(call)
  return (
    <div
      className={clsx(
        open && 'w-full overflow-hidden rounded-md bg-surface-raised hairline',
        open && line,
        !open && 'max-w-full',
      )}
    >
      <button
        type="button"
        data-success={success}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
        className={clsx(lineLook(tone), open && 'w-full rounded-b-none')}
      >
        <Icon aria-label={label} size={16} className="shrink-0" />
        <span className="min-w-0 truncate">
          {service !== '' && <>{service} · </>}
          {action}
          {outcome !== '' && <> · {outcome}</>}
        </span>
        <Chevron open={open} />
      </button>
      {open && (
        <div id={id} className="grid gap-3 px-3.5 pt-3 pb-3.5 text-sm">
          <Suspense>
            <ToolDetails call={call} />
          </Suspense>
        </div>
      )}
    </div>
  )
}
