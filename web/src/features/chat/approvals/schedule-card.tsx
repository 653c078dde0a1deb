import { t } from '@lingui/core/macro'
import { CalendarClock } from 'lucide-react'
import { use, useEffect, useRef, useState } from 'react'
import { maxSchedulePromptCharacters } from '#shared/limits.ts'
import { nextTimes } from '#shared/schedule-times.ts'
import type { RequestedTool } from '#shared/contracts/schedule-requests.ts'
import type { Schedule } from '#shared/contracts/schedules.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { ChannelSwitches } from '../../../components/schedule-fields/channel-switches.tsx'
import { findProblems, type ScheduleProblems } from '../../../components/schedule-fields/find-problems.ts'
import {
  toRule,
  toChange,
  toScheduleForm,
  type ScheduleForm,
} from '../../../components/schedule-fields/schedule-form.ts'
import { ToolChoice } from '../../../components/schedule-fields/tool-choice.tsx'
import { WhenFields } from '../../../components/schedule-fields/when-fields.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { TextAreaField } from '../../../components/ui/field.tsx'
import { ToolsContext } from '../../../lib/conversations/tool-picker-context.ts'
import type { Input } from '../../../lib/input/use-input.ts'
import { stopFollowingEnd } from '../use-stick-to-bottom.ts'
import { ApprovalCard } from './approval-card.tsx'
import { CardFrame, type ApprovalCardProps } from './card-frame.tsx'
import { ApproveButton, DenyButton } from './decision-buttons.tsx'
import { useCardInput } from './card-input.ts'
import { formatDescription, formatTitle, ReadSources, ScheduleDetails } from './schedule-details.tsx'
import { parseScheduleRequest, hasContent, type ScheduleRequest } from './schedule-request.ts'

/**
 * Asks for approval of what a reply wants to do with a schedule. It can be edited first, as on the page of schedules. There is no 'Always
 * allow'. A request that this release cannot show completely has the card of other calls.
 */
export function ScheduleCard(props: ApprovalCardProps) {
  const request = parseScheduleRequest(props.approval)
  return request ? <RequestCard {...props} request={request} /> : <ApprovalCard {...props} />
}

/** The card of a request that can be shown completely. */
function RequestCard({
  request,
  conversation,
  approval,
  assistantName,
  error,
  isFirst,
  pendingDecision,
  onDecide,
}: ApprovalCardProps & { request: ScheduleRequest }) {
  const tools = use(ToolsContext)
  const asked = toRequestForm(request)
  const input = useCardInput(conversation, approval, asked)
  const [isEditing, setIsEditing] = useState(false)
  const form = input.value
  const rule = toRule(form)
  // the moment in which the card was first shown, so that a time does not become past while it is edited
  const [now] = useState(Date.now)
  const isPast = rule?.kind === 'once' && nextTimes(rule, form.timeZone, now, 1).length === 0
  const problems = findProblems(form, { isPast })
  const isIncomplete = !rule || Object.values(problems).some((problem) => problem !== undefined)
  const edited = isIncomplete ? undefined : editRequest(request, form, tools?.data)
  const isDeciding = pendingDecision !== undefined
  const approve = () => {
    if (!edited || edited === request) return onDecide({ approved: true })
    const { kind: _, ...values } = edited
    onDecide({ approved: true, arguments: values })
  }
  return (
    <CardFrame
      icon={CalendarClock}
      title={formatTitle(request)}
      description={formatDescription(request)}
      error={error}
      isFirst={isFirst}
      buttons={
        <>
          <ApproveButton
            pendingDecision={pendingDecision}
            isIncomplete={isEditing && isIncomplete}
            onApprove={approve}
          />
          <DenyButton pendingDecision={pendingDecision} onDecide={onDecide} />
          {isRequestEditable(request) && !isEditing && (
            <Button variant="ghost" disabled={isDeciding} onClick={() => setIsEditing(true)}>
              {t`Edit`}
            </Button>
          )}
        </>
      }
    >
      <ReadSources approval={approval} assistantName={assistantName} />
      {isEditing && <RequestFields input={input} rule={rule} problems={problems} disabled={isDeciding} />}
      {/* below the fields, which would otherwise move while they are used */}
      <ScheduleDetails request={edited ?? request} />
    </CardFrame>
  )
}

