import type { ToolCall } from '#shared/contracts/chat.ts'
import type { Rule } from '#shared/contracts/schedules.ts'
import { isOwnTool, type CalledTool } from './own-tools.ts'

/** What a reply has done with a schedule, as its call tells. */
export interface ScheduleResult {
  kind: 'created' | 'existed' | 'changed' | 'paused' | 'deleted'
  prompt: string
  /** when it runs; absent if it does not run */
  when?: { rule: Rule; timeZone: string }
}

/** Whether a call is one of the product's own tools that change schedules. */
export const isScheduleTool = (call: CalledTool): boolean =>
  isOwnTool(call, ['create_schedule', 'change_schedule'])

/** The data of a call that has changed a schedule; each field may be missing. */
interface ScheduleData {
  schedule?: Record<string, unknown>
  deleted?: unknown
  already_existed?: unknown
}

/** Reads what a call has done with a schedule. @returns undefined for other calls, and for one that failed or was denied */
export function parseScheduleResult(call: ToolCall): ScheduleResult | undefined {
  const data = call.result.data as ScheduleData | null | undefined
  const { schedule } = data ?? {}
  if (!isScheduleTool(call) || !call.result.success || typeof schedule?.['prompt'] !== 'string')
    return undefined
  const { prompt, rule, time_zone: timeZone, paused_because: pausedBecause } = schedule
  const isRunning =
    pausedBecause === undefined && typeof rule === 'object' && rule !== null && typeof timeZone === 'string'
  return {
    kind: findKind(call, data),
    prompt,
    // `describeRule` tolerates a rule that this release does not know
    ...(isRunning && { when: { rule: rule as Rule, timeZone } }),
  }
}

function findKind(
  { tool, parameters }: ToolCall,
  data: ScheduleData | null | undefined,
): ScheduleResult['kind'] {
  if (data?.deleted) return 'deleted'
  if (data?.already_existed) return 'existed'
  if (tool === 'create_schedule') return 'created'
  // another change of a paused schedule leaves it paused
  return parameters['paused'] === true ? 'paused' : 'changed'
}
