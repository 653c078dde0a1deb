import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '../../lib/navigation/router.tsx'
import type { Schedule } from '#shared/contracts/schedules.ts'
import {
  createScheduleForm,
  toAddition,
  toChange,
  toScheduleForm,
  type toRule,
  type ScheduleForm,
} from '../../components/schedule-fields/schedule-form.ts'
import { useActionMutation } from '../../components/use-action.ts'
import { ApiError } from '../../lib/api/api-errors.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { schedulesQuery, showSchedule } from '../../lib/queries/schedule-queries.ts'
import { useRecentSignIn } from '../../lib/sign-in/recent-sign-in.ts'
import type { Input } from '../../lib/input/use-input.ts'
import { schedulesPath } from '../../lib/navigation/paths.ts'

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
export function useSaveSchedule({ schedule, stored, form, rule }: SaveOptions) {
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
