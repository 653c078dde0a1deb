import { plural, t } from '@lingui/core/macro'
import { CalendarClock } from 'lucide-react'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import type { RequestedTool } from '#shared/contracts/schedule-requests.ts'
import type { Rule } from '#shared/contracts/schedules.ts'
import { maxRunTokens, maxSchedulePromptCharacters } from '#shared/limits.ts'
import { nextTimes } from '#shared/schedule-times.ts'
import { formatDollars } from '../../../components/format-usage.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { inputClass } from '../../../components/ui/field.tsx'
import { describeRule } from '../../../lib/describe-rule.ts'
import { revealHiddenCharacters } from '../../../lib/hidden-characters.ts'
import { formatConjunction, formatCount, formatList, locale } from '../../../lib/locale.ts'
import { bind } from '../../../lib/text-input.ts'
import { translateName } from '../../../lib/translate-name.ts'
import { ApprovalCard, describeUntrusted } from './approval-card.tsx'
import { CardFrame, DenyButton, type ApprovalCardProps } from './card-frame.tsx'
import { useCardInput } from './card-input.ts'
import { countMonthlyRuns, parseScheduleRequest, type ScheduleRequest } from './schedule-request.ts'

const shownTimes = 3

/** Asks for approval of a schedule as it will be stored. Its text and its time can be edited first. There is no 'Always allow'. */
export function ScheduleCard(props: ApprovalCardProps) {
  const request = parseScheduleRequest(props.approval)
  return request ? <RequestCard {...props} request={request} /> : <ApprovalCard {...props} />
}

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
  const asked = { prompt: request.prompt ?? '', time: readTime(request.rule) ?? '' }
  const input = useCardInput(conversation, approval, asked)
  const [isEditing, setIsEditing] = useState(false)
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isEditing) fields.current?.querySelector<HTMLElement>('textarea, input')?.focus()
  }, [isEditing])
  const { prompt, time } = input.value
  const isChanged = prompt !== asked.prompt || time !== asked.time
  const edited: ScheduleRequest = {
    ...request,
    ...(request.prompt !== undefined && { prompt }),
    ...(request.rule && { rule: withTime(request.rule, time) }),
  }
  const isEditable = request.prompt !== undefined || asked.time !== ''
  const isIncomplete =
    (request.prompt !== undefined && prompt.trim() === '') || (asked.time !== '' && time === '')
  const isDeciding = pendingDecision !== undefined
  const approve = () => {
    const { kind: _, ...values } = edited
    onDecide({ approved: true, ...(isChanged && { arguments: values }) })
  }
  const sources = describeUntrusted(approval)
  return (
    <CardFrame
      icon={CalendarClock}
      title={formatTitle(request)}
      description={formatDescription(request)}
      error={error}
      isFirst={isFirst}
      buttons={
        <>
          <Button
            variant="primary"
            busy={pendingDecision === 'approved'}
            disabled={isIncomplete || (isDeciding && pendingDecision !== 'approved')}
            onClick={approve}
            className="max-sm:flex-[3_1_50%]"
          >
            {pendingDecision === 'approved' ? t`Approving…` : t`Approve`}
          </Button>
          <DenyButton pendingDecision={pendingDecision} onDecide={onDecide}>
            {pendingDecision === 'denied' ? t`Denying…` : t`Deny`}
          </DenyButton>
          {isEditable && !isEditing && (
            <Button variant="ghost" disabled={isDeciding} onClick={() => setIsEditing(true)}>
              {t`Edit`}
            </Button>
          )}
        </>
      }
    >
      {sources !== '' && (
        <Callout variant="info">
          {t`${assistantName} has read text here that is not yours: ${sources}. Check that you have asked for this.`}
        </Callout>
      )}
      <dl className="grid grid-cols-[5.5rem_minmax(0,1fr)] border-t border-line text-sm *:border-b *:border-line *:py-2.5">
        <RequestRows request={isIncomplete ? request : edited} />
      </dl>
      {isEditing && (
        <div ref={fields} className="grid gap-3">
          {request.prompt !== undefined && (
            <EditField label={t`Does`}>
              {(id) => (
                <textarea
                  id={id}
                  dir="auto"
                  rows={3}
                  maxLength={maxSchedulePromptCharacters}
                  disabled={isDeciding}
                  {...bind(input.at('prompt'))}
                  className={`${inputClass} resize-none py-2 wrap-anywhere field-sizing-content`}
                />
              )}
            </EditField>
          )}
          {asked.time !== '' && (
            <EditField label={t`Time`}>
              {(id) => (
                <input
                  id={id}
                  type={request.rule?.kind === 'once' ? 'datetime-local' : 'time'}
                  disabled={isDeciding}
                  {...bind(input.at('time'))}
                  className={`${inputClass} h-10 max-w-56`}
                />
              )}
            </EditField>
          )}
        </div>
      )}
    </CardFrame>
  )
}

