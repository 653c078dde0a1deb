import { t } from '@lingui/core/macro'
import { type ReactNode, useState } from 'react'
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
import { useBrand, useConfig } from '../../lib/api/config.ts'
import type { ToolsQuery } from '../../lib/conversations/tool-picker-context.ts'
import { getScheduleTitle, hasConversation } from './describe-state.ts'
import { ScheduleHeading, ScheduleMenu, ScheduleState } from './schedule-header.tsx'
import { schedulesPath, settingsPath } from '../../lib/navigation/paths.ts'
import { findProblems } from '../../components/schedule-fields/find-problems.ts'
import {
  createScheduleForm,
  toRule,
  toScheduleForm,
  type ScheduleForm,
  toAddition,
  toChange,
  scopePrefixes,
} from '../../components/schedule-fields/schedule-form.ts'
import { useNextTimes } from '../../components/schedule-fields/use-next-times.ts'
import { useInput, type Input } from '../../lib/input/use-input.ts'
import { scheduleInputKey } from './schedule-input.ts'
import { useQueryClient, useQuery } from '@tanstack/react-query'
import { useActionMutation } from '../../components/use-action.ts'
import { useFormCheck } from '../../components/use-form-check.ts'
import { ApiError } from '../../lib/api/api-errors.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { schedulesQuery, showSchedule } from '../../lib/queries/schedule-queries.ts'
import { useRecentSignIn } from '../../lib/sign-in/recent-sign-in.ts'
import { isModelAllowed } from '#shared/model-limits.ts'
import { ModelAndEffortFields } from '../../components/model-and-effort-fields.tsx'
import { SelectField } from '../../components/ui/select-field.tsx'
import { accountQuery } from '../../lib/account/account-queries.ts'
import { assistantsQuery } from '../../lib/conversations/assistant-queries.ts'
import { projectsQuery } from '../../lib/queries/project-queries.ts'

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

/**
 * The form of a schedule: its values, what is wrong with them, and saving.
 */
function useScheduleForm(schedule: Schedule | undefined) {
  const [empty] = useState(createScheduleForm)
  const stored = schedule ? toScheduleForm(schedule) : empty
  const input = useInput(scheduleInputKey(schedule?.id), { stored, onLeave: 'keep' })
  // what was entered before a new release may lack a field
  const form: ScheduleForm = { ...stored, ...input.value }
  const set = (change: Partial<ScheduleForm>) => input.change({ ...form, ...change })
  const rule = toRule(form)
  const nextTimes = useNextTimes(rule, form.timeZone)
  const { element, problems, check } = useFormCheck(
    findProblems(form, { isPast: rule?.kind === 'once' && nextTimes?.length === 0 }),
  )

  const { isBusy, error, start } = useSaveSchedule({ schedule, stored, form, rule })
  const submit = () => {
    if (check()) start(input)
  }
  return { element, input, stored, form, set, rule, nextTimes, problems, submit, isBusy, error }
}

interface SaveOptions {
  /** absent: a new one is made */
  schedule: Schedule | undefined
  /** as the service has it */
  stored: ScheduleForm
  form: ScheduleForm
  /** of the form; undefined while something is missing */
  rule: ReturnType<typeof toRule>
}

