import { sayTool } from '#shared/sentences/tools.ts'
import { createHash } from 'node:crypto'
import { type CallToolResult, type Client, ProtocolError } from '@modelcontextprotocol/client'
import * as z from 'zod'
import { taskLapsesAfterMs } from '#shared/limits.ts'
import { plainLine } from '../platform/untrusted-text.ts'
import { ProviderError } from '../providers/provider-error.ts'
import type { ServerTask } from '../platform/server-task.ts'
import { findCreatedTask, taskMethods } from './task-transport.ts'
import { isRecord } from './is-record.ts'
import { readToolResult, unwrapResult, type ToolResult } from './tool-result.ts'

/** The client, as far as the methods of the extension need it. */
export type TaskClient = Pick<Client, 'request'>
type RequestOptions = Parameters<Client['request']>[2]

/** The task has ended without a result, or its outcome is unknown. */
export class TaskFailed extends ProviderError {}

/** Of a task that was begun and of which nobody says how it ended. */
export const outcomeUnknown = { isOutcomeUnknown: true } as const

const limits = {
  /** stored with the waiting run, and sent as a header */
  idCharacters: 1_000,
  messageCharacters: 200,
  /** between two requests, whatever the server says */
  minPollMs: 1_000,
  maxPollMs: 10 * 60_000,
  /** where the server says nothing */
  defaultPollMs: 2_000,
}

const task = z.object({
  taskId: z.string().min(1).max(limits.idCharacters),
  status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  statusMessage: z.string().optional().catch(undefined),
  ttlMs: z.number().nonnegative().nullish().catch(null),
  pollIntervalMs: z.number().nonnegative().optional().catch(undefined),
})
const detailedTask = task.extend({
  inputRequests: z.record(z.string(), z.unknown()).nullish(),
  /** read as far as it can be: the task is done */
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional().catch(undefined),
})

export type TaskState =
  | { status: 'working'; task: ServerTask }
  | { status: 'input_required'; task: ServerTask; inputRequests: Record<string, unknown> }
  | { status: 'completed'; result: ToolResult }

/** Identifies the server that has a task: its id is sent to no other. */
export const fingerprintServer = (url: string): string =>
  createHash('sha256').update(url).digest('hex').slice(0, 32)

function toServerTask(
  { id, server, createdAtMs, answered }: Pick<ServerTask, 'id' | 'server' | 'createdAtMs' | 'answered'>,
  { statusMessage, ttlMs, pollIntervalMs = limits.defaultPollMs }: z.infer<typeof task>,
): ServerTask {
  const message = plainLine(statusMessage ?? '', limits.messageCharacters)
  const lapsesAtMs = createdAtMs + taskLapsesAfterMs
  const expiresAtMs = createdAtMs + Math.floor(ttlMs ?? Infinity)
  return {
    // other fields of an earlier state are dropped: the server may no longer send a lifetime or a message
    id,
    server,
    createdAtMs,
    ...(answered && { answered }),
    pollMs: Math.round(Math.min(limits.maxPollMs, Math.max(limits.minPollMs, pollIntervalMs))),
    ...(message !== '' && { message }),
    ...(expiresAtMs < lapsesAtMs && { expiresAtMs }),
  }
}

/**
 * The task that a server has made of a call.
 * @returns undefined if the call ended with a result
 * @throws ProviderError
 */
export function readCreatedTask(
  { name, url }: { name: string; url: string },
  result: CallToolResult,
): ServerTask | undefined {
  const created = findCreatedTask(result)
  if (created === undefined) return undefined
  const parsed = task.safeParse(created)
  if (!parsed.success)
    throw new ProviderError(sayTool('task_failed.unfollowable', { name }), undefined, outcomeUnknown)
  const known = { id: parsed.data.taskId, server: fingerprintServer(url), createdAtMs: Date.now() }
  return toServerTask(known, parsed.data)
}

const anyResult = z.record(z.string(), z.unknown())

/**
 * Asks for the state of a task (`tasks/get`).
 * @throws TaskFailed if it failed, was cancelled or is unknown to the server, or has no usable result
 */
export async function getTask(
  client: TaskClient,
  name: string,
  known: ServerTask,
  options: RequestOptions,
): Promise<TaskState> {
  const parsed = detailedTask.safeParse(await requestTask(client, name, taskMethods.get, known, options))
  if (!parsed.success || parsed.data.taskId !== known.id)
    throw new TaskFailed(sayTool('task_failed.unsaid', { name }), undefined, outcomeUnknown)
  const { status, statusMessage, inputRequests, result, error } = parsed.data
  const updated = toServerTask(known, parsed.data)
  if (status === 'working') return { status, task: updated }
  if (status === 'input_required') return { status, task: updated, inputRequests: inputRequests ?? {} }
  const message = plainLine(error?.message ?? statusMessage ?? '', limits.messageCharacters)
  if (status === 'failed') throw new TaskFailed(sayTool('task_failed.failed', { name, said: message }))
  if (status === 'cancelled') throw new TaskFailed(sayTool('task_failed.cancelled', { name, said: message }))
  const isComplete = !isRecord(result) || (result['resultType'] ?? 'complete') === 'complete'
  if (!isComplete || result === undefined || result === null)
    throw new TaskFailed(sayTool('task_failed.unreadable', { name }))
  return { status, result: readToolResult(result) }
}

/** Sends the user's answers to what a task has asked for (`tasks/update`). @throws TaskFailed */
export async function updateTask(
  client: TaskClient,
  name: string,
  known: ServerTask,
  inputResponses: Record<string, unknown>,
  options: RequestOptions,
): Promise<void> {
  await requestTask(client, name, taskMethods.update, known, options, { inputResponses })
}

/** Asks the server to end a task (`tasks/cancel`); it may continue anyway. @throws TaskFailed */
export async function cancelTask(
  client: TaskClient,
  name: string,
  known: ServerTask,
  options: RequestOptions,
): Promise<void> {
  await requestTask(client, name, taskMethods.cancel, known, options)
}

/** Of JSON-RPC: the server could not do it this time. All other codes are final. */
const internalError = -32603
/** "Invalid or nonexistent taskId" of the extension */
const invalidParams = -32602

async function requestTask(
  client: TaskClient,
  name: string,
  method: string,
  { id }: ServerTask,
  options: RequestOptions,
  params: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  try {
    const result = await client.request({ method, params: { ...params, taskId: id } }, anyResult, options)
    const unwrapped = unwrapResult(result)
    return isRecord(unwrapped) ? unwrapped : {}
  } catch (error) {
    if (!(error instanceof ProtocolError) || error.code === internalError) throw error
    if (error.code === invalidParams)
      throw new TaskFailed(sayTool('task_failed.unknown', { name }), undefined, { cause: error })
    const message = plainLine(error.message, limits.messageCharacters)
    throw new TaskFailed(sayTool('task_failed.refused', { name, said: message }), undefined, {
      cause: error,
      ...outcomeUnknown,
    })
  }
}
