import type { ToolCall } from '#shared/contracts/chat.ts'
import type { Rule } from '#shared/contracts/schedules.ts'

/** What a reply has done with a schedule, as its call tells. */
export interface ScheduleResult {
  kind: 'created' | 'existed' | 'changed' | 'paused' | 'deleted'
  prompt: string
  /** when it runs; absent if it does not run */
  when?: { rule: Rule; timeZone: string }
}

/** Whether a call is one of the product's own tools that change schedules. A tool of a server with the same name has an integration. */
export const isScheduleTool = ({
  tool,
  integration,
}: {
  tool: string
  integration?: string | null | undefined
}): boolean =>
  (integration ?? undefined) === undefined && (tool === 'create_schedule' || tool === 'change_schedule')

/** Reads what a call has done with a schedule. @returns undefined for other calls, and for one that failed or was denied */
export function parseScheduleResult(call: ToolCall): ScheduleResult | undefined {
  const { tool, result } = call
  const data = result.data as
    | { schedule?: Record<string, unknown>; [name: string]: unknown }
    | null
    | undefined
  if (!isScheduleTool(call) || !result.success || typeof data?.schedule?.['prompt'] !== 'string')
    return undefined
  const { prompt, rule, time_zone: timeZone, paused_because: pausedBecause } = data.schedule
  const isPaused = pausedBecause !== undefined
  const when =
    !isPaused && typeof rule === 'object' && rule !== null && typeof timeZone === 'string'
      ? { rule: rule as Rule, timeZone }
      : undefined
  const kind = data['deleted']
    ? 'deleted'
    : data['already_existed']
      ? 'existed'
      : tool === 'create_schedule'
        ? 'created'
        : isPaused
          ? 'paused'
          : 'changed'
  return { kind, prompt: String(prompt), ...(when && { when }) }
}
