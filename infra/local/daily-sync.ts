import { randomUUID } from 'node:crypto'
import { SyncFailed } from '../../functions/registry/errors.ts'
import { runAs } from './caller.ts'

/**
 * Runs the registry's daily sync once, in the background, with the event that the schedule sends on AWS. The result is in the
 * table and in the functions' log; being offline is not an error.
 */
export function startDailySync(): void {
  const run = async () => {
    const { handler } = await import('../../functions/registry/daily-sync.ts')
    await runAs('registrySync', () => handler(scheduledEvent(new Date())))
  }
  run().catch((error: unknown) => {
    // recorded and logged by the handler
    if (error instanceof SyncFailed) return
    process.stderr.write(`The daily sync of the registry failed: ${String(error)}\n`)
  })
}

/** The event of EventBridge Scheduler, whose detail is a string of JSON. */
function scheduledEvent(now: Date) {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.scheduler',
    account: '000000000000',
    time: now.toISOString().replace(/\.\d+Z$/, 'Z'),
    region: 'us-east-1',
    resources: ['arn:aws:scheduler:us-east-1:000000000000:schedule/default/registry-sync'],
    detail: '{}',
  }
}
