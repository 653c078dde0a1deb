import { t } from '@lingui/core/macro'
import { CalendarClock } from 'lucide-react'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import type { Rule } from '#shared/contracts/schedules.ts'
import { maxSchedulePromptCharacters } from '#shared/limits.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { inputClass } from '../../../components/ui/field.tsx'
import { isInstant } from '../../../lib/describe-rule.ts'
import { bind } from '../../../lib/text-input.ts'
import { ApprovalCard } from './approval-card.tsx'
import { describeUntrusted } from './request-details.tsx'
import { CardFrame, DenyButton, type ApprovalCardProps } from './card-frame.tsx'
import { useCardInput } from './card-input.ts'
import { formatDescription, formatTitle, ScheduleDetails } from './schedule-details.tsx'
import { parseScheduleRequest, type ScheduleRequest } from './schedule-request.ts'

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
      <ScheduleDetails request={isIncomplete ? request : edited} />
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

/** The time of a rule that a field can show; undefined if there is none. */
function readTime(rule: Rule | undefined): string | undefined {
  if (!rule) return undefined
  if (rule.kind === 'once') return isInstant(rule.at) ? undefined : rule.at.slice(0, 16)
  return rule.kind === 'hourly' ? undefined : rule.time
}

function withTime(rule: Rule, time: string): Rule {
  if (time === '' || time === readTime(rule)) return rule
  if (rule.kind === 'once') return { ...rule, at: time }
  return rule.kind === 'hourly' ? rule : { ...rule, time }
}
