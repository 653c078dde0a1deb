import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { Schedule } from '#shared/contracts/schedules.ts'
import { dismissToast, showToast } from '../../components/ui/toast.ts'
import { useAction } from '../../components/use-action.ts'
import { useActions } from '../../lib/actions/actions.ts'
import { ApiError, ignoreNotFound } from '../../lib/api/api-errors.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { undoMs } from '../../lib/browser/limits.ts'
import { prepareRequest } from '../../lib/api/prepare-request.ts'
import { useRecentSignIn } from '../../lib/sign-in/recent-sign-in.ts'
import { writeInput } from '../../lib/input/inputs.ts'
import { useRunningActions } from '../../lib/actions/running-actions.ts'
import { removeSchedule, schedulesQuery, showSchedule } from '../../lib/queries/schedule-queries.ts'
import { getScheduleTitle, hasConversation } from './describe-state.ts'
import { scheduleInputKey } from './schedule-input.ts'

const scheduleDeletionKey = (id: string) => `delete schedule ${id}`

/** Whether a schedule is being deleted, which can be undone at first. */
export function useIsScheduleDeleting(): (id: string) => boolean {
  const running = useRunningActions()
  return (id) => running.has(scheduleDeletionKey(id))
}

/** Pauses, resumes, runs and deletes a schedule. */
export function useScheduleActions(schedule: Schedule) {
  const { id, version } = schedule
  const queryClient = useQueryClient()
  const params = { scheduleId: id }
  const withRecentSignIn = useRecentSignIn()
  /** Shows the schedule of the response. After an error, such as one that was deleted elsewhere, the list is loaded again. */
  const showAfter = async (work: Promise<{ schedule: Schedule }>) => {
    try {
      await showSchedule(queryClient, (await work).schedule)
    } catch (error) {
      if (error instanceof ApiError) void queryClient.invalidateQueries({ queryKey: schedulesQuery.queryKey })
      throw error
    }
  }
  const pausing = useAction(
    `pause schedule ${id}`,
    () => showAfter(callApi('schedules.update', { params, body: { paused: true } })),
    t`The schedule was not paused`,
  )
  const resuming = useAction(
    `resume schedule ${id}`,
    // who resumes it allows what they have seen
    () =>
      showAfter(
        withRecentSignIn(() => callApi('schedules.update', { params, body: { paused: false, version } })),
      ),
    t`The schedule was not resumed`,
  )
  const running = useAction(
    `run schedule ${id}`,
    () => showAfter(callApi('schedules.run', { params })),
    t`The schedule was not run`,
  )
  return { pausing, resuming, running, remove: useRemoveSchedule(schedule) }
}

/** @returns deletes the schedule, as the user has seen it, when its toast closes; until then it can be undone */
function useRemoveSchedule(schedule: Schedule): () => void {
  const { id, version } = schedule
  const queryClient = useQueryClient()
  const actions = useActions()
  const request = { params: { scheduleId: id }, query: { version } }
  const deleteSchedule = async (send: (() => Promise<Response>) | undefined) => {
    try {
      const response = await send?.()
      if (!response?.ok) await callApi('schedules.delete', request, { keepalive: true }).catch(ignoreNotFound)
      writeInput(scheduleInputKey(id), undefined)
      await removeSchedule(queryClient, id)
    } catch (error) {
      void queryClient.invalidateQueries({ queryKey: schedulesQuery.queryKey })
      if (!actions.isClosed()) showToast('error', t`The schedule was not deleted`, { error })
    }
  }
  return () => {
    const toastId = crypto.randomUUID()
    // prepared now: when the page closes, it can be sent without waiting for anything
    let send: (() => Promise<Response>) | undefined
    prepareRequest('schedules.delete', request).then(
      (prepared) => {
        send = prepared
      },
      // an ordinary call takes its place
      () => undefined,
    )
    const decision = actions.postpone(scheduleDeletionKey(id), {
      run() {
        dismissToast(toastId)
        return deleteSchedule(send)
      },
      undo: () => dismissToast(toastId),
    })
    const title = getScheduleTitle(schedule)
    showToast('info', t`Schedule removed`, {
      id: toastId,
      description: hasConversation(schedule)
        ? t`“${title}” will be deleted when this message closes. Its chat stays.`
        : t`“${title}” will be deleted when this message closes.`,
      durationMs: undoMs,
      action: { label: t`Undo`, onClick: decision.undo },
      onClose: decision.commit,
    })
  }
}