function EditField({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-sm text-ink-muted">
        {label}
      </label>
      {children(id)}
    </div>
  )
}

const isLocal = (at: string) => !/(?:Z|[+-]\d\d:?\d\d)$/.test(at)

/** The time of a rule that a field can show; undefined if there is none. */
function readTime(rule: Rule | undefined): string | undefined {
  if (!rule) return undefined
  if (rule.kind === 'once') return isLocal(rule.at) ? rule.at.slice(0, 16) : undefined
  return rule.kind === 'hourly' ? undefined : rule.time
}

function withTime(rule: Rule, time: string): Rule {
  if (time === '' || time === readTime(rule)) return rule
  if (rule.kind === 'once') return { ...rule, at: time }
  return rule.kind === 'hourly' ? rule : { ...rule, time }
}

function formatTitle(request: ScheduleRequest): string {
  if (request.kind === 'creation') return t`Create this schedule?`
  if (request.delete) return t`Delete this schedule?`
  const isOnlyPaused = request.prompt === undefined && !request.rule && !request.run_without_asking
  if (request.paused === true && isOnlyPaused) return t`Pause this schedule?`
  if (request.paused === false && isOnlyPaused) return t`Continue this schedule?`
  return t`Change this schedule?`
}

function formatDescription(request: ScheduleRequest): string {
  if (request.kind === 'creation')
    return t`It runs in a conversation of its own, also when the page is closed.`
  return request.delete
    ? t`It does not run any more. The conversation of its runs stays.`
    : t`This is exactly what changes.`
}

function RequestRows({ request }: { request: ScheduleRequest }) {
  if (request.kind === 'creation') {
    const { rule, time_zone: timeZone } = request
    return (
      <>
        <When rule={rule} timeZone={timeZone} />
        <Row label={t`Does`}>
          <Prompt>{request.prompt}</Prompt>
        </Row>
        {request.project && (
          <Row label={t`Project`}>
            <bdi>{revealHiddenCharacters(request.project.name)}</bdi>
          </Row>
        )}
        <Writes tools={request.run_without_asking} />
        <Notify channels={request.notify} />
        <Row label={t`Costs`}>{formatCosts(rule, request.max_cost_per_run)}</Row>
      </>
    )
  }
  const { before, rule, time_zone: timeZone, prompt } = request
  const was = (text: string) => t`Until now: ${text}`
  const isNewTime = rule !== undefined || timeZone !== undefined
  return (
    <>
      {prompt === undefined ? (
        <Row label={t`Schedule`}>
          <Prompt>{before.prompt}</Prompt>
        </Row>
      ) : (
        <Row label={t`Does`}>
          <Prompt>{prompt}</Prompt>
          <Muted>{was(revealHiddenCharacters(before.prompt))}</Muted>
        </Row>
      )}
      <When
        rule={rule ?? before.rule}
        timeZone={timeZone ?? before.time_zone}
        isStopped={request.delete === true || (request.paused ?? before.is_paused)}
      >
        {isNewTime && <Muted>{was(describeRule(before.rule, before.time_zone))}</Muted>}
      </When>
      {request.run_without_asking && <Writes tools={request.run_without_asking} />}
      {request.notify && <Notify channels={request.notify} />}
      {request.paused !== undefined && (
        <Row label={t`State`}>{request.paused ? t`Paused` : t`Runs at its times again`}</Row>
      )}
      {rule && <Row label={t`Costs`}>{formatCosts(rule, request.max_cost_per_run)}</Row>}
    </>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-muted">{label}</dt>
      <dd className="min-w-0 text-ui wrap-anywhere">{children}</dd>
    </>
  )
}

