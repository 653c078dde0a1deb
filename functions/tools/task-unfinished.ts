import { taskLapsesAfterMs } from '#shared/limits.ts'
import type { ServerTask } from '../mcp/tasks.ts'

export type { ServerTask }

// apart from what throws it: the chat function loads this file when it starts
/** The server of a tool is still working on a call. */
export class TaskUnfinished extends Error {
  readonly task: ServerTask

  constructor(task: ServerTask) {
    super('the server is still working on the call')
    this.name = 'TaskUnfinished'
    this.task = task
  }
}

export const isTaskUnfinished = (error: unknown): error is TaskUnfinished => error instanceof TaskUnfinished

/** Whether the time of a task is over: a server that does not respond now is not waited for. */
export const isTaskOver = ({ createdAtMs, expiresAtMs }: ServerTask, atMs: number): boolean =>
  atMs >= (expiresAtMs ?? createdAtMs + taskLapsesAfterMs)