/** Saves a schedule that was edited, or creates one, and leads back to the list. */
function useSaveSchedule({ schedule, stored, form, rule }: SaveOptions) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const withRecentSignIn = useRecentSignIn()
  const toStored = (saved: Schedule | undefined) => (saved ? toScheduleForm(saved) : stored)
  return useActionMutation(`save schedule ${form.id}`, {
    run: async (_sent: Input<ScheduleForm>) => {
      // the form has problems as long as it has no rule, and is not sent
      if (!rule) return undefined
      if (schedule) return withRecentSignIn(() => saveChange(schedule, form, stored, rule))
      const { schedule: created } = await withRecentSignIn(() =>
        callApi('schedules.create', { body: toAddition(form, rule) }),
      )
      // an earlier press may have created it, with another text, and its response was lost
      return (await saveChange(created, form, toScheduleForm(created), rule)) ?? created
    },
    onSuccess: async (saved, sent, owner) => {
      if (saved) await showSchedule(queryClient, saved)
      // what was typed while it was saved stays
      sent.markSaved(schedule ? toStored(saved) : createScheduleForm())
      if (owner.isShown && !sent.isDirty) navigate(schedulesPath)
      else owner.notify('success', t`The schedule is saved`)
    },
    onError: (failure) => {
      // changed or deleted elsewhere: what the service has now is shown beside the form
      if (failure instanceof ApiError)
        void queryClient.invalidateQueries({ queryKey: schedulesQuery.queryKey })
    },
    failureTitle: t`The schedule was not saved`,
  })
}

/** @returns the schedule as it is now; undefined if there was nothing to save */
async function saveChange(
  { id, version }: Schedule,
  form: ScheduleForm,
  stored: ScheduleForm,
  rule: NonNullable<ReturnType<typeof toRule>>,
): Promise<Schedule | undefined> {
  const change = toChange(form, rule, stored)
  if (!change) return undefined
  const saved = await callApi('schedules.update', {
    params: { scheduleId: id },
    body: { ...change, version },
  })
  return saved.schedule
}

/** The label of a project or assistant that is not in its list: only a list that has loaded tells whether it is gone. */
function describeUnknown(
  { data, isError }: { data?: unknown; isError: boolean },
  texts: { gone: string; failed: string },
): string {
  if (data !== undefined) return texts.gone
  return isError ? texts.failed : t`Loading…`
}

/** The model with which a schedule runs, and the project or assistant of its conversation. */
function ModelAndScopeFields({
  form: { model, effort, scope },
  conversationScope,
  onChange,
}: {
  form: ScheduleForm
  /** of the conversation of its runs; absent before the first one */
  conversationScope?: string | undefined
  onChange: (change: Partial<ScheduleForm>) => void
}) {
  const { data: account } = useQuery({ ...accountQuery, enabled: false })
  const models = (useConfig()?.models ?? []).filter((each) => isModelAllowed(each, account?.limits ?? {}))
  const projects = useQuery(projectsQuery)
  const assistants = useQuery(assistantsQuery)
  const scopes = [
    ...(projects.data ?? []).map(({ id, name }) => ({
      value: scopePrefixes.project + id,
      label: t`Project: ${{ projectName: name }}`,
    })),
    ...(assistants.data?.assistants ?? []).map(({ id, name }) => ({
      value: scopePrefixes.assistant + id,
      label: t`Assistant: ${{ assistant: name }}`,
    })),
  ]
  const isKnown = scope === '' || scopes.some(({ value }) => value === scope)
  const unknownScopeLabel = scope.startsWith(scopePrefixes.project)
    ? describeUnknown(projects, {
        gone: t`A project that does not exist any more`,
        failed: t`The project could not be loaded.`,
      })
    : describeUnknown(assistants, {
        gone: t`An assistant that is not available any more`,
        failed: t`The assistant could not be loaded.`,
      })
  return (
    <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
      {(models.length > 0 || model !== '') && (
        <ModelAndEffortFields
          models={models}
          model={model}
          effort={effort}
          defaultLabel={t`As in a new chat`}
          onModelChange={(next) => onChange({ model: next, effort: '' })}
          onEffortChange={(next) => onChange({ effort: next })}
        />
      )}
      {(scopes.length > 0 || !isKnown) && (
        <SelectField
          label={t`Project or assistant`}
          value={scope}
          options={[
            { value: '', label: t`None` },
            ...scopes,
            ...(isKnown ? [] : [{ value: scope, label: unknownScopeLabel }]),
          ]}
          hint={
            conversationScope !== undefined && conversationScope !== scope
              ? t`The next run begins a new chat.`
              : undefined
          }
          onChange={(next) => onChange({ scope: next })}
        />
      )}
    </div>
  )
}
