import { randomUUID } from 'node:crypto'
import { SyncFailed } from '../../functions/registry/errors.ts'
import { runAs } from './caller.ts'

const dayMs = 86_400_000
const minuteMs = 60_000
/** The timeout of the functions on AWS. */
const timeoutMs = 900_000

/**
 * Runs what schedules start on AWS, in the background: once a day, now and every 24 hours, or each minute. Results are in the table and in
 * the functions' log; being offline is not an error.
 * @returns stops the timer
 */
export function startDailyJobs(): () => void {
  const runAll = () => {
    runJob('The daily sync of the registry', syncRegistry)
    runJob('The daily refresh of connections', refreshConnections)
  }
  runAll()
  const timer = setInterval(runAll, dayMs).unref()
  const stopMinutes = startMinutes(() => runJob('The dispatcher of schedules', dispatchSchedules))
  return () => {
    clearInterval(timer)
    stopMinutes()
  }
}

/** Runs a job at each full minute. @returns stops it */
function startMinutes(run: () => void): () => void {
  let timer: NodeJS.Timeout
  const waitForMinute = () => {
    timer = setTimeout(
      () => {
        run()
        waitForMinute()
      },
      minuteMs - (Date.now() % minuteMs),
    ).unref()
  }
  waitForMinute()
  return () => clearTimeout(timer)
}

function runJob(name: string, run: () => Promise<void>): void {
  run().catch((error: unknown) => {
    // recorded and logged by the handler
    if (error instanceof SyncFailed) return
    process.stderr.write(`${name} failed: ${String(error)}\n`)
  })
}

async function syncRegistry(): Promise<void> {
  const { handler } = await import('../../functions/registry/daily-sync.ts')
  await runAs('registrySync', () => handler(scheduledEvent('registry-sync', new Date())))
}

async function refreshConnections(): Promise<void> {
  const { handler } = await import('../../functions/integrations/credentials/daily-refresh.ts')
  const endsAtMs = performance.now() + timeoutMs
  const context = { getRemainingTimeInMillis: () => endsAtMs - performance.now() }
  const event = scheduledEvent('connection-refresh', new Date())
  await runAs('connectionRefresh', () => handler(event, context))
}

async function dispatchSchedules(): Promise<void> {
  const { handler } = await import('../../functions/schedules/dispatcher.ts')
  const endsAtMs = performance.now() + minuteMs
  const context = { getRemainingTimeInMillis: () => endsAtMs - performance.now() }
  const event = scheduledEvent('schedule-dispatcher', new Date())
  await runAs('scheduleDispatcher', () => handler(event, context))
}

/** The event of EventBridge Scheduler, whose detail is a string of JSON. */
function scheduledEvent(schedule: string, now: Date) {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.scheduler',
    account: '000000000000',
    time: now.toISOString().replace(/\.\d+Z$/, 'Z'),
    region: 'us-east-1',
    resources: [`arn:aws:scheduler:us-east-1:000000000000:schedule/default/${schedule}`],
    detail: '{}',
  }
}
