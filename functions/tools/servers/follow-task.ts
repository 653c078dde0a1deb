import { sayTool } from '#shared/sentences/tools.ts'
import { wait } from '../../platform/clock.ts'
import type { ServerTask } from '../../platform/server-task.ts'
import { taskLapsesAfterMs } from '#shared/limits.ts'
import { parseInputRequests } from '../../mcp/elicitation.ts'
import type { McpClient } from './remote.ts'
import type { ServerConnection } from '../../mcp/sessions.ts'
import type { ToolResult } from '../../mcp/tool-result.ts'
import {
  cancelTask,
  fingerprintServer,
  getTask,
  outcomeUnknown,
  TaskFailed,
  updateTask,
  type TaskClient,
  type TaskState,
} from '../../mcp/tasks.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { isReconnectRequired } from '../../providers/reconnect-required.ts'
import {
  InputRequired,
  type CallContinuation,
  isTaskOver,
  type TaskControl,
  TaskUnfinished,
} from '../calls/unfinished-calls.ts'

/** How long a reply polls before it waits without a function. */
const followMs = 5_000
/** Timeouts of the requests of a task. */
const requestMs = 10_000
const cancelMs = 2_000

/** Follows and cancels the tasks that a remote server of a connection works on. @throws TaskFailed for a task of another server */
export function serverTasks(
  { checkAddress, ...client }: Pick<McpClient, 'use' | 'checkAddress'>,
  connection: ServerConnection,
) {
  const { integration, url } = connection
  const request = async <T>(
    task: ServerTask,
    signal: AbortSignal,
    send: (client: TaskClient, options: { signal: AbortSignal; timeout: number }) => Promise<T>,
  ): Promise<T> => {
    if (task.server !== fingerprintServer(url))
      throw new TaskFailed(
        sayTool('task_failed.other_server', { name: integration.name }),
        undefined,
        outcomeUnknown,
      )
    return client.use(connection, signal, (session) => send(session, { signal, timeout: requestMs }))
  }

  const loadState = async (task: ServerTask, signal: AbortSignal): Promise<TaskState> => {
    try {
      const state = await request(task, signal, (client, options) =>
        getTask(client, integration.name, task, options),
      )
      if (state.status !== 'working' || Date.now() < task.createdAtMs + taskLapsesAfterMs) return state
      await control.cancel(task)
    } catch (error) {
      if (error instanceof TaskFailed || isReconnectRequired(error) || signal.aborted) throw error
      if (!isTaskOver(task, Date.now())) throw error
    }
    throw new TaskFailed(
      sayTool('task_failed.given_up', { name: integration.name }),
      undefined,
      outcomeUnknown,
    )
  }

  /** What a task asks for and was not answered yet: the server may need a while to notice the answers. */
  const listOpenRequests = ({
    inputRequests,
    task: { answered = [] },
  }: TaskState & { status: 'input_required' }) =>
    Object.entries(inputRequests).filter(([key]) => !answered.includes(key))

  const control: TaskControl = {
    async check(task, signal) {
      try {
        const state = await loadState(task, signal)
        if (state.status === 'completed') return { isReady: true, task }
        return {
          isReady: state.status === 'input_required' && listOpenRequests(state).length > 0,
          task: state.task,
        }
      } catch (error) {
        return { isReady: error instanceof TaskFailed || isReconnectRequired(error), task }
      }
    },

    async cancel(task) {
      const signal = AbortSignal.timeout(cancelMs)
      const cancellation = request(task, signal, (client, options) =>
        cancelTask(client, integration.name, task, options),
      )
      await cancellation.catch(() => undefined)
    },
  }

  async function poll(created: ServerTask, isNew: boolean, signal: AbortSignal): Promise<ToolResult> {
    const untilMs = Date.now() + followMs
    let task = created
    for (let isDue = !isNew; ; isDue = false) {
      if (!isDue) {
        if (Date.now() + task.pollMs > untilMs) throw new TaskUnfinished(task)
        await wait(task.pollMs, { signal })
      }
      let state
      try {
        state = await loadState(task, signal)
      } catch (error) {
        // a poll that failed is no failed task; ReconnectRequired would make the call again, though its task exists
        if (error instanceof TaskFailed || signal.aborted || (isReconnectRequired(error) && !isNew))
          throw error
        throw new TaskUnfinished(task)
      }
      if (state.status === 'completed') return state.result
      task = state.task
      if (state.status === 'working') continue
      const openRequests = listOpenRequests(state)
      if (openRequests.length === 0) continue
      const inputRequests = Object.fromEntries(openRequests)
      const input = parseInputRequests(integration.name, { inputRequests }, checkAddress)
      throw new InputRequired({ requests: input.requests, task })
    }
  }

  /** Sends the user's answers. What could not be sent is asked for again. */
  async function sendAnswers(
    task: ServerTask,
    inputResponses: NonNullable<CallContinuation['inputResponses']>,
    signal: AbortSignal,
  ): Promise<ServerTask> {
    const keys = Object.keys(inputResponses)
    if (keys.length === 0) return task
    try {
      await request(task, signal, (client, options) =>
        updateTask(client, integration.name, task, inputResponses, options),
      )
      return { ...task, answered: [...(task.answered ?? []), ...keys] }
    } catch (error) {
      if (error instanceof TaskFailed || isReconnectRequired(error) || signal.aborted) throw error
      throw new TaskUnfinished(task)
    }
  }

  return {
    ...control,

    /**
     * Polls a task for a while.
     * @param continuation of a task that was begun by an earlier request
     * @returns its result
     * @throws TaskUnfinished, InputRequired, ReconnectRequired, ProviderError; the signal's reason, after the task was cancelled
     */
    async follow(
      created: ServerTask,
      signal: AbortSignal,
      continuation?: CallContinuation,
    ): Promise<ToolResult> {
      try {
        const task = await sendAnswers(created, continuation?.inputResponses ?? {}, signal)
        return await poll(task, continuation === undefined, signal)
      } catch (error) {
        if (signal.aborted || isRefusedInput(error)) await control.cancel(created)
        throw error
      }
    },
  }
}

/** The task asks for something that is not shown to the user, and would wait for it. */
const isRefusedInput = (error: unknown) => error instanceof ProviderError && !(error instanceof TaskFailed)
