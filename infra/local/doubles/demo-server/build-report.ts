import type { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import type { DemoContext } from './server.ts'
import type { TaskProgress } from './task-store.ts'

const steps = ['Collecting the bookings', 'Counting the guests', 'Adding up the bills', 'Writing the report']

/** A tool that becomes a task: longer than a reply polls, so that it waits. */
export function registerBuildReport(server: McpServer, { tasks, readReportMs }: DemoContext): void {
  server.registerTool(
    'build_report',
    {
      title: 'Build report',
      description: 'Builds a report of the restaurant. Takes about 20 seconds.',
      inputSchema: z.object({ month: z.string().default('this month') }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ month }, ctx) => {
      const startedAtMs = Date.now()
      return tasks.begin(ctx, {
        ttlMs: 60 * 60_000,
        pollIntervalMs: 2_000,
        read: () => readProgress(Math.min(1, (Date.now() - startedAtMs) / readReportMs()), month),
      })
    },
  )
}

/** @param done from 0 to 1 */
function readProgress(done: number, month: string): TaskProgress {
  if (done < 1) {
    const step = steps[Math.floor(done * steps.length)]
    return { status: 'working', statusMessage: `${step} (${Math.floor(done * 100)} %)` }
  }
  const text = `Report of ${month}: 182 guests at 61 tables, 7,310 EUR.`
  return { status: 'completed', result: { content: [{ type: 'text', text }] } }
}