const Muted = ({ children }: { children: ReactNode }) => (
  <p className="text-sm whitespace-pre-wrap text-ink-muted">{children}</p>
)

const Prompt = ({ children }: { children: string }) => (
  <p dir="auto" className="max-h-80 overflow-y-auto whitespace-pre-wrap">
    {revealHiddenCharacters(children)}
  </p>
)

/** The rule as a sentence, and its next times on the clock of its zone. */
function When({
  rule,
  timeZone,
  isStopped = false,
  children,
}: {
  rule: Rule
  timeZone: string
  isStopped?: boolean
  children?: ReactNode
}) {
  const format = new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  })
  const times = nextTimes(rule, timeZone, Date.now(), shownTimes).map((time) => format.format(time))
  return (
    <Row label={t`When`}>
      <p className="font-medium">{describeRule(rule, timeZone)}</p>
      {!isStopped &&
        (times.length === 0 ? (
          <p className="text-sm text-danger-ink">{t`This time is over.`}</p>
        ) : (
          <Muted>{t`Next: ${{ times: times.join(' · ') }}`}</Muted>
        ))}
      {children}
    </Row>
  )
}

function Writes({ tools }: { tools: readonly RequestedTool[] }) {
  return (
    <Row label={t`Writes`}>
      {tools.length === 0 ? (
        t`Asks you each time before it writes, sends or deletes something`
      ) : (
        <>
          <p>{t`Without asking:`}</p>
          <ul>
            {tools.map((tool) => (
              <li key={tool.name}>
                <bdi>{formatTool(tool)}</bdi> <code className="text-sm text-ink-muted">{tool.name}</code>
              </li>
            ))}
          </ul>
          <Muted>{t`Everything else that writes asks you each time.`}</Muted>
        </>
      )}
    </Row>
  )
}

const formatTool = ({ name, title = name, integration }: RequestedTool) =>
  formatList(
    [translateName(title), ...(integration === undefined ? [] : [integration])].map(revealHiddenCharacters),
  )

function Notify({ channels }: { channels: readonly string[] }) {
  const names = channels.map((channel) => (channel === 'mail' ? t`by e-mail` : t`by notification`))
  return <Row label={t`Tells you`}>{names.length === 0 ? t`Not at all` : formatConjunction(names)}</Row>
}

function formatCosts(rule: Rule, maxCostPerRun: number | undefined): string {
  const runs = countMonthlyRuns(rule)
  const tokens = formatCount(maxRunTokens)
  if (runs === undefined)
    return maxCostPerRun === undefined
      ? t`One run of up to ${tokens} tokens`
      : t`At most about ${{ amount: formatDollars(maxCostPerRun) }}: one run of up to ${tokens} tokens`
  if (maxCostPerRun === undefined)
    return plural(runs, {
      one: `# run a month, of up to ${tokens} tokens`,
      other: `# runs a month, each of up to ${tokens} tokens`,
    })
  const amount = formatDollars(maxCostPerRun * runs)
  return plural(runs, {
    one: `At most about ${amount} a month: # run of up to ${tokens} tokens`,
    other: `At most about ${amount} a month: # runs of up to ${tokens} tokens each`,
  })
}
