import priceList from './prices.json' with { type: 'json' }
import type { DeployedResources } from './deployed-resources.ts'
import {
  assumed,
  connectionRefresh,
  dispatcher,
  file,
  modelCheck,
  scheduledRun,
  sync,
  turns as measuredTurns,
  visit,
  type TurnUnits,
} from './units.ts'

/** AWS's price for one kind of unit. */
export interface Price {
  readonly usd: number
  /** number of units for this price */
  readonly per: number
  readonly unit: string
  /** units per month of the permanent free tier; allowances that end after a year are left out */
  readonly free?: number
  /** not found in AWS's list or page for this region, only quoted by others or for other regions */
  readonly unconfirmed?: boolean
}
export type PriceName = keyof typeof priceList.prices
export const prices: Readonly<Record<PriceName, Price>> = priceList.prices

/** How much the product is used in a month. */
export interface Usage {
  readonly users: number
  readonly turns: number
  /** of schedules: replies with nobody present */
  readonly runs: number
  /** duration of a reply */
  readonly seconds: number
  readonly visits: number
  /** connections per user with credentials, a secret each */
  readonly integrations: number
  readonly files: number
  readonly fileMb: number
  /** months of conversations and files stored already */
  readonly months: number
  readonly freeTier: boolean
}

export interface Line {
  readonly service: string
  readonly what: string
  readonly price: PriceName
  readonly units: number
  readonly usd: number
}

/** No users, no data. */
export const idle: Usage = {
  users: 0,
  turns: 0,
  runs: 0,
  seconds: 10,
  visits: 0,
  integrations: 0,
  files: 0,
  fileMb: 0,
  months: 0,
  freeTier: false,
}

const bytesPerGb = 1_000_000_000
const hoursPerMonth = 730

/** A month's bill, with a line for everything that is used. */
export function calculateBill(usage: Usage, deployed: DeployedResources): Line[] {
  const { users, turns, runs, visits, files } = usage
  const replies = turns + runs
  const turn = interpolateTurn(usage.seconds)
  const gb = (bytes: number) => bytes / bytesPerGb
  const freshVisits = Math.min(visits, users * assumed.freshVisitsPerUser)
  const knownVisits = visits - freshVisits

  const visitCalls = visits * total(visit.calls)
  const fileCalls = files * total(file.calls)
  const calls = turns + visitCalls + fileCalls
  const dailyJobs = sync.perMonth + connectionRefresh.perMonth + modelCheck.perMonth
  const jobs = dailyJobs + dispatcher.perMonth
  const invocations = files * total(file.invocations) + runs * scheduledRun.invocations
  const callSeconds = (functions: Readonly<Record<string, number>>, seconds: number) =>
    Object.entries(functions).reduce((sum, [id, count]) => sum + count * seconds * memoryGb(id), 0)
  const memoryGb = (id: string) => (deployed.memoryMb[id] ?? 512) / 1_024

  const siteFiles = freshVisits * visit.files.fresh + knownVisits * visit.files.known
  const storedGb = gb(replies * turn.storedBytes) * usage.months
  const fileGb = (files * usage.fileMb) / 1_000
  const logGb = gb(
    replies * turn.logBytes +
      visits * visit.logBytes +
      files * file.logBytes +
      (calls + invocations + jobs) * assumed.platformLogBytes,
  )
  const refreshes = users * usage.integrations * connectionRefresh.daysPerMonth
  const secretCalls = replies * assumed.secretCallsPerTurn + refreshes + modelCheck.perMonth

  const lines: [service: string, what: string, price: PriceName, units: number][] = [
    ['API Gateway', 'requests, streamed replies included', 'gatewayRequest', calls],
    ['Lambda', 'calls', 'lambdaRequest', calls + invocations + jobs],
    ['Lambda', 'replies', 'lambdaCompute', replies * turn.seconds * memoryGb('Chat')],
    [
      'Lambda',
      'everything else, cold starts included',
      'lambdaCompute',
      visits * callSeconds(visit.calls, assumed.callSeconds + assumed.startSeconds) +
        files * callSeconds({ Files: file.calls.Files }, assumed.callSeconds + assumed.startSeconds) +
        files *
          callSeconds(
            { Documents: file.calls.Documents, ...file.invocations },
            assumed.documentSeconds + assumed.startSeconds,
          ) +
        sync.perMonth * sync.seconds * memoryGb('RegistrySync') +
        modelCheck.perMonth * modelCheck.seconds * memoryGb('ModelCheck') +
        dispatcher.perMonth * dispatcher.seconds * memoryGb('ScheduleDispatcher') +
        runs * scheduledRun.tellSeconds * memoryGb('Notifier') +
        (connectionRefresh.perMonth * connectionRefresh.seconds +
          refreshes * connectionRefresh.connection.seconds) *
          memoryGb('ConnectionRefresh'),
    ],
    [
      'DynamoDB',
      'writes',
      'tableWrite',
      replies * turn.writes +
        runs * scheduledRun.writes +
        visits * visit.writes +
        files * file.writes +
        sync.perMonth * sync.writes +
        refreshes * connectionRefresh.connection.writes,
    ],
    [
      'DynamoDB',
      'reads',
      'tableRead',
      replies * turn.reads +
        runs * scheduledRun.reads +
        dispatcher.perMonth * dispatcher.reads +
        visits * visit.reads +
        files * file.reads +
        refreshes * connectionRefresh.connection.reads,
    ],
    ['DynamoDB', 'storage', 'tableStorage', storedGb],
    ['DynamoDB', 'point-in-time recovery', 'tableBackup', storedGb],
    ['S3', 'files, the site, CDK assets', 'objectStorage', fileGb * usage.months + assumed.deploymentGb],
    ['S3', 'writes', 'objectWrite', files * file.objectWrites],
    ['S3', 'reads', 'objectRead', files * file.objectReads + siteFiles],
    [
      'Secrets Manager',
      "the product's own, and those named in the configuration",
      'secret',
      deployed.secrets,
    ],
    [
      'Secrets Manager',
      'submitted credentials, a secret each',
      'secret',
      deployed.vault === 'secrets' ? users * usage.integrations : 0,
    ],
    ['Secrets Manager', 'calls', 'secretCall', secretCalls],
    ['KMS', 'keys', 'key', deployed.keys],
    ['KMS', 'calls', 'keyCall', calls * assumed.keyCallsPerCall + secretCalls],
    ['CloudFront', 'requests', 'siteRequest', calls + siteFiles],
    ['CloudFront', 'the function in front of the site', 'siteFunction', siteFiles],
    [
      'CloudFront',
      'transfer',
      'siteTransfer',
      gb(turns * turn.streamedBytes + freshVisits * visit.bytes.fresh + knownVisits * visit.bytes.known),
    ],
    ['CloudWatch', 'log ingestion', 'logIngested', logGb],
    ['CloudWatch', 'log storage', 'logStored', (logGb * deployed.logRetentionDays) / 30],
    // a metric is paid for by the hours in which something was sent
    [
      'CloudWatch',
      "the product's own metrics",
      'metric',
      // one is sent each minute, with or without users
      Math.min(1, deployed.metrics) + Math.max(0, deployed.metrics - 1) * Math.min(1, visits / hoursPerMonth),
    ],
    ['CloudWatch', 'alarms', 'alarm', deployed.alarms],
    ['CloudWatch', 'dashboards', 'dashboard', deployed.dashboards],
    ['X-Ray', 'traces', 'trace', deployed.tracing ? calls + dailyJobs + runs : 0],
    deployed.federation
      ? ['Cognito', 'active users of an identity provider', 'federatedUser', users]
      : ['Cognito', 'active users', 'activeUser', users],
    ['SES', 'e-mails', 'mail', deployed.ses ? users * assumed.mailsPerUser : 0],
    ['WAF', 'web ACL', 'webAcl', deployed.webAcls],
    ['WAF', 'rules', 'webRule', deployed.webRules],
    ['WAF', 'inspected requests', 'webInspection', deployed.webAcls > 0 ? calls + siteFiles : 0],
    ['EventBridge', 'the sync, the refresh, the check and the dispatcher', 'schedule', jobs],
    ['SQS', 'scheduled runs', 'queueRequest', runs * scheduledRun.queueRequests],
    [
      'Data transfer',
      'to the model, and files to users',
      'transferOut',
      gb(replies * assumed.modelRequestBytes) + fileGb,
    ],
  ]
  return priceLines(lines, usage.freeTier)
}

