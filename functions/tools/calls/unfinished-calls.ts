import { taskLapsesAfterMs } from '#shared/limits.ts'
import type { Elicitation } from '#shared/contracts/elicitation.ts'
import type { ServerTask } from '../../platform/server-task.ts'

// apart from what throws them: the chat function loads this file when it starts

/** What a server has asked the user during a call. */
export interface InputRequest {
  requests: Elicitation[]
  /** opaque; goes back to the same server with the answers, byte for byte */
  requestState?: string | undefined
  /** the task that asks; then the answers go to the task */
  task?: ServerTask | undefined
}

/** What a call that is made again sends besides its arguments (`inputResponses` of MCP 2026-07-28). */
export interface CallContinuation {
  /** the call has become this task: it is not made again, the task is followed */
  task?: ServerTask | undefined
  requestState?: string | undefined
  inputResponses?:
    | Record<string, { action: string; content?: Record<string, unknown> | undefined }>
    | undefined
}

/** The server of a tool asks the user for something before it does the call. */
export class InputRequired extends Error {
  readonly request: InputRequest

  constructor(request: InputRequest) {
    super('the server asks the user for input')
    this.name = 'InputRequired'
    this.request = request
  }
}

/** The server of a tool is still working on a call. */
export class TaskUnfinished extends Error {
  readonly task: ServerTask

  constructor(task: ServerTask) {
    super('the server is still working on the call')
    this.name = 'TaskUnfinished'
    this.task = task
  }
}

/** Whether the time of a task is over: a server that does not respond now is not waited for. */
export const isTaskOver = ({ createdAtMs, expiresAtMs }: ServerTask, atMs: number): boolean =>
  atMs >= (expiresAtMs ?? createdAtMs + taskLapsesAfterMs)

/** Whether the reply can continue: the task has ended, or its server asks for something. */
export interface TaskCheck {
  isReady: boolean
  task: ServerTask
}

/** What can be done with the tasks of a server besides following them. */
export interface TaskControl {
  /** Asks once. Never throws: a server that does not respond may do so later. */
  check(task: ServerTask, signal: AbortSignal): Promise<TaskCheck>
  /** Asks the server to end the task, within 2 s. Never throws. */
  cancel(task: ServerTask): Promise<void>
}