/** The fields in which a request is edited. They take the focus. */
function RequestFields({
  input,
  rule,
  problems,
  disabled,
}: {
  input: Input<ScheduleForm>
  rule: ReturnType<typeof toRule>
  problems: ScheduleProblems
  disabled: boolean
}) {
  const tools = use(ToolsContext)
  const fields = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    // the form may be as high as the window, and the user goes on at its beginning
    stopFollowingEnd(fields.current)
    fields.current?.querySelector<HTMLElement>('textarea')?.focus()
  }, [])
  const form = input.value
  const set = (change: Partial<ScheduleForm>) => input.change({ ...form, ...change })
  return (
    <fieldset ref={fields} disabled={disabled} aria-label={t`Edit schedule`} className="grid min-w-0 gap-4">
      <TextAreaField
        label={t`Does`}
        input={input.at('prompt')}
        rows={3}
        maxLength={maxSchedulePromptCharacters}
        error={problems.prompt}
      />
      <WhenFields
        form={form}
        input={input}
        rule={rule}
        nextTimes={undefined}
        isShownBeside
        problems={problems}
        onChange={set}
      />
      {tools && (
        <section className="grid gap-3">
          <h3 className="text-sm font-medium">{t`Tools`}</h3>
          <ToolChoice tools={tools} writes={form.writes} onChange={(writes) => set({ writes })} />
        </section>
      )}
      <section className="grid gap-3">
        <h3 className="text-sm font-medium">{t`Tell me when it waits or has ended`}</h3>
        <ChannelSwitches notify={form.notify} onChange={(notify) => set({ notify })} />
      </section>
    </fieldset>
  )
}

/** Whether a request can be edited: it says what a schedule does, and does not delete it. */
const isRequestEditable = (request: ScheduleRequest): boolean =>
  hasContent(request) && (request.kind === 'creation' || request.delete === undefined)

const readNames = (tools: readonly RequestedTool[]) => tools.map(({ name }) => name)

/** Converts a request to the form in which its user edits it: the schedule as it would be stored. */
function toRequestForm(request: ScheduleRequest): ScheduleForm {
  const before = request.kind === 'change' ? request.before : undefined
  const { prompt, rule, time_zone, notify, run_without_asking: tools } = request
  // complete: a creation has all of these fields, and a change has those that stay in `before`
  const merged = { ...before, ...omitUndefined({ prompt, rule, time_zone, notify }) } as Pick<
    Schedule,
    'prompt' | 'rule' | 'time_zone' | 'notify'
  >
  return toScheduleForm({
    id: '',
    ...merged,
    writes: tools ? readNames(tools) : (before?.writes ?? 'ask'),
  })
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

const omitUndefined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>

/**
 * Applies what the user has edited to a request. The rest stays as it was asked.
 * @param form a form without problems
 * @param listed the user's tools, for the names of added ones; undefined while they are loading
 * @returns the same object if nothing was changed
 */
function editRequest(
  request: ScheduleRequest,
  form: ScheduleForm,
  listed: readonly IntegrationTools[] | undefined,
): ScheduleRequest {
  const rule = toRule(form)
  const change = rule && toChange(form, rule, toRequestForm(request))
  if (!change) return request
  const { prompt, rule: newRule, time_zone, notify } = change
  const tools = change.writes && form.writes.map((name) => findTool(name, request.run_without_asking, listed))
  return {
    ...request,
    ...omitUndefined({
      prompt: prompt?.trim(),
      rule: newRule,
      time_zone,
      notify,
      run_without_asking: tools,
    }),
  }
}

function findTool(
  name: string,
  requested: readonly RequestedTool[] = [],
  listed: readonly IntegrationTools[] = [],
): RequestedTool {
  const known = requested.find((tool) => tool.name === name)
  if (known) return known
  const connection = listed.find(({ capabilities }) => capabilities.some(({ tool }) => tool === name))
  const title = connection?.capabilities.find(({ tool }) => tool === name)?.name
  return {
    name,
    ...(title !== undefined && { title }),
    ...(connection && { integration: connection.name }),
  }
}