export const sumUsd = (lines: readonly Line[]) => lines.reduce((sum, { usd }) => sum + usd, 0)

/**
 * What a thousand turns add to the bill, their visits included. Metrics are left out, because they are billed by the hour.
 */
export function sumUsdPerThousandTurns(deployed: DeployedResources): number {
  const withoutMetrics = { ...deployed, metrics: 0 }
  const turns = 1_000
  const used = { ...idle, turns, seconds: 10, visits: turns / assumed.turnsPerVisit, months: 1 }
  return sumUsd(calculateBill(used, withoutMetrics)) - sumUsd(calculateBill(idle, withoutMetrics))
}

/** What ten thousand runs of schedules of 10 s add to the bill. */
export const sumUsdPerTenThousandRuns = (deployed: DeployedResources): number =>
  sumUsd(calculateBill({ ...idle, runs: 10_000, seconds: 10, months: 1 }, deployed)) -
  sumUsd(calculateBill({ ...idle, months: 1 }, deployed))

function priceLines(
  lines: readonly [service: string, what: string, price: PriceName, units: number][],
  freeTier: boolean,
): Line[] {
  const freeUnitsLeft = new Map<PriceName, number>()
  return lines
    .filter(([, , , units]) => units > 0)
    .map(([service, what, price, units]) => {
      const { usd, per, free = 0 } = prices[price]
      const allowance = freeTier ? (freeUnitsLeft.get(price) ?? free) : 0
      freeUnitsLeft.set(price, Math.max(0, allowance - units))
      return { service, what, price, units, usd: (Math.max(0, units - allowance) / per) * usd }
    })
}

/** Interpolates between the two measured turns around a length, or extrapolates from the last two. */
export function interpolateTurn(seconds: number): TurnUnits {
  const next = measuredTurns.findIndex((turn) => turn.seconds >= seconds)
  const upper = next < 0 ? measuredTurns.length - 1 : Math.max(1, next)
  const [from, to] = [measuredTurns[upper - 1], measuredTurns[upper]]
  if (!from || !to) throw new Error('fewer than two turns were measured')
  const share = (seconds - from.seconds) / (to.seconds - from.seconds)
  const at = (key: keyof TurnUnits) => Math.max(0, from[key] + (to[key] - from[key]) * share)
  return {
    seconds,
    writes: at('writes'),
    reads: at('reads'),
    streamedBytes: at('streamedBytes'),
    storedBytes: at('storedBytes'),
    logBytes: at('logBytes'),
  }
}

const total = (calls: Readonly<Record<string, number>>) =>
  Object.values(calls).reduce((sum, count) => sum + count, 0)
