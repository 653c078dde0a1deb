import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Link, useNavigate } from '../../lib/navigation/router.tsx'
import type { Schedule } from '#shared/contracts/schedules.ts'
import { maxSchedulePromptCharacters } from '#shared/limits.ts'
import { ChannelSwitches } from '../../components/schedule-fields/channel-switches.tsx'
import { ToolChoice } from '../../components/schedule-fields/tool-choice.tsx'
import { WhenFields } from '../../components/schedule-fields/when-fields.tsx'
import { DocumentFlag } from '../../components/ui/document-flag.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { Card } from '../../components/ui/card.tsx'
import { TextAreaField } from '../../components/ui/field.tsx'
import { getActionErrorMessage } from '../../lib/api/action-error.ts'
import { hasErrorCode } from '../../lib/api/has-error-code.ts'
import { useBrand } from '../../lib/api/config.ts'
import type { ToolsQuery } from '../../lib/conversations/tool-picker-context.ts'
import { getScheduleTitle, hasConversation } from './describe-state.ts'
import { ModelAndScopeFields } from './model-and-scope-fields.tsx'
import { ScheduleHeading, ScheduleMenu, ScheduleState } from './schedule-header.tsx'
import { schedulesPath, settingsPath } from '../../lib/navigation/paths.ts'
import { useScheduleForm } from './use-schedule-form.ts'

/** The form of a schedule, or of a new one. @param tools of the user's connections @param isAllowed whether the user's group allows schedules */
export function ScheduleEditor({
  schedule,
  tools,
  isAllowed,
}: {
  /** absent: a new one is made */
  schedule: Schedule | undefined
  tools: ToolsQuery
  isAllowed: boolean
}) {
  const { assistantName } = useBrand()
  const { element, input, stored, form, set, rule, nextTimes, problems, submit, isBusy, error } =
    useScheduleForm(schedule)
  const title = schedule ? getScheduleTitle(schedule) : t`New schedule`
  return (
    <>
      <ScheduleHeading title={title} {...(schedule && { note: t`Edit schedule` })}>
        {schedule && <ScheduleMenu schedule={schedule} isAllowed={isAllowed} />}
      </ScheduleHeading>
      {schedule && <ScheduleState schedule={schedule} isAllowed={isAllowed} />}
      <form
        ref={element}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (isAllowed) submit()
        }}
      >
        <div className="grid gap-4">
          <Section>
            <TextAreaField
              label={t`What should ${assistantName} do?`}
              input={input.at('prompt')}
              rows={3}
              maxLength={maxSchedulePromptCharacters}
              aria-required
              error={problems.prompt}
            />
            <ModelAndScopeFields
              form={form}
              conversationScope={schedule && hasConversation(schedule) ? stored.scope : undefined}
              onChange={set}
            />
          </Section>
          <Section title={t`When`}>
            <WhenFields
              form={form}
              input={input}
              rule={rule}
              nextTimes={nextTimes}
              problems={problems}
              onChange={set}
            />
          </Section>
          <Section
            title={t`Tools`}
            hint={t`Reading needs no approval. Tools that change or send something ask you first, unless you let them run without asking here. “Always allow” from your chats does not count.`}
          >
            <ToolChoice tools={tools} writes={form.writes} onChange={(writes) => set({ writes })} />
          </Section>
          <Section title={t`Tell me when it waits or has ended`}>
            <ChannelSwitches notify={form.notify} onChange={(notify) => set({ notify })} />
            <p className="text-sm text-ink-muted">
              <Link to={`${settingsPath}#notifications`} className="link">
                {t`Settings of notifications`}
              </Link>
            </p>
          </Section>
        </div>
        {schedule && input.newer !== undefined && (
          <div className="mt-4">
            <Callout variant="warning" action={{ label: t`Use the newer version`, onClick: input.reset }}>
              {t`This was changed elsewhere while you were editing. Saving replaces what was changed there.`}
            </Callout>
          </div>
        )}
        {error && (
          <div className="mt-4">
            <Callout variant="danger" error={error}>
              {describeError(error)}
            </Callout>
          </div>
        )}
        <FormBar isBusy={isBusy} isAllowed={isAllowed} onCancel={input.reset} />
      </form>
    </>
  )
}

/** The buttons of the form, at the end of the window: the negative margins take back the padding of the page's frame below them. */
function FormBar({
  isBusy,
  isAllowed,
  onCancel,
}: {
  isBusy: boolean
  isAllowed: boolean
  onCancel: () => void
}) {
  const navigate = useNavigate()
  return (
    <div className="sticky bottom-0 -mb-16 mt-6 flex items-center justify-end gap-2 border-t border-line bg-surface py-4 max-sm:-mb-12">
      <DocumentFlag name="form-bar" />
      {/* no link: opened in another tab, it would discard what was entered in this one */}
      <Button
        variant="ghost"
        // while it is being saved, the input stays: saving may fail
        disabled={isBusy}
        onClick={() => {
          onCancel()
          navigate(schedulesPath)
        }}
      >
        {t`Cancel`}
      </Button>
      <Button variant="primary" type="submit" busy={isBusy} disabled={!isAllowed}>
        {t`Save schedule`}
      </Button>
    </div>
  )
}

/** A newer version is shown as such as soon as it has loaded. */
const describeError = (error: unknown) =>
  hasErrorCode(error, 'changed_elsewhere')
    ? t`It was changed elsewhere meanwhile, so nothing was saved. Look at it, then save again.`
    : getActionErrorMessage(error)

/** A part of the form, in a card. */
function Section({ title, hint, children }: { title?: string; hint?: string; children: ReactNode }) {
  return (
    <Card as="section" className="grid gap-4 p-6 max-sm:p-4">
      {title !== undefined && (
        <div>
          <h2 className="font-semibold">{title}</h2>
          {hint !== undefined && <p className="max-w-(--width-note) text-sm text-ink-muted">{hint}</p>}
        </div>
      )}
      {children}
    </Card>
  )
}
