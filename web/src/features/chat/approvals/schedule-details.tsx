import { plural, t } from '@lingui/core/macro'
import { useState, type ReactNode } from 'react'
import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import type { ChangeRequest, CreationRequest, RequestedTool } from '#shared/contracts/schedule-requests.ts'
import type { Rule } from '#shared/contracts/schedules.ts'
import { maxRunTokens } from '#shared/limits.ts'
import { nextTimes } from '#shared/schedule-times.ts'
import { Callout } from '../../../components/ui/callout.tsx'
import { formatDollars } from '../../../components/format-cost.ts'
import { describeRule } from '../../../lib/text/describe-rule.ts'
import { formatRunTime } from '../../../lib/text/format-run-time.ts'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import { formatConjunction, formatCount, formatList } from '../../../lib/text/locale.ts'
import { translateName } from '../../../lib/text/translate-name.ts'
import { describeUntrusted, RequestDetails } from './request-details.tsx'
import {
  countMonthlyRuns,
  hasContent,
  parseScheduleRequest,
  type ScheduleRequest,
} from './schedule-request.ts'

/** How many of the next times are shown: enough to see how often it runs. */
const shownTimes = 3

/** What a reply asks to do with a schedule, for reading only. Shows the raw arguments if this release cannot show all of it. */
export function ScheduleRequestDetails(props: { approval: ApprovalRequest; assistantName: string }) {
  const request = parseScheduleRequest(props.approval)
  if (!request) return <RequestDetails {...props} />
  return (
    <>
      <p className="text-ink-muted">
        {formatTitle(request)} {formatDescription(request)}
      </p>
      <ReadSources {...props} />
      <ScheduleDetails request={request} />
    </>
  )
}

/** Warns of text of others that the model has read before it asked: the request may come from there. */
export function ReadSources({
  approval,
  assistantName,
}: {
  approval: ApprovalRequest
  assistantName: string
}) {
  const sources = describeUntrusted(approval)
  if (sources === '') return undefined
  return (
    <Callout variant="info">
      {t`${assistantName} has read text here that is not yours: ${sources}. Check that you have asked for this.`}
    </Callout>
  )
}

/** What is asked of a schedule: the new schedule, or what changes in one, with a row for each part. */
export const ScheduleDetails = ({ request }: { request: ScheduleRequest }) => (
  <dl className="grid grid-cols-[minmax(5.5rem,max-content)_minmax(0,1fr)] border-t border-line text-sm *:border-b *:border-line *:py-2.5 [&>dt]:pe-3">
    <RequestRows request={request} />
  </dl>
)

/** The question that the card asks. */
export function formatTitle(request: ScheduleRequest): string {
  if (request.kind === 'creation') return t`Create this schedule?`
  if (request.delete) return t`Delete this schedule?`
  if (request.paused === undefined || hasContent(request)) return t`Change this schedule?`
  return request.paused ? t`Pause this schedule?` : t`Continue this schedule?`
}

/** Says what happens if it is approved. */
export function formatDescription(request: ScheduleRequest): string {
  if (request.kind === 'creation')
    return t`It runs in a conversation of its own, also when the page is closed.`
  return request.delete
    ? t`It does not run any more. The conversation of its runs stays.`
    : t`This is exactly what changes.`
}

function RequestRows({ request }: { request: ScheduleRequest }) {
  return request.kind === 'creation' ? <CreationRows request={request} /> : <ChangeRows request={request} />
}

/** The whole new schedule. */
function CreationRows({ request }: { request: CreationRequest }) {
  const { rule, time_zone: timeZone, prompt, project, assistant } = request
  return (
    <>
      <When rule={rule} timeZone={timeZone} />
      <Row label={t`Does`}>
        <Prompt>{prompt}</Prompt>
      </Row>
      {project && (
        <Row label={t`Project`}>
          <bdi>{revealHiddenCharacters(project.name)}</bdi>
        </Row>
      )}
      {assistant && (
        <Row label={t`Assistant`}>
          <bdi>{revealHiddenCharacters(assistant.name)}</bdi>
        </Row>
      )}
      <Writes tools={request.run_without_asking} />
      <Notify channels={request.notify} />
      <Row label={t`Costs`}>{formatCosts(rule, request.max_cost_per_run)}</Row>
    </>
  )
}

/** What changes in a schedule, with what it is until now. Its prompt and its times are shown in any case, so that it is recognised. */
function ChangeRows({ request }: { request: ChangeRequest }) {
  const { before, rule, time_zone: timeZone, prompt } = request
  const timesBefore = describeRule(before.rule, before.time_zone)
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
        {isNewTime && timesBefore !== undefined && <Muted>{was(timesBefore)}</Muted>}
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
  // the moment in which it was first shown
  const [now] = useState(Date.now)
  const times = nextTimes(rule, timeZone, now, shownTimes).map((time) => formatRunTime(time, timeZone))
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
