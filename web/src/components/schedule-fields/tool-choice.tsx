import { plural, t } from '@lingui/core/macro'
import clsx from 'clsx'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { maxScheduleWrites } from '#shared/limits.ts'
import { QueryContent } from '../query-content.tsx'
import { Button } from '../ui/button.tsx'
import { CheckRow } from '../ui/check-row.tsx'
import { Status } from '../ui/status.tsx'
import type { ToolsQuery } from '../../lib/conversations/tool-picker-context.ts'
import { translateName } from '../../lib/text/translate-name.ts'

interface ToolChoiceProps {
  tools: ToolsQuery
  /** names of tools that run without asking */
  writes: readonly string[]
  onChange: (writes: readonly string[]) => void
}

/** The tools of a connection that change or send something. */
interface WritingTools {
  id: string
  name: string
  tools: readonly { tool: string; label: string }[]
}

/**
 * Groups the tools that write by their connection. Tools that the schedule allows but that are not listed now form a last group, so that they
 * can be removed.
 */
function groupTools(listed: readonly IntegrationTools[], writes: readonly string[]): WritingTools[] {
  const groups = listed.flatMap(({ id, name, capabilities }) => {
    const tools = capabilities.flatMap(({ tool, name: label, writes: isWriting }) =>
      isWriting && tool !== undefined ? [{ tool, label: translateName(label) }] : [],
    )
    return tools.length > 0 ? [{ id, name, tools }] : []
  })
  const known = new Set(groups.flatMap(({ tools }) => tools.map(({ tool }) => tool)))
  const missing = writes.filter((tool) => !known.has(tool)).map((tool) => ({ tool, label: tool }))
  return missing.length > 0 ? [...groups, { id: '', name: t`Not available now`, tools: missing }] : groups
}

/** Chooses the tools that run without asking in a schedule. */
export function ToolChoice({ tools: query, writes, onChange }: ToolChoiceProps) {
  const switchTool = (tool: string, isOn: boolean) => {
    const others = writes.filter((one) => one !== tool)
    onChange(isOn ? [...others, tool] : others)
  }
  const isFull = writes.length >= maxScheduleWrites
  return (
    <QueryContent
      // without data it loads, or has failed
      query={{ ...query, isPending: !query.error }}
      label={t`Loading your tools`}
      failure={t`Your tools could not be loaded.`}
    >
      {(listed) => {
        const groups = groupTools(listed, writes)
        return groups.length === 0 ? (
          <p className="text-ink-muted">{t`None of your tools changes or sends anything.`}</p>
        ) : (
          <>
            <ul className="-my-2 divide-y divide-line">
              {groups.map((group) => (
                <Connection
                  key={group.id}
                  group={group}
                  writes={writes}
                  isFull={isFull}
                  onSwitch={switchTool}
                />
              ))}
            </ul>
            {writes.length > 0 && (
              <p className="mt-3 text-sm text-ink-muted">
                {t`Once a run has read text of others (e-mails, pages, files, results of servers), such a tool runs without asking only for recipients that stand in the prompt, or that you have approved in an earlier run. Otherwise the run waits for you. What is sent to them is not checked.`}
              </p>
            )}
            {isFull && (
              <Status className="text-sm text-ink-muted">
                {plural(maxScheduleWrites, {
                  one: 'At most # tool may run without asking.',
                  other: 'At most # tools may run without asking.',
                })}
              </Status>
            )}
          </>
        )
      }}
    </QueryContent>
  )
}

const formatUnasked = (count: number) =>
  count === 0 ? t`All ask me` : plural(count, { one: '# runs without asking', other: '# run without asking' })

function Connection({
  group: { name, tools },
  writes,
  isFull,
  onSwitch,
}: {
  group: WritingTools
  writes: readonly string[]
  isFull: boolean
  onSwitch: (tool: string, isOn: boolean) => void
}) {
  const count = tools.filter(({ tool }) => writes.includes(tool)).length
  // open from the beginning if some run without asking
  const [isOpen, setIsOpen] = useState(count > 0)
  const state = formatUnasked(count)
  return (
    <li className="py-2">
      <div className="flex min-h-9 items-center gap-2">
        <span className="min-w-0 flex-1 truncate font-medium" dir="auto" title={name}>
          {name}
        </span>
        <Button
          variant="ghost"
          size="compact"
          aria-expanded={isOpen}
          aria-label={t`Tools of ${name}: ${state}`}
          onClick={() => setIsOpen(!isOpen)}
          className="-me-2 shrink-0"
        >
          {state}
          <ChevronDown aria-hidden size={16} className={clsx(isOpen && 'rotate-180')} />
        </Button>
      </div>
      {isOpen && (
        <ul aria-label={t`Run without asking: ${name}`} className="-mx-2.5">
          {tools.map(({ tool, label }) => (
            <li key={tool} className="flex">
              <CheckRow
                label={label}
                hint={writes.includes(tool) ? t`Runs without asking` : t`Asks me`}
                isChecked={writes.includes(tool)}
                onChange={(isOn) => {
                  // the text below says why nothing changes
                  if (!isOn || !isFull) onSwitch(tool, isOn)
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
