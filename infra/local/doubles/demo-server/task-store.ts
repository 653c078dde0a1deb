import {
  type McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { randomBytes } from 'node:crypto'
import * as z from 'zod'

/**
 * The server's part of the Tasks extension, by its specification (SEP-2663,
 * github.com/modelcontextprotocol/ext-tasks, specification/draft/tasks.md), as strict as that allows.
 */
const extension = 'io.modelcontextprotocol/tasks'
const capability = { extensions: { [extension]: {} } }

/** The part of `DetailedTask` that a tool decides on. */
export type TaskProgress = { statusMessage?: string } & (
  | { status: 'working' }
  | { status: 'input_required'; inputRequests: Record<string, object> }
  | { status: 'completed'; result: object }
  | { status: 'failed'; error: object }
  | { status: 'cancelled' }
)

export interface TaskSpec {
  /** null: for ever */
  ttlMs: number | null
  pollIntervalMs?: number
  read: () => TaskProgress
  /** the client's responses to what is outstanding */
  onInput?: (responses: Record<string, unknown>) => void
}

interface StoredTask extends TaskSpec {
  taskId: string
  createdAtMs: number
  isCancelled: boolean
}

const params = z.object({ taskId: z.string() })
/** The library takes `inputResponses` out of the parameters where it knows the method. */
const updateParams = params.extend({ inputResponses: z.record(z.string(), z.unknown()).optional() })

const isOver = ({ status }: TaskProgress) => status !== 'working' && status !== 'input_required'

const envelopeWithExtension = z.object({
  'io.modelcontextprotocol/clientCapabilities': z.object({
    extensions: z.object({ [extension]: z.looseObject({}) }),
  }),
})

/** "A server MUST NOT return CreateTaskResult to a client that did not include the extension capability on its request" */
function requireCapability({ mcpReq }: ServerContext): void {
  const { success } = envelopeWithExtension.safeParse(mcpReq.envelope)
  if (!success) throw new MissingRequiredClientCapabilityError({ requiredCapabilities: capability })
}

/** The tasks of a server, in memory. */
export function openTaskStore() {
  const tasks = new Map<string, StoredTask>()

  /** "Invalid or nonexistent taskId: -32602 (Invalid params)", also for one that was purged after its time */
  function find(taskId: string, ctx: ServerContext): StoredTask {
    requireCapability(ctx)
    const task = tasks.get(taskId)
    const isExpired = task && task.ttlMs !== null && Date.now() > task.createdAtMs + task.ttlMs
    if (!task || isExpired) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Task not found')
    return task
  }

  const read = (task: StoredTask): TaskProgress => {
    const progress = task.read()
    return task.isCancelled && !isOver(progress) ? { status: 'cancelled' } : progress
  }

  const describe = (task: StoredTask, progress: TaskProgress) => ({
    taskId: task.taskId,
    createdAt: new Date(task.createdAtMs).toISOString(),
    lastUpdatedAt: new Date().toISOString(),
    ttlMs: task.ttlMs,
    ...(task.pollIntervalMs !== undefined && { pollIntervalMs: task.pollIntervalMs }),
    ...progress,
  })

  return {
    /** @returns what the tool returns instead of its result */
    begin(ctx: ServerContext, spec: TaskSpec) {
      requireCapability(ctx)
      // "sufficient entropy that a third party cannot enumerate or guess them"
      const taskId = randomBytes(18).toString('base64url')
      const task = { ...spec, taskId, createdAtMs: Date.now(), isCancelled: false }
      tasks.set(taskId, task)
      const { status, statusMessage } = read(task)
      const created = { status, ...(statusMessage !== undefined && { statusMessage }) } as TaskProgress
      return { resultType: 'task', ...describe(task, created) } as never
    },

    /** Answers the methods of the extension. */
    register(mcp: McpServer): void {
      const { server } = mcp
      server.registerCapabilities(capability)
      server.setRequestHandler('tasks/get', { params }, ({ taskId }, ctx) => {
        const task = find(taskId, ctx)
        return describe(task, read(task))
      })
      server.setRequestHandler('tasks/update', { params: updateParams }, ({ taskId, ...update }, ctx) => {
        const task = find(taskId, ctx)
        const progress = read(task)
        const outstanding = progress.status === 'input_required' ? Object.keys(progress.inputRequests) : []
        const responses = ctx.mcpReq.inputResponses ?? update.inputResponses ?? {}
        // "Each key MUST correspond to a currently-outstanding inputRequest key"
        if (Object.keys(responses).some((key) => !outstanding.includes(key)))
          throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The task did not ask for this')
        task.onInput?.(responses)
        return {}
      })
      server.setRequestHandler('tasks/cancel', { params }, ({ taskId }, ctx) => {
        find(taskId, ctx).isCancelled = true
        return {}
      })
    },

    /** The ids of tasks that were cancelled. */
    listCancelled: () =>
      [...tasks.values()].filter(({ isCancelled }) => isCancelled).map(({ taskId }) => taskId),
  }
}

export type TaskStore = ReturnType<typeof openTaskStore>
