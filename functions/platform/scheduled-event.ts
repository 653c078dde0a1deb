import * as z from 'zod'
import { logger } from './telemetry/logger.ts'

/** An event of EventBridge, from a rule or a schedule. */
const scheduledEvent = z.object({ id: z.string().min(1), source: z.enum(['aws.events', 'aws.scheduler']) })

/** @returns undefined for an event that no schedule sends, which is logged */
export function parseScheduledEvent(event: unknown): z.output<typeof scheduledEvent> | undefined {
  const parsed = scheduledEvent.safeParse(event)
  if (!parsed.success) logger.warn('invalid scheduled event')
  return parsed.data
}
