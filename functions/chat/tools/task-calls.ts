import { taskLapsesAfterMs } from '#shared/limits.ts'
import type { PendingCall } from '../../runs/run.ts'
import type { ServerTask } from '../../tools/task-unfinished.ts'

/** The request with which a run waits for the server of a call that has become a task. */
export const toTaskRequest = (call: PendingCall, task: ServerTask): PendingCall => {
  // what was answered has been sent
  const { inputResponses: _, requestState: __, ...history } = call.history ?? {}
  return { ...call, history: { ...history, task } }
}

/** Whether a task was given up: nobody asked for it in time. */
export const hasTaskLapsed = ({ kind, history }: PendingCall, atMs: number) =>
  kind === 'task' && atMs - (history?.task?.createdAtMs ?? atMs) > taskLapsesAfterMs

/** For the model. */
export const cancelledTask =
  'The user cancelled this task before it was finished. Parts of it may have been done.'
export const lapsedTask =
  'The task was given up: its result was not fetched for 30 days. It may have been done.'
export const unfinishedTask =
  'The server needs longer than this reply can wait, so the task was cancelled. In a chat of the page it can be waited for.'
